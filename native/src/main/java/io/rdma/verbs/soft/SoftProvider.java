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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.Errno;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.TransportType;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.jni.LibrarySettings;
import io.rdma.verbs.jni.SharedLibrary;
import io.rdma.verbs.soft.net.Impairment;
import io.rdma.verbs.soft.shm.SharedMemoryOptions;
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

	/** Ethernet carries the headers of IPv6 and all of RoCEv2 beside the payload. */
	private static final int MAX_HEADERS = 80;

	private final DeviceInfo device;

	private final List<GidEntry> gids;

	private final SoftOptions options;

	private final PathMtu activeMtu;

	/**
	 * Create a provider whose device has the loopback address 127.0.0.1.
	 */
	public SoftProvider() {
		this(builder().options());
	}

	/**
	 * Create a provider whose device has a given address.
	 * @param address the address of this machine that stands in the GID table
	 */
	public SoftProvider(InetAddress address) {
		this(builder().address(address).options());
	}

	private SoftProvider(SoftOptions options) {
		long guid = RandomNumbers.guid();
		NetworkInterface network = networkInterface(options.address());
		String netdev = (network != null) ? network.getName() : null;
		this.options = options;
		this.activeMtu = activeMtu(network);
		this.device = new DeviceInfo(DEVICE_NAME, guid, TransportType.INFINIBAND, netdev, -1);
		this.gids = List.of(new GidEntry(0, new Gid(LINK_LOCAL, guid), GidType.ROCE_V2, netdev),
				new GidEntry(1, Gid.of(options.address()), GidType.ROCE_V2, netdev));
	}

	/**
	 * Return a builder of providers whose devices are made in another way.
	 * @return the builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	private static InetAddress loopback() {
		return new Gid(0, 0x0000_ffff_7f00_0001L).toAddress();
	}

	private static @Nullable NetworkInterface networkInterface(InetAddress address) {
		try {
			return NetworkInterface.getByInetAddress(address);
		}
		catch (SocketException ex) {
			logger.debug("The network interface of {} cannot be found", address, ex);
			return null;
		}
	}

	/**
	 * Return the largest MTU whose packets, with all headers, fit the frames of a
	 * network.
	 */
	private static PathMtu activeMtu(@Nullable NetworkInterface network) {
		try {
			int frame = (network != null) ? network.getMTU() : Integer.MAX_VALUE;
			PathMtu largest = PathMtu.MTU_256;
			for (PathMtu mtu : PathMtu.values()) {
				if (mtu.bytes() <= frame - MAX_HEADERS) {
					largest = mtu;
				}
			}
			return largest;
		}
		catch (SocketException ex) {
			logger.debug("The MTU of {} cannot be found", network, ex);
			return PathMtu.MTU_1024;
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
		if (this.options.library() != null) {
			// it is loaded when a path needs it
			SharedLibrary.prefer(this.options.library());
		}
		return new SoftDeviceContext(this.device, this.gids, this.activeMtu, this.options);
	}

	/**
	 * Builds providers. Not thread-safe.
	 */
	public static final class Builder {

		private InetAddress address = loopback();

		private @Nullable Integer port;

		private Set<PathKind> paths = EnumSet.of(PathKind.PROCESS, PathKind.SHARED_MEMORY, PathKind.WIRE);

		private boolean nativeSockets = true;

		private Impairment impairment = Impairment.none();

		private SharedMemoryOptions sharedMemory = SharedMemoryOptions.defaults();

		private @Nullable LibrarySettings library;

		private Builder() {
		}

		/**
		 * Set the address of this machine that stands in the GID table, and that the
		 * socket is bound to. The default is 127.0.0.1.
		 * @param newAddress the address
		 * @return this builder
		 */
		public Builder address(InetAddress newAddress) {
			this.address = newAddress;
			return this;
		}

		/**
		 * Set the UDP port that the device must have. By default it has 4791, the one of
		 * RoCEv2, or any other if that is taken: software devices tell each other which.
		 * @param newPort the port, 1 to 65535
		 * @return this builder
		 */
		public Builder port(int newPort) {
			this.port = newPort;
			return this;
		}

		/**
		 * Set by which paths the device may reach its peers. The default is by all.
		 * @param newPaths the paths, at least one
		 * @return this builder
		 */
		public Builder paths(Set<PathKind> newPaths) {
			this.paths = EnumSet.copyOf(newPaths);
			return this;
		}

		/**
		 * Set whether the native library may be used for the socket, as it is by default.
		 * @param newNativeSockets whether it may
		 * @return this builder
		 */
		public Builder nativeSockets(boolean newNativeSockets) {
			this.nativeSockets = newNativeSockets;
			return this;
		}

		/**
		 * Set what impairs the packets that leave the device, to see what follows. The
		 * default is nothing.
		 * @param newImpairment the impairment
		 * @return this builder
		 */
		public Builder impairment(Impairment newImpairment) {
			this.impairment = newImpairment;
			return this;
		}

		/**
		 * Set how the device shares memory with other processes. By default it does so in
		 * the best way that the machine has.
		 * @param newSharedMemory the options
		 * @return this builder
		 */
		public Builder sharedMemory(SharedMemoryOptions newSharedMemory) {
			this.sharedMemory = newSharedMemory;
			return this;
		}

		/**
		 * Set where the native library is, which is loaded when a path first needs it. By
		 * default system properties say so. The first settings with which it is loaded
		 * hold for all of the process.
		 * @param newLibrary where it is
		 * @return this builder
		 */
		public Builder library(LibrarySettings newLibrary) {
			this.library = newLibrary;
			return this;
		}

		private SoftOptions options() {
			return new SoftOptions(this.address, this.port, Set.copyOf(this.paths), this.nativeSockets, this.impairment,
					this.sharedMemory, this.library);
		}

		/**
		 * Return the provider.
		 * @return the provider
		 */
		public SoftProvider build() {
			return new SoftProvider(options());
		}

	}

}
