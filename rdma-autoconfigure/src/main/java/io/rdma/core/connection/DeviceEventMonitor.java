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

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.rdma.core.completion.RdmaThread;
import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.PortState;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsException;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the asynchronous events of a device, on one thread, and keeps what they say
 * of its health. Can be started and stopped any number of times. Thread-safe.
 */
@Slf4j
public final class DeviceEventMonitor implements AutoCloseable {

	private static final Duration WAIT = Duration.ofMillis(500);

	private static final long JOIN_MILLIS = 5000;

	private final DeviceContext context;

	private final int port;

	private final List<Consumer<AsyncEvent>> listeners = new CopyOnWriteArrayList<>();

	private final Map<AsyncEventType, Long> counts = new EnumMap<>(AsyncEventType.class);

	private final Object lifecycle = new Object();

	private @Nullable Thread thread;

	private volatile boolean running;

	private volatile boolean deviceFatal;

	private volatile boolean completionQueueFailed;

	private volatile PortState portState = PortState.NOP;

	/**
	 * Create a monitor that is not started.
	 * @param context the device
	 * @param port the port that is used
	 */
	public DeviceEventMonitor(DeviceContext context, int port) {
		this.context = context;
		this.port = port;
	}

	/**
	 * Start to wait for events. Starting twice is harmless.
	 */
	public void start() {
		synchronized (this.lifecycle) {
			if (this.running) {
				return;
			}
			this.deviceFatal = false;
			this.completionQueueFailed = false;
			readPortState();
			this.running = true;
			Thread starting = new RdmaThread(this::run, "rdma-events");
			this.thread = starting;
			starting.start();
		}
	}

	/**
	 * Stop. Stopping twice is harmless.
	 */
	public void stop() {
		synchronized (this.lifecycle) {
			Thread stopping = this.thread;
			this.running = false;
			this.thread = null;
			if (stopping == null || stopping == Thread.currentThread()) {
				return;
			}
			stopping.interrupt();
			try {
				stopping.join(JOIN_MILLIS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Return whether it is started.
	 * @return whether it is started
	 */
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Return whether the device failed as a whole.
	 * @return whether it did, since the last start
	 */
	public boolean deviceFatal() {
		return this.deviceFatal;
	}

	/**
	 * Return whether a completion queue overran or failed.
	 * @return whether one did, since the last start
	 */
	public boolean completionQueueFailed() {
		return this.completionQueueFailed;
	}

	/**
	 * Return the state of the port as last known. Never asks the device.
	 * @return the state, {@link PortState#NOP} if it was never started
	 */
	public PortState portState() {
		return this.portState;
	}

	/**
	 * Return how many events of each type came.
	 * @return the numbers; types of which none came are not present
	 */
	public Map<AsyncEventType, Long> counts() {
		synchronized (this.counts) {
			return new EnumMap<>(this.counts);
		}
	}

	/**
	 * Add a listener, called on the monitor's thread: must be short and must not wait.
	 * @param listener the listener
	 */
	public void addListener(Consumer<AsyncEvent> listener) {
		this.listeners.add(listener);
	}

	/**
	 * Remove a listener.
	 * @param listener the listener
	 */
	public void removeListener(Consumer<AsyncEvent> listener) {
		this.listeners.remove(listener);
	}

	private void run() {
		while (this.running) {
			try {
				AsyncEvent event = this.context.awaitAsyncEvent(WAIT);
				if (event != null) {
					handle(event);
				}
				else if (!this.context.isOpen()) {
					return;
				}
			}
			catch (InterruptedException ex) {
				logger.trace("The wait for events was interrupted, which only stop() does", ex);
			}
			catch (ResourceClosedException ex) {
				return;
			}
			catch (VerbsException ex) {
				logger.error("The events of device {} can no longer be waited for", this.context.device().name(), ex);
				this.deviceFatal = true;
				return;
			}
		}
	}

	private void handle(AsyncEvent event) {
		synchronized (this.counts) {
			this.counts.merge(event.type(), 1L, Long::sum);
		}
		switch (event.type()) {
			case DEVICE_FATAL -> this.deviceFatal = true;
			case CQ_ERR -> this.completionQueueFailed = true;
			case PORT_ACTIVE, PORT_ERR, LID_CHANGE, CLIENT_REREGISTER, SM_CHANGE, GID_CHANGE, PKEY_CHANGE ->
				readPortState();
			default -> logger.debug("Device {} raised {}", this.context.device().name(), event);
		}
		for (Consumer<AsyncEvent> listener : this.listeners) {
			try {
				listener.accept(event);
			}
			catch (RuntimeException ex) {
				logger.error("A listener for events of device {} failed", this.context.device().name(), ex);
			}
		}
	}

	private void readPortState() {
		try {
			this.portState = this.context.queryPort(this.port).state();
		}
		catch (VerbsException | ResourceClosedException ex) {
			logger.warn("Port {} of device {} cannot be queried: {}", this.port, this.context.device().name(),
					ex.getMessage());
			this.portState = PortState.DOWN;
		}
	}

	@Override
	public void close() {
		stop();
	}

}
