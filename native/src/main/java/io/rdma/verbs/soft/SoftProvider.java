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

package io.rdma.verbs.soft;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.Errno;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import io.rdma.verbs.TransportType;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsProvider;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * The provider of the software device. It has one device, {@value #DEVICE_NAME}, which
 * needs no hardware, no driver and no privilege. Each opening gives a context of its own;
 * all contexts in one JVM reach each other. Thread-safe.
 */
@Slf4j
public final class SoftProvider implements VerbsProvider {

	/**
	 * Name of the provider.
	 */
	public static final String NAME = "soft";

	/**
	 * Name of the device.
	 */
	public static final String DEVICE_NAME = "soft0";

	/** Prefix of link-local addresses. */
	private static final long LINK_LOCAL = 0xfe80_0000_0000_0000L;

	private final DeviceInfo device;

	private final List<GidEntry> gids;

	/**
	 * Create a provider whose device has the loopback address 127.0.0.1.
	 */
	public SoftProvider() {
		this(loopback());
	}

	/**
	 * Create a provider whose device has a given address.
	 * @param address the address of this machine that stands in the GID table
	 */
	public SoftProvider(InetAddress address) {
		long guid = RandomNumbers.guid();
		String netdev = netdev(address);
		this.device = new DeviceInfo(DEVICE_NAME, guid, TransportType.INFINIBAND, netdev, -1);
		this.gids = List.of(new GidEntry(0, new Gid(LINK_LOCAL, guid), GidType.ROCE_V2, netdev),
				new GidEntry(1, Gid.of(address), GidType.ROCE_V2, netdev));
	}

	private static InetAddress loopback() {
		return new Gid(0, 0x0000_ffff_7f00_0001L).toAddress();
	}

	private static @Nullable String netdev(InetAddress address) {
		try {
			NetworkInterface network = NetworkInterface.getByInetAddress(address);
			return (network != null) ? network.getName() : null;
		}
		catch (SocketException ex) {
			logger.debug("The network interface of {} cannot be found", address, ex);
			return null;
		}
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public @Nullable Throwable unavailabilityCause() {
		return null;
	}

	@Override
	public List<DeviceInfo> devices() {
		return List.of(this.device);
	}

	@Override
	public SoftDeviceContext open(String deviceName) {
		if (!DEVICE_NAME.equals(deviceName)) {
			throw new VerbsException("ibv_open_device", Errno.ENODEV, "The software provider has no device '"
					+ deviceName + "'; the only one it has is '" + DEVICE_NAME + "'");
		}
		return new SoftDeviceContext(this.device, this.gids);
	}

}
