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
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import io.rdma.core.RdmaMessage;
import io.rdma.core.RdmaOperations;
import io.rdma.core.connection.InboundMessage;
import io.rdma.core.connection.Inbox;
import io.rdma.core.connection.RdmaConnections;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

import org.springframework.context.Lifecycle;

/**
 * Calls one listener method with the messages of its peers. Can be started and stopped
 * any number of times. Thread-safe.
 */
@Slf4j
public final class RdmaListenerContainer implements Lifecycle {

	/**
	 * After so many messages of one peer the executor can do something else.
	 */
	private static final int BATCH = 64;

	private final Map<String, PeerListener> listeners = new ConcurrentHashMap<>();

	private final AtomicBoolean registered = new AtomicBoolean();

	private final AtomicBoolean warnedOfMissingReply = new AtomicBoolean();

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition idle = this.lock.newCondition();

	/**
	 * Threads that are in the listener method.
	 */
	private final Set<Thread> active = new HashSet<>();

	private final RdmaListenerEndpoint endpoint;

	private final Predicate<String> peers;

	private final RdmaConnections connections;

	private final RdmaOperations operations;

	private final RdmaListenerErrorHandler errorHandler;

	private final boolean autoStartup;

	private final Duration shutdownTimeout;

	private volatile boolean running;

	RdmaListenerContainer(RdmaListenerEndpoint endpoint, Predicate<String> peers, RdmaConnections connections,
			RdmaOperations operations, RdmaListenerErrorHandler errorHandler, boolean autoStartup,
			Duration shutdownTimeout) {
		this.endpoint = endpoint;
		this.peers = peers;
		this.connections = connections;
		this.operations = operations;
		this.errorHandler = errorHandler;
		this.autoStartup = autoStartup;
		this.shutdownTimeout = shutdownTimeout;
	}

	/**
	 * Return the name of the listener.
	 * @return the name
	 */
	public String id() {
		return this.endpoint.id();
	}

	/**
	 * Return what is called.
	 * @return the endpoint
	 */
	public RdmaListenerEndpoint endpoint() {
		return this.endpoint;
	}

	/**
	 * Return whether it is started with the application.
	 * @return whether the registry starts it
	 */
	public boolean isAutoStartup() {
		return this.autoStartup;
	}

	@Override
	public void start() {
		// calls to the connections are made without the lock, which their threads need
		// too
		if (this.running) {
			return;
		}
		this.running = true;
		if (this.registered.compareAndSet(false, true)) {
			this.endpoint.peers().forEach(this.connections::inbox);
			this.connections.addInboxListener(this::listen);
		}
		this.listeners.values().forEach(PeerListener::resume);
	}

	private void listen(Inbox inbox) {
		if (this.peers.test(inbox.peer())) {
			PeerListener listener = this.listeners.computeIfAbsent(inbox.peer(), (peer) -> new PeerListener(inbox));
			if (this.running) {
				listener.resume();
			}
		}
	}

	/**
	 * Stop: no more messages are taken, and calls of the method that are under way are
	 * waited for, up to the shutdown timeout. Messages that come meanwhile are kept for
	 * the next start.
	 */
	@Override
	public void stop() {
		if (!this.running) {
			return;
		}
		this.running = false;
		this.listeners.values().forEach(PeerListener::pause);
		this.lock.lock();
		try {
			awaitIdle();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void awaitIdle() throws InterruptedException {
		long remaining = this.shutdownTimeout.toNanos();
		while (!isIdle() && remaining > 0) {
			remaining = this.idle.awaitNanos(remaining);
		}
		if (!isIdle()) {
			logger.warn("Listener '{}' is still in {} after {} ms; it is stopped without waiting for it", id(),
					RdmaListenerEndpoint.describe(this.endpoint.method()), this.shutdownTimeout.toMillis());
		}
	}

	private boolean isIdle() {
		// a listener that stops its own container must not wait for itself
		return this.active.isEmpty() || (this.active.size() == 1 && this.active.contains(Thread.currentThread()));
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	private boolean enter() {
		this.lock.lock();
		try {
			return this.running && this.active.add(Thread.currentThread());
		}
		finally {
			this.lock.unlock();
		}
	}

	private void leave() {
		this.lock.lock();
		try {
			this.active.remove(Thread.currentThread());
			this.idle.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void handle(RdmaMessage message) {
		try {
			Object result = this.endpoint.invoke(message, this.operations);
			if (message.isReplyRequested()) {
				reply(message, result);
			}
		}
		catch (Throwable ex) {
			handle(message, ex);
		}
	}

	private void reply(RdmaMessage message, @Nullable Object result) {
		if (result != null) {
			this.operations.convertAndReply(message, result);
		}
		else if (this.warnedOfMissingReply.compareAndSet(false, true)) {
			logger
				.warn("Listener '{}' returned nothing for a message of peer '{}' that asks for a reply: the peer waits "
						+ "until its time limit. This is not repeated", id(), message.peer());
		}
	}

	private void handle(RdmaMessage message, Throwable failure) {
		try {
			this.errorHandler.handle(id(), message, failure);
		}
		catch (Throwable ex) {
			ex.addSuppressed(failure);
			logger.error("The error handler of listener '{}' failed", id(), ex);
		}
	}

	/**
	 * Takes the messages of one peer.
	 */
	private final class PeerListener implements Runnable {

		private final ReentrantLock oneAtATime = new ReentrantLock();

		private final Inbox inbox;

		private PeerListener(Inbox inbox) {
			this.inbox = inbox;
		}

		private void resume() {
			this.inbox.onAvailable(this);
		}

		private void pause() {
			this.inbox.onAvailable(null);
		}

		@Override
		public void run() {
			// held by a call that outlived a stop, if at all
			this.oneAtATime.lock();
			try {
				int count = 0;
				while (count < BATCH && handleNext()) {
					count++;
				}
				if (count == BATCH && isRunning()) {
					resume();
				}
			}
			finally {
				this.oneAtATime.unlock();
			}
		}

		private boolean handleNext() {
			if (!enter()) {
				return false;
			}
			try {
				InboundMessage message = this.inbox.poll();
				if (message != null) {
					handle(RdmaMessage.of(message));
				}
				return message != null;
			}
			finally {
				leave();
			}
		}

	}

}
