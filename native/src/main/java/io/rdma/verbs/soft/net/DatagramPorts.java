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
import java.net.InetSocketAddress;

/**
 * Opens datagram ports.
 */
public final class DatagramPorts {

	private DatagramPorts() {
	}

	/**
	 * Open a socket and bind it.
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
		throw new IOException("A socket for " + address + " cannot be opened" + nativeSockets);
	}

}
