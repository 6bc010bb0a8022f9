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

package io.rdma.listener;

import java.time.Duration;
import java.util.function.Predicate;

import io.rdma.core.RdmaOperations;
import io.rdma.core.connection.RdmaConnections;
import lombok.RequiredArgsConstructor;
import lombok.Setter;

/**
 * Makes the containers of listener methods.
 */
@RequiredArgsConstructor
@Setter
public class RdmaListenerContainerFactory {

	private final RdmaConnections connections;

	private final RdmaOperations operations;

	/**
	 * Takes what listener methods throw. By default it is logged.
	 */
	private RdmaListenerErrorHandler errorHandler = new LoggingRdmaListenerErrorHandler();

	/**
	 * Whether listeners are started with the application.
	 */
	private boolean autoStartup = true;

	/**
	 * How long to wait for a listener method when it is stopped, 10 s by default.
	 */
	private Duration shutdownTimeout = Duration.ofSeconds(10);

	/**
	 * Make a container, not started.
	 * @param endpoint what it calls
	 * @param peers says by name which peers it takes the messages of
	 * @return the container
	 */
	public RdmaListenerContainer createContainer(RdmaListenerEndpoint endpoint, Predicate<String> peers) {
		return new RdmaListenerContainer(endpoint, peers, this.connections, this.operations, this.errorHandler,
				this.autoStartup, this.shutdownTimeout);
	}

}
