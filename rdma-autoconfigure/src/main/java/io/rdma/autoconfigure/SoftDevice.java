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

package io.rdma.autoconfigure;

import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.stream.Collectors;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.verbs.Gid;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.jni.LibrarySettings;
import io.rdma.verbs.soft.SoftProvider;
import lombok.RequiredArgsConstructor;

import org.springframework.util.Assert;

/**
 * Makes the software device that the settings describe.
 */
@RequiredArgsConstructor
final class SoftDevice {

	private static final String ADDRESS = "rdma.soft.address";

	/** 127.0.0.1, whatever the JVM prefers. */
	private static final InetAddress LOOPBACK = new Gid(0, 0xffff_7f00_0001L).toAddress();

	private final RdmaProperties properties;

	/**
	 * Return whether the software device is asked for, so that settings which name a
	 * device mean it.
	 * @return whether no other device will do
	 */
	boolean isAskedFor() {
		return this.properties.getProvider() == RdmaProperties.Provider.SOFT
				|| SoftProvider.DEVICE_NAME.equals(this.properties.getDevice().getName());
	}

	/**
	 * Make the software device.
	 * @return its provider
	 * @throws RdmaConfigurationException if this machine does not have its address, or
	 * the port is taken
	 */
	SoftProvider create() {
		RdmaProperties.Soft settings = this.properties.getSoft();
		RdmaProperties.NativeLibraries libraries = this.properties.getNative();
		SoftProvider.Builder builder = SoftProvider.builder()
			.library(new LibrarySettings(libraries.getLibraryPath(), libraries.getWorkDirectory()));
		InetAddress address = address();
		builder.address(address);
		if (settings.getPort() != null) {
			checkFree(address, settings.getPort());
			builder.port(settings.getPort());
		}
		if (!settings.isSharedMemory()) {
			builder.paths(EnumSet.of(PathKind.PROCESS, PathKind.WIRE));
		}
		return builder.build();
	}

	/**
	 * Check that the port can be had, since the device takes it only with the first
	 * connection.
	 */
	private static void checkFree(InetAddress address, int port) {
		try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(address, port))) {
			Assert.state(socket.isBound(), "The socket is bound");
		}
		catch (SocketException ex) {
			throw new RdmaConfigurationException("rdma.soft.port", port,
					"the software device cannot have this UDP port at " + address.getHostAddress() + ": "
							+ ex.getMessage(),
					"Stop the process that uses it, set another port, or remove it to have one chosen. Soft-RoCE of "
							+ "the kernel has 4791 at all addresses of the machine.",
					ex);
		}
	}

	private InetAddress address() {
		InetAddress address = this.properties.getSoft().getAddress();
		if (address != null) {
			return checked(ADDRESS, address);
		}
		RdmaProperties.Device device = this.properties.getDevice();
		if (isAskedFor() && device.getIp() != null) {
			return checked("rdma.device.ip", device.getIp());
		}
		return (isAskedFor() && device.getNetdev() != null) ? firstOf(device.getNetdev()) : LOOPBACK;
	}

	private static InetAddress checked(String property, InetAddress address) {
		try {
			// of the addresses that mean loopback the system lists one
			if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
				return address;
			}
			throw new RdmaConfigurationException(property, address.getHostAddress(),
					"no network interface of this machine has it, so the software device cannot",
					"Use one of " + addresses() + ", or remove it for loopback.");
		}
		catch (SocketException ex) {
			throw unknown(property, address.getHostAddress(), ex);
		}
	}

	private static InetAddress firstOf(String netdev) {
		String property = "rdma.device.netdev";
		try {
			NetworkInterface network = NetworkInterface.getByName(netdev);
			if (network == null) {
				throw new RdmaConfigurationException(property, netdev, "this machine has no such network interface",
						"Use one of " + addresses() + ", or remove it for loopback.");
			}
			return network.inetAddresses()
				.filter((address) -> !address.isLinkLocalAddress())
				.min(Comparator.comparing((address) -> !(address instanceof Inet4Address)))
				.orElseThrow(() -> new RdmaConfigurationException(property, netdev,
						"it has no address that can be routed, so the software device cannot have it",
						"Give it an IP address, or use one of " + addresses() + "."));
		}
		catch (SocketException ex) {
			throw unknown(property, netdev, ex);
		}
	}

	private static String addresses() {
		try {
			return NetworkInterface.networkInterfaces()
				.flatMap((network) -> network.inetAddresses()
					.filter((address) -> !address.isLinkLocalAddress())
					.map((address) -> text(address) + " (" + network.getName() + ")"))
				.limit(16)
				.collect(Collectors.joining(", "));
		}
		catch (SocketException ex) {
			return "those that the system shows";
		}
	}

	private static String text(InetAddress address) {
		String text = address.getHostAddress();
		int scope = text.indexOf('%');
		return (scope < 0) ? text : text.substring(0, scope);
	}

	private static RdmaConfigurationException unknown(String property, String value, SocketException cause) {
		return new RdmaConfigurationException(property, value,
				"the system does not tell the addresses of this machine: " + cause.getMessage(),
				"Remove it for loopback.", cause);
	}

}
