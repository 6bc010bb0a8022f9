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

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.exception.RdmaException;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * A configured peer: its connection, the attempt to make one that is under way, and when
 * to try again. Thread-safe.
 */
@Slf4j
final class PeerLink {

	private final PeerDefinition definition;

	private final RunningConnections connections;

	private final long firstDelay;

	private final long maxDelay;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile @Nullable RdmaConnection connection;

	private @Nullable CompletableFuture<RdmaConnection> attempt;

	private ConnectionState state = ConnectionState.NEVER_USED;

	private Instant since = Instant.now();

	private @Nullable String reason;

	private @Nullable String loggedReason;

	private long attempts;

	private long reconnects;

	private boolean connectedOnce;

	private long delay;

	private long nextAttempt = System.nanoTime();

	PeerLink(PeerDefinition definition, RunningConnections connections, ConnectionSettings settings) {
		this.definition = definition;
		this.connections = connections;
		this.firstDelay = settings.recoveryDelay().toNanos();
		this.maxDelay = settings.maxRecoveryDelay().toNanos();
		this.delay = this.firstDelay;
	}

	PeerDefinition definition() {
		return this.definition;
	}

	String name() {
		return this.definition.name();
	}

	/**
	 * Return the connection if it can be used.
	 * @return the connection or {@code null}
	 */
	@Nullable RdmaConnection ready() {
		RdmaConnection current = this.connection;
		return (current != null && current.state() == ConnectionState.READY) ? current : null;
	}

	/**
	 * Make a connection, or join the attempt that is under way.
	 * @return what becomes of it
	 */
	CompletableFuture<RdmaConnection> connect() {
		CompletableFuture<RdmaConnection> started;
		this.lock.lock();
		try {
			RdmaConnection current = ready();
			if (current != null) {
				return CompletableFuture.completedFuture(current);
			}
			CompletableFuture<RdmaConnection> underWay = this.attempt;
			if (underWay != null) {
				return underWay;
			}
			started = new CompletableFuture<>();
			this.attempt = started;
			// what becomes of the old one no longer matters
			this.connection = null;
			this.attempts++;
			go(ConnectionState.CONNECTING, null, null);
		}
		finally {
			this.lock.unlock();
		}
		this.connections.startAttempt(this, started);
		return started;
	}

	/**
	 * Take a connection that is proven to work.
	 * @param made the connection
	 * @return whether it can be used
	 */
	boolean adopt(RdmaConnection made) {
		this.connection = made;
		return made.life().ready();
	}

	void succeeded(CompletableFuture<RdmaConnection> ended, RdmaConnection made) {
		this.lock.lock();
		try {
			this.attempt = null;
			if (this.connectedOnce) {
				this.reconnects++;
			}
			this.connectedOnce = true;
			this.delay = this.firstDelay;
			this.loggedReason = null;
		}
		finally {
			this.lock.unlock();
		}
		ended.complete(made);
	}

	void failed(CompletableFuture<RdmaConnection> ended, Exception exception) {
		String text = (exception instanceof HandshakeException handshake) ? handshake.problem()
				: String.valueOf(exception.getMessage());
		this.lock.lock();
		try {
			this.attempt = null;
			scheduleAttempt();
			go(ConnectionState.LOST, text, (exception instanceof RdmaException rdma) ? rdma : null);
			if (!text.equals(this.loggedReason) && !this.connections.isDraining()) {
				this.loggedReason = text;
				logger.warn("Peer '{}' at {} could not be connected: {}", name(), this.definition.address(), text);
			}
		}
		finally {
			this.lock.unlock();
		}
		ended.completeExceptionally(exception);
	}

	/**
	 * Take note of a change of the connection. Called with the connection's own lock
	 * held.
	 * @param changed the connection
	 * @param to its state
	 * @param text why
	 */
	void changed(RdmaConnection changed, ConnectionState to, @Nullable String text) {
		this.lock.lock();
		try {
			if (this.connection != changed) {
				return;
			}
			this.state = to;
			this.since = changed.since();
			this.reason = text;
			if (to == ConnectionState.READY) {
				this.reason = null;
			}
			if (to == ConnectionState.LOST) {
				this.delay = this.firstDelay;
				scheduleAttempt();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void scheduleAttempt() {
		// spread, so that many peers do not come back at the same moment
		long spread = ThreadLocalRandom.current().nextLong(Math.max(1, this.delay / 8));
		this.nextAttempt = System.nanoTime() + this.delay + spread;
		this.delay = Math.min(2 * this.delay, this.maxDelay);
	}

	private void go(ConnectionState to, @Nullable String text, @Nullable RdmaException cause) {
		ConnectionState from = this.state;
		this.state = to;
		this.since = Instant.now();
		if (text != null) {
			this.reason = text;
		}
		this.connections.publish(new ConnectionEvent(name(), null, from, to, null, text, cause));
	}

	/**
	 * Make a connection in the background if it is time to.
	 * @param now the time
	 */
	void tick(long now) {
		boolean due;
		this.lock.lock();
		try {
			boolean wanted = this.definition.required() || this.definition.eager() || this.connectedOnce;
			boolean missing = this.state == ConnectionState.LOST || this.state == ConnectionState.NEVER_USED;
			due = wanted && missing && this.attempt == null && now - this.nextAttempt >= 0;
		}
		finally {
			this.lock.unlock();
		}
		if (due) {
			CompletableFuture<RdmaConnection> background = connect();
			logger.trace("Peer '{}' is tried in the background: {}", name(), background);
		}
	}

	/**
	 * Try again at once: something that kept the peer away is over.
	 */
	void hurry() {
		this.lock.lock();
		try {
			this.delay = this.firstDelay;
			this.nextAttempt = System.nanoTime();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Take note that the service stops.
	 */
	void closed() {
		this.lock.lock();
		try {
			if (this.state != ConnectionState.NEVER_USED && this.state != ConnectionState.CLOSED) {
				go(ConnectionState.CLOSED, "the service stopped", null);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	PeerStatus status() {
		RdmaConnection current = this.connection;
		this.lock.lock();
		try {
			boolean live = current != null && !current.isReleased();
			return new PeerStatus(name(), this.definition.address(), this.definition.required(), false, this.state,
					(current != null && live) ? current.queuePairState() : null,
					(current != null && live) ? current.path() : null, this.since, this.reason, this.attempts,
					this.reconnects, this.connectedOnce);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Nullable String reason() {
		this.lock.lock();
		try {
			return this.reason;
		}
		finally {
			this.lock.unlock();
		}
	}

}
