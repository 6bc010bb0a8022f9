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

package io.rdma.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A device that was looked at.
 *
 * @param name the name of the device
 * @param port the number of the port, 0 if none was looked at
 * @param gid the GID to use, {@code null} if there is none or the port needs none
 * @param obstacle what is in the way of using it, {@code null} if nothing is
 * @param reason the obstacle in words and what to do, part of a sentence, {@code null} if
 * there is none
 */
public record DeviceCandidate(String name, int port, @Nullable GidEntry gid, @Nullable DeviceObstacle obstacle,
		@Nullable String reason) {

	static DeviceCandidate usable(String name, int port, @Nullable GidEntry gid) {
		return new DeviceCandidate(name, port, gid, null, null);
	}

	static DeviceCandidate unusable(String name, int port, DeviceObstacle obstacle, String reason) {
		return new DeviceCandidate(name, port, null, obstacle, reason);
	}

	/**
	 * Return whether it can be used.
	 * @return whether nothing is in the way
	 */
	public boolean isUsable() {
		return this.obstacle == null;
	}

	@Override
	public String toString() {
		if (this.obstacle != null) {
			return this.name + " (" + this.reason + ")";
		}
		GidEntry entry = this.gid;
		return this.name + " port " + this.port + ((entry != null)
				? " GID " + entry.index() + " " + entry.gid().toAddress().getHostAddress() + " " + entry.type().label()
				: "");
	}

}
