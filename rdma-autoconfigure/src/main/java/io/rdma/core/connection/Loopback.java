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

import io.rdma.core.exception.RdmaConfigurationException;

/**
 * Keeps connections on this machine: before there is TLS or a token, nothing else is
 * safe.
 */
final class Loopback {

	private Loopback() {
	}

	/**
	 * Check that an address is one of this machine only.
	 * @param property the setting that has it
	 * @param value the value of the setting
	 * @param address the address
	 * @throws RdmaConfigurationException if it is not
	 */
	static void check(String property, String value, InetAddress address) {
		if (!address.isLoopbackAddress()) {
			throw new RdmaConfigurationException(property, value,
					address.getHostAddress() + " is not a loopback address, and connections between machines need TLS "
							+ "or a token, which this version does not have",
					"Use localhost, 127.0.0.1 or ::1.");
		}
	}

}
