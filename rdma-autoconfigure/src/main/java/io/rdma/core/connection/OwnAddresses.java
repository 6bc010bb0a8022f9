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

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Tells addresses of this machine from those of others. A container with a network of its
 * own counts as a machine.
 */
@Slf4j
final class OwnAddresses {

	private OwnAddresses() {
	}

	/**
	 * Return whether an address is one of this machine.
	 * @param address the address
	 * @return whether a socket can be bound to it; {@code false} if the system does not
	 * tell
	 */
	static boolean contains(InetAddress address) {
		if (address.isLoopbackAddress()) {
			return true;
		}
		try {
			return NetworkInterface.getByInetAddress(address) != null;
		}
		catch (SocketException ex) {
			logger.debug("The network interface of {} cannot be found", address, ex);
			return false;
		}
	}

	/**
	 * Return whether the other end of a connection is on this machine.
	 * @param address the address of the other end, {@code null} if it is not known
	 * @return whether it is
	 */
	static boolean contains(@Nullable InetSocketAddress address) {
		return address != null && contains(address.getAddress());
	}

}
