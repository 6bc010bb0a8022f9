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

import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.connection.RdmaServer;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops what runs: completion queue poller, device event monitor, connections
 * and server, in this order and stopped in reverse. Starts before and stops after all
 * that may use operations, listeners and the web server among them. Can be started again,
 * since Spring pauses test contexts that are not in use.
 */
@RequiredArgsConstructor
final class RdmaLifecycle implements SmartLifecycle {

	/**
	 * Lower than that of anything that uses operations.
	 */
	static final int PHASE = Integer.MIN_VALUE + 1000;

	private final CompletionQueuePoller poller;

	private final DeviceEventMonitor monitor;

	private final RdmaConnections connections;

	private final @Nullable RdmaServer server;

	private volatile boolean running;

	@Override
	public void start() {
		this.poller.start();
		this.monitor.start();
		this.connections.start();
		if (this.server != null) {
			this.server.start();
		}
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		try {
			if (this.server != null) {
				this.server.stop();
			}
			this.connections.stop();
		}
		finally {
			this.monitor.stop();
			this.poller.stop();
		}
	}

	@Override
	public void stop(Runnable callback) {
		try {
			stop();
		}
		finally {
			callback.run();
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
