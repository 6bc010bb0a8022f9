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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.rdma.core.completion.RdmaThreads;
import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConnectException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.exception.UnknownRdmaPeerException;
import io.rdma.verbs.AsyncEvent;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * What {@link RdmaConnections} has between start and stop: threads, connections,
 * attempts. Thread-safe.
 */
@Slf4j
final class RunningConnections implements ConnectionOwner {

	/** How long a queue pair in ERR is given to flush what is posted. */
	static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final int RELEASE_THREADS = 4;

	private final Instant since = Instant.now();

	private final RdmaConnections connections;

	private final ConnectionContext context;

	private final ControlLoop loop = new ControlLoop();

	private final LiveConnections live = new LiveConnections();

	private final Map<String, PeerLink> links = new LinkedHashMap<>();

	private final PeerConnector connector;

	private final PeerAcceptor acceptor;

	private final DeviceFailures deviceFailures;

	private final ConnectionTimer timer;

	private final ThreadPoolExecutor releases = ThreadPools.create("rdma-release-", RELEASE_THREADS, Integer.MAX_VALUE);

	private volatile boolean draining;

	@SuppressWarnings("this-escape")
	RunningConnections(RdmaConnections connections, ConnectionsConfiguration configuration) {
		this.connections = connections;
		ConnectionSettings settings = configuration.settings();
		// one header more than operations: that of READY
		ControlMemory memory = new ControlMemory(configuration.endpoint().protectionDomain(), settings.sendDepth() + 1);
		this.context = new ConnectionContext(configuration.endpoint(), settings, configuration.pool(),
				configuration.poller(), configuration.groups(), configuration.metrics(), memory, this);
		Handshake handshake = new Handshake(this.context, configuration.name(), configuration.regions(),
				configuration.trust(), this.live::replace);
		this.connector = new PeerConnector(this, handshake, this.loop, settings);
		this.acceptor = new PeerAcceptor(this, handshake, settings);
		this.timer = new ConnectionTimer(this, configuration.pool());
		this.deviceFailures = new DeviceFailures(this.live, configuration.endpoint().port(),
				() -> this.links.values().forEach(PeerLink::hurry));
		for (PeerDefinition peer : configuration.peers()) {
			this.links.put(peer.name(), new PeerLink(peer, this, settings));
		}
	}

	void start() {
		this.loop.start();
		this.timer.start();
	}

	Instant since() {
		return this.since;
	}

	boolean isDraining() {
		return this.draining;
	}

	ConnectionSettings settings() {
		return this.context.settings();
	}

	ControlLoop loop() {
		return this.loop;
	}

	LiveConnections live() {
		return this.live;
	}

	RdmaConnection get(String peer, long deadlineNanos) {
		PeerLink link = this.links.get(peer);
		if (link != null) {
			RdmaConnection ready = link.ready();
			return (ready != null) ? ready : connect(link, deadlineNanos);
		}
		RdmaConnection connection = this.live.inbound(peer);
		if (connection == null) {
			checkKnown(peer);
			throw new RdmaConnectException(RdmaErrorContext.peer(peer).withOperation("connect"),
					"the peer connects to this service and is not connected now",
					"Wait until it connects again, or set rdma.peers." + peer + ".address to host:port.");
		}
		return connection;
	}

	@Nullable RdmaConnection ready(String peer) {
		PeerLink link = this.links.get(peer);
		if (link != null) {
			return link.ready();
		}
		RdmaConnection connection = this.live.inbound(peer);
		if (connection == null) {
			checkKnown(peer);
		}
		return connection;
	}

	private void checkKnown(String peer) {
		if (!this.connections.isKnown(peer)) {
			Set<String> known = new TreeSet<>(this.links.keySet());
			known.addAll(this.live.inboundNames());
			throw new UnknownRdmaPeerException(peer, known);
		}
	}

	private RdmaConnection connect(PeerLink link, long deadlineNanos) {
		RdmaThreads.checkMayBlock();
		RdmaErrorContext known = RdmaErrorContext.peer(link.name()).withOperation("connect");
		if (this.draining) {
			throw stopping(known);
		}
		try {
			return link.connect().get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RdmaInterruptedException(known, "the thread was interrupted while the connection was made",
					"Repeat the operation if it is still wanted.", ex);
		}
		catch (TimeoutException ex) {
			String reason = link.reason();
			throw new RdmaTimeoutException(known,
					"no connection to " + link.definition().address() + " was made in time"
							+ ((reason != null) ? "; the last error was: " + reason : ""),
					"Check that the peer runs and can be reached, or give the operation more time. The attempt goes "
							+ "on.");
		}
		catch (ExecutionException ex) {
			throw failure(link, known, ex.getCause());
		}
	}

	private static RdmaException failure(PeerLink link, RdmaErrorContext known, @Nullable Throwable cause) {
		if (cause instanceof HandshakeException handshake) {
			return handshake.toConnectException(link.name());
		}
		if (cause instanceof RdmaException failure) {
			return failure;
		}
		return new RdmaConnectException(known, "the connection could not be made: " + cause,
				"Look into the logs of both sides.", cause);
	}

	static RdmaClosedException stopping(RdmaErrorContext known) {
		return new RdmaClosedException(known, "the connections are being stopped",
				"Use them only while the application runs.");
	}

	List<PeerStatus> peers() {
		List<PeerStatus> statuses = new ArrayList<>();
		this.links.values().forEach((link) -> statuses.add(link.status()));
		statuses.addAll(this.live.statuses((name) -> !this.links.containsKey(name)));
		return statuses;
	}

	void startAttempt(PeerLink link, CompletableFuture<RdmaConnection> attempt) {
		this.connector.start(link, attempt);
	}

	/**
	 * Take a channel that was accepted.
	 * @param channel the channel
	 */
	void accept(ControlChannel channel) {
		this.acceptor.accept(channel);
	}

	/**
	 * Take a connection that is proven to work into use.
	 * @param connection the connection
	 * @param link the configured peer, {@code null} if the peer connected to us
	 * @return whether it can be used; if not, it is released
	 */
	boolean adopt(RdmaConnection connection, @Nullable PeerLink link) {
		this.live.add(connection);
		if (link == null) {
			this.connections.know(connection.peer());
		}
		boolean usable = (link != null) ? link.adopt(connection) : connection.life().ready();
		connection.openIntake();
		if (!usable || this.draining) {
			connection.life().drain("the service stops");
			connection.life().closed("the service stops");
			release(connection);
			return false;
		}
		connection.channel().listen(new ConnectionControl(connection, this));
		return !connection.state().isFinal();
	}

	@Override
	public void changed(RdmaConnection connection, ConnectionState from, ConnectionState to, @Nullable String reason,
			@Nullable RdmaException cause) {
		if (from == ConnectionState.CONNECTING && to != ConnectionState.READY) {
			// the handshake tells its own failure
			return;
		}
		PeerLink link = connection.inbound() ? null : this.links.get(connection.peer());
		if (link != null) {
			link.changed(connection, to, reason);
		}
		if (to == ConnectionState.READY) {
			logger.info("Peer '{}' at {} is connected, path {}", connection.peer(), connection.address(),
					connection.path());
			this.live.usable(connection);
		}
		else {
			this.live.unusable(connection);
		}
		publish(new ConnectionEvent(connection.peer(), connection, from, to, connection.queuePairState(), reason,
				cause));
		if (to == ConnectionState.LOST) {
			if (from == ConnectionState.DRAINING || this.draining) {
				logger.info("A connection ended: {}", reason);
			}
			else {
				logger.warn("A connection was lost: {}", reason);
			}
			release(connection);
		}
	}

	void publish(ConnectionEvent event) {
		this.connections.publish(event);
	}

	private void release(RdmaConnection connection) {
		executeRelease(() -> release(connection, System.nanoTime() + FLUSH_NANOS));
	}

	/**
	 * Run a part of the end of a connection, unless this stops, which ends all of them.
	 * @param task the part
	 */
	void executeRelease(Runnable task) {
		try {
			this.releases.execute(task);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("A connection is released while the service stops");
		}
	}

	private void release(RdmaConnection connection, long deadlineNanos) {
		connection.release(deadlineNanos);
		this.live.remove(connection);
	}

	@Override
	public void arrived(QueuedMessage message) {
		this.connections.inbox(message.peer()).add(message);
	}

	@Override
	public void replied(InboundMessage reply) {
		this.connections.replied(reply);
	}

	@Override
	public void heldBack(long bytes) {
		this.timer.heldBack(bytes);
	}

	/**
	 * Take an event of the device.
	 * @param event the event
	 */
	void event(AsyncEvent event) {
		this.deviceFailures.event(event);
	}

	/**
	 * Do what is due.
	 * @param now the time
	 */
	void tick(long now) {
		this.acceptor.tick(now);
		if (!this.draining) {
			this.links.values().forEach((link) -> link.tick(now));
		}
	}

	/**
	 * End everything in order. Takes little more than the drain timeout.
	 */
	void stop() {
		this.draining = true;
		long deadline = System.nanoTime() + settings().drainTimeout().toNanos();
		this.connector.stop();
		this.acceptor.stop();
		drain(deadline);
		this.releases.shutdown();
		long flushed = System.nanoTime() + FLUSH_NANOS;
		for (RdmaConnection connection : List.copyOf(this.live.all())) {
			connection.life().closed("the service stopped");
			release(connection, flushed);
		}
		ThreadPools.awaitEnd(this.releases);
		this.links.values().forEach(PeerLink::closed);
		this.loop.close();
		this.timer.stop();
		this.context.memory().close();
	}

	private void drain(long deadline) {
		List<RdmaConnection> leaving = new ArrayList<>();
		for (RdmaConnection connection : this.live.all()) {
			if (connection.life().drain("the service stops")) {
				leaving.add(connection);
			}
		}
		leaving.forEach((connection) -> connection.life().await(connection::isIdle, deadline));
		leaving.forEach((connection) -> connection.channel().send(Frame.bye()));
		try {
			for (RdmaConnection connection : leaving) {
				if (!connection.life().awaitFarewell(deadline)) {
					logger.debug("The {} is ended without a good-bye of the peer", connection);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		leaving.forEach((connection) -> connection.life().closed("the service stopped"));
	}

}
