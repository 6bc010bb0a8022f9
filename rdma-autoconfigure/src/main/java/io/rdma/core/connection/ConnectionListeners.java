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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

import lombok.extern.slf4j.Slf4j;

/**
 * Tells listeners of events: some at once, some on the application executor in the order
 * of events. Thread-safe.
 */
@Slf4j
final class ConnectionListeners {

	private final SerialExecutor executor;

	private final List<ConnectionListener> listeners = new CopyOnWriteArrayList<>();

	private final List<ConnectionListener> internal = new CopyOnWriteArrayList<>();

	ConnectionListeners(Executor applicationExecutor) {
		this.executor = new SerialExecutor(applicationExecutor);
	}

	void add(ConnectionListener listener) {
		this.listeners.add(listener);
	}

	void addInternal(ConnectionListener listener) {
		this.internal.add(listener);
	}

	void remove(ConnectionListener listener) {
		this.listeners.remove(listener);
		this.internal.remove(listener);
	}

	void publish(ConnectionEvent event) {
		for (ConnectionListener listener : this.internal) {
			tell(listener, event);
		}
		if (!this.listeners.isEmpty()) {
			this.executor.execute(() -> this.listeners.forEach((listener) -> tell(listener, event)));
		}
	}

	private static void tell(ConnectionListener listener, ConnectionEvent event) {
		try {
			listener.onConnectionEvent(event);
		}
		catch (RuntimeException ex) {
			logger.error("A listener for connection events failed", ex);
		}
	}

}
