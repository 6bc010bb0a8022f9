/*
 * Copyright 2026 the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.rdma.core.connection;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.verbs.AccessFlag;

/**
 * What a side lets the other use. Told only to a peer that is trusted.
 *
 * @param creditWordAddress the address of the word that credits are written to
 * @param creditWordKey the key of that word
 * @param credits how many messages can be sent at first
 * @param regions the regions by name
 */
record Parameters(long creditWordAddress, int creditWordKey, int credits, Map<String, RemoteRegion> regions) {

	private static final int MAX_REGION_NAME_BYTES = 128;

	private static final int MAX_REGIONS = 1024;

	Frame toFrame() {
		WireWriter writer = new WireWriter().putLong(this.creditWordAddress)
			.putInt(this.creditWordKey)
			.putInt(this.credits)
			.putShort(this.regions.size());
		for (RemoteRegion region : this.regions.values()) {
			writer.putText(region.name())
				.putLong(region.address())
				.putInt(region.rkey())
				.putLong(region.length())
				.putInt(AccessFlag.mask(region.access()));
		}
		return new Frame(FrameType.PARAMETERS, writer.toBytes());
	}

	static Parameters from(Frame frame, int receiveDepth) throws HandshakeException {
		WireReader reader = new WireReader(frame.body());
		long address = reader.getLong();
		int key = reader.getInt();
		int credits = reader.getInt("the number of credits", 1, receiveDepth);
		int count = reader.getShort();
		if (count > MAX_REGIONS) {
			throw WireReader.malformed(count + " regions are told, but " + MAX_REGIONS + " are allowed");
		}
		Map<String, RemoteRegion> regions = new LinkedHashMap<>();
		for (int i = 0; i < count; i++) {
			RemoteRegion region = new RemoteRegion(reader.getText("the name of a region", MAX_REGION_NAME_BYTES),
					reader.getLong(), reader.getInt(), reader.getLong(), access(reader.getInt()));
			if (region.length() < 0) {
				throw WireReader.malformed("a region has a negative length");
			}
			regions.put(region.name(), region);
		}
		return new Parameters(address, key, credits, regions);
	}

	static void checkTellable(Collection<String> names) {
		if (names.size() > MAX_REGIONS) {
			throw new RdmaConfigurationException("rdma.regions", names.size() + " regions",
					"at most " + MAX_REGIONS + " can be told to peers", "Define fewer and larger regions.");
		}
		for (String name : names) {
			if (name.getBytes(StandardCharsets.UTF_8).length > MAX_REGION_NAME_BYTES) {
				throw new RdmaConfigurationException("rdma.regions", name,
						"the name of a region has at most " + MAX_REGION_NAME_BYTES + " bytes",
						"Give the region a shorter name.");
			}
		}
	}

	private static Set<AccessFlag> access(int mask) {
		Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
		for (AccessFlag flag : AccessFlag.values()) {
			if (flag.isIn(mask)) {
				access.add(flag);
			}
		}
		return access;
	}

}
