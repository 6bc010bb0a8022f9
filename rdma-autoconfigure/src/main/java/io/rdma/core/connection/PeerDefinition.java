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

import org.springframework.util.Assert;

/**
 * A peer that is named in the configuration.
 *
 * @param name the name
 * @param host the host name or IP address of its listener
 * @param port the TCP port of its listener, 1 to 65535
 * @param required whether the service is ready only while the peer is connected
 * @param eager whether to connect at start, not at first use
 */
public record PeerDefinition(String name, String host, int port, boolean required, boolean eager) {

	/**
	 * Create a definition.
	 * @param name the name
	 * @param host the host name or IP address of its listener
	 * @param port the TCP port of its listener
	 * @param required whether the service is ready only while the peer is connected
	 * @param eager whether to connect at start
	 */
	public PeerDefinition {
		Assert.hasText(name, "A peer needs a name");
		Assert.hasText(host, "A peer needs a host");
		Assert.isTrue(port >= 1 && port <= 65535, () -> "A port is from 1 to 65535, but " + port + " was given");
	}

	/**
	 * Create the definition of an optional peer that is connected at first use.
	 * @param name the name
	 * @param host the host name or IP address of its listener
	 * @param port the TCP port of its listener
	 */
	public PeerDefinition(String name, String host, int port) {
		this(name, host, port, false, false);
	}

	/**
	 * Return the address as it is configured.
	 * @return host and port
	 */
	public String address() {
		return (this.host.indexOf(':') >= 0) ? "[" + this.host + "]:" + this.port : this.host + ":" + this.port;
	}

}
