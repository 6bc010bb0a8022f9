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

import org.jspecify.annotations.Nullable;

/**
 * Where a peer listens.
 *
 * @param host a host name or an IP address, IPv6 without brackets
 * @param port the port, 1 to 65535
 */
record HostAndPort(String host, int port) {

	/**
	 * Parse {@code host:port}, where an IPv6 address stands in brackets.
	 * @param text the text
	 * @return what it says, {@code null} if it is not of that form
	 */
	static @Nullable HostAndPort parse(String text) {
		int colon = text.lastIndexOf(':');
		if (colon < 1) {
			return null;
		}
		String host = text.substring(0, colon);
		boolean bracketed = host.startsWith("[") && host.endsWith("]");
		if (bracketed) {
			host = host.substring(1, host.length() - 1);
		}
		if (host.isBlank() || bracketed != host.contains(":")) {
			return null;
		}
		int port = port(text.substring(colon + 1));
		return (port != -1) ? new HostAndPort(host, port) : null;
	}

	private static int port(String text) {
		if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch((c) -> c >= '0' && c <= '9')) {
			return -1;
		}
		int port = Integer.parseInt(text);
		return (port >= 1 && port <= 65535) ? port : -1;
	}

}
