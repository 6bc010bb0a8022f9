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
package io.rdma.verbs.soft.net;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rdma.verbs.jni.NativeLibraryException;
import io.rdma.verbs.jni.SharedLibrary;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Opens datagram ports.
 */
@Slf4j
public final class DatagramPorts {

	/** How much the system is asked to buffer each way, in bytes. */
	static final int BUFFER_SIZE = 8 << 20;

	private static final AtomicBoolean reasonGiven = new AtomicBoolean();

	private DatagramPorts() {
	}

	/**
	 * Open a socket and bind it. If the native library is wanted and cannot be used, that
	 * is logged, once in a process.
	 * @param address the address to bind to, which must be one of this machine and not
	 * the wildcard; a link-local one with its interface, as in {@code fe80::1%eth0}; port
	 * 0 for any
	 * @param nativeSockets whether to use the native library if it is there
	 * @return the port
	 * @throws java.net.BindException if the address cannot be had; the message names it
	 * and says why
	 * @throws IOException if there can be no socket
	 */
	public static DatagramPort open(InetSocketAddress address, boolean nativeSockets) throws IOException {
		check(address);
		if (!nativeSockets) {
			return ChannelDatagramPort.open(address);
		}
		NativeLibraryException cause = SharedLibrary.load();
		if (cause == null) {
			return NativeDatagramPort.open(address);
		}
		DatagramPort port = ChannelDatagramPort.open(address);
		if (reasonGiven.compareAndSet(false, true)) {
			logger.info("The software device uses the UDP channels of Java, {}: {}",
					port.isExact() ? "which are slower" : "which are slower and do not make exact RoCEv2",
					cause.getMessage());
		}
		return port;
	}

	private static void check(InetSocketAddress address) throws IOException {
		InetAddress host = address.getAddress();
		String reason = reason(host);
		if (reason != null) {
			throw BindFailure.of(address, reason);
		}
	}

	private static @Nullable String reason(@Nullable InetAddress host) {
		if (host == null) {
			return "the name has no address; check it, or give the address";
		}
		if (host.isAnyLocalAddress()) {
			return "it stands for all addresses, and the check value of a packet covers the one that it is from; give "
					+ "one address of this machine";
		}
		if (host.isMulticastAddress()) {
			return "it is a multicast address; give one address of this machine";
		}
		if (host.isLinkLocalAddress() && host instanceof Inet6Address v6 && v6.getScopeId() == 0) {
			return "it is link-local, so its network interface must be given too, as in " + host.getHostAddress()
					+ "%eth0";
		}
		return null;
	}

}
