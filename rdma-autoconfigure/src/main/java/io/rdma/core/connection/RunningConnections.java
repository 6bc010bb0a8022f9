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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.rdma.core.completion.RdmaThread;
import io.rdma.core.completion.RdmaThreads;
import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConnectException;
import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaDeviceException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.exception.UnknownRdmaPeerException;
import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.QueuePair;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * What {@link RdmaConnections} has between start and stop: threads, connections, attempts.
 */
@Slf4j
final class RunningConnections implements ConnectionOwner {

	/** How long a queue pair in ERR is given to flush what is posted. */
	static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final int HANDSHAKE_THREADS = 8;

	private static final int RELEASE_THREADS = 4;

	private static final long BUSY_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long IDLE_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long JOIN_MILLIS = 5000;

	/** Part of the pool that may be held back by operations that timed out. */
	private static final int HELD_SHARE = 4;

	private final RdmaConnections connections;

	private final ConnectionSettings settings;

	private final ConnectionContext context;

	private final Handshake handshake;

	private final ControlLoop loop = new ControlLoop();

	private final Thread timer = new RdmaThread(this::keepTime, "rdma-timer");

	private final ThreadPoolExecutor outbound;

	private final ThreadPoolExecutor inbound;

	private final ThreadPoolExecutor releases;

	private final Map<String, PeerLink> links = new LinkedHashMap<>();

	private final Set<RdmaConnection> live = ConcurrentHashMap.newKeySet();

	private final Map<QueuePairIdentity, RdmaConnection> byIdentity = new ConcurrentHashMap<>();

	/** The newest usable connection of each peer that connected to us. */
	private final Map<String, RdmaConnection> inboundByName = new ConcurrentHashMap<>();

	/** Channels that did not say hello yet, oldest first. */
	private final Deque<Stranger> strangers = new ArrayDeque<>();

	private final AtomicLong held = new AtomicLong();

	private volatile @Nullable String loggedRefusal;

	private final Instant since = Instant.now();

	private volatile boolean draining;

	private volatile boolean stopped;

	@SuppressWarnings("this-escape")
	RunningConnections(RdmaConnections connections, RdmaConnections.Configuration configuration) {
		this.connections = connections;
		this.settings = configuration.settings();
		// one header more than operations: that of READY
		ControlMemory memory = new ControlMemory(configuration.endpoint().protectionDomain(),
				this.settings.sendDepth() + 1);
		this.context = new ConnectionContext(configuration.endpoint(), this.settings, configuration.pool(),
				configuration.poller(), configuration.groups(), configuration.metrics(), memory, this);
		this.handshake = new Handshake(this.context, configuration.name(), configuration.regions(),
				configuration.trust(), this::replace);
		this.outbound = pool("rdma-connect-", HANDSHAKE_THREADS, Integer.MAX_VALUE);
		this.inbound = pool("rdma-accept-", HANDSHAKE_THREADS, this.settings.maxHandshakes());
		this.releases = pool("rdma-release-", RELEASE_THREADS, Integer.MAX_VALUE);
		for (PeerDefinition peer : configuration.peers()) {
			this.links.put(peer.name(), new PeerLink(peer, this, this.settings));
		}
	}

	private static ThreadPoolExecutor pool(String name, int threads, int queue) {
		AtomicInteger number = new AtomicInteger();
		ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(queue), (task) -> new RdmaThread(task, name + number.incrementAndGet()));
		pool.allowCoreThreadTimeOut(true);
		return pool;
	}

	void start() {
		this.loop.start();
		this.timer.start();
	}

	boolean isDraining() {
		return this.draining;
	}

	ControlLoop loop() {
		return this.loop;
	}

	// ---- Use

	RdmaConnection get(String peer, long deadlineNanos) {
		PeerLink link = this.links.get(peer);
		if (link != null) {
			RdmaConnection ready = link.ready();
			return (ready != null) ? ready : connect(link, deadlineNanos);
		}
		RdmaConnection connection = this.inboundByName.get(peer);
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
		RdmaConnection connection = this.inboundByName.get(peer);
		if (connection == null) {
			checkKnown(peer);
		}
		return connection;
	}

	private void checkKnown(String peer) {
		if (!this.connections.isKnown(peer)) {
			Set<String> known = new TreeSet<>(this.links.keySet());
			known.addAll(this.inboundByName.keySet());
			throw new UnknownRdmaPeerException(peer, known);
		}
	}

	Instant since() {
		return this.since;
	}

	private RdmaConnection connect(PeerLink link, long deadlineNanos) {
		RdmaThreads.checkMayBlock();
		RdmaErrorContext known = RdmaErrorContext.peer(link.name()).withOperation("connect");
		if (this.draining) {
			throw stopping(known);
		}
		try {
			return link.connect()
				.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
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
			Throwable cause = ex.getCause();
			if (cause instanceof HandshakeException failure) {
				throw failure.toConnectException(link.name());
			}
			if (cause instanceof RdmaException failure) {
				throw failure;
			}
			throw new RdmaConnectException(known, "the connection could not be made: " + cause,
					"Look into the logs of both sides.", cause);
		}
	}

	private static RdmaClosedException stopping(RdmaErrorContext known) {
		return new RdmaClosedException(known, "the connections are being stopped",
				"Use them only while the application runs.");
	}

	List<PeerStatus> peers() {
		List<PeerStatus> statuses = new ArrayList<>();
		this.links.values().forEach((link) -> statuses.add(link.status()));
		Map<String, RdmaConnection> newest = new LinkedHashMap<>();
		for (RdmaConnection connection : connections()) {
			if (connection.inbound() && !this.links.containsKey(connection.peer())) {
				newest.merge(connection.peer(), connection,
						(one, other) -> (other.state() == ConnectionState.READY) ? other : one);
			}
		}
		newest.values().forEach((connection) -> statuses.add(status(connection)));
		return statuses;
	}

	private static PeerStatus status(RdmaConnection connection) {
		RdmaException failure = connection.failure();
		return new PeerStatus(connection.peer(), connection.address(), false, true, connection.state(),
				connection.queuePairState(), connection.since(), (failure != null) ? failure.getMessage() : null, 0,
				0, true);
	}

	List<RdmaConnection> connections() {
		return this.live.stream().sorted(Comparator.comparing(RdmaConnection::peer)
			.thenComparing(RdmaConnection::queuePairNumber)).toList();
	}

	// ---- Connecting

	void startAttempt(PeerLink link, CompletableFuture<RdmaConnection> attempt) {
		try {
			this.outbound.execute(() -> attempt(link, attempt));
		}
		catch (RejectedExecutionException ex) {
			link.failed(attempt, stopping(RdmaErrorContext.peer(link.name())));
		}
	}

	private void attempt(PeerLink link, CompletableFuture<RdmaConnection> attempt) {
		long deadline = System.nanoTime() + this.settings.setupTimeout().toNanos();
		try {
			if (this.draining) {
				throw stopping(RdmaErrorContext.peer(link.name()));
			}
			InetSocketAddress address = resolve(link.definition());
			RdmaConnection connection = this.handshake.connect(link.name(), this.loop.connect(address), deadline);
			if (!adopt(connection, link)) {
				RdmaException failure = connection.failure();
				throw (failure != null) ? failure : stopping(RdmaErrorContext.peer(link.name()));
			}
			link.succeeded(attempt, connection);
		}
		catch (HandshakeException | RuntimeException ex) {
			link.failed(attempt, ex);
		}
		catch (IOException ex) {
			link.failed(attempt, new HandshakeException(RejectCode.OTHER,
					"it could not be connected: " + ex.getMessage(),
					"Check rdma.peers." + link.name() + ".address.", ex));
		}
	}

	private static InetSocketAddress resolve(PeerDefinition peer) throws HandshakeException {
		try {
			InetAddress address = InetAddress.getByName(peer.host());
			RdmaConnections.checkLoopback("rdma.peers." + peer.name() + ".address", peer.address(), address);
			return new InetSocketAddress(address, peer.port());
		}
		catch (UnknownHostException ex) {
			throw new HandshakeException(RejectCode.OTHER, "the host name '" + peer.host() + "' cannot be resolved",
					"Check rdma.peers." + peer.name() + ".address and the name service.", ex);
		}
	}

	/**
	 * Take a connection that is proven to work into use.
	 * @param connection the connection
	 * @param link the configured peer, {@code null} if the peer connected to us
	 * @return whether it can be used; if not, it is released
	 */
	private boolean adopt(RdmaConnection connection, @Nullable PeerLink link) {
		this.live.add(connection);
		RdmaConnection old = this.byIdentity.put(connection.remoteIdentity(), connection);
		if (old != null) {
			fail(old, connection.remoteIdentity());
		}
		if (link == null) {
			this.connections.know(connection.peer());
			this.inboundByName.put(connection.peer(), connection);
		}
		boolean usable = (link != null) ? link.adopt(connection) : connection.ready();
		if (!usable || this.draining) {
			connection.drain("the service stops");
			connection.closed("the service stops");
			release(connection);
			return false;
		}
		connection.channel().listen(new Control(connection));
		return connection.state() == ConnectionState.READY || !connection.state().isFinal();
	}

	/**
	 * Let go of a connection that has the identity of a new one: its process is dead, or its
	 * queue pair would still be there.
	 * @param identity the identity
	 */
	private void replace(QueuePairIdentity identity) {
		RdmaConnection old = this.byIdentity.get(identity);
		if (old != null) {
			fail(old, identity);
		}
	}

	private static void fail(RdmaConnection old, QueuePairIdentity identity) {
		old.fail(new RdmaConnectionLostException(RdmaErrorContext.peer(old.peer()),
				"a new connection came from the " + identity + ", which this one is connected to: the process that "
						+ "had it is gone",
				"The connection is replaced by the new one."));
	}

	// ---- Accepting

	void accept(ControlChannel channel) {
		Stranger stranger = new Stranger(channel, System.nanoTime() + this.settings.setupTimeout().toNanos());
		Stranger oldest = null;
		synchronized (this.strangers) {
			this.strangers.addLast(stranger);
			if (this.strangers.size() > this.settings.maxHandshakes()) {
				oldest = this.strangers.pollFirst();
			}
		}
		if (oldest != null) {
			oldest.channel().end("too many connections that say nothing");
		}
		channel.listen(stranger);
	}

	private boolean forget(Stranger stranger) {
		synchronized (this.strangers) {
			return this.strangers.remove(stranger);
		}
	}

	private void hello(Stranger stranger, Frame frame) {
		if (!forget(stranger)) {
			return;
		}
		ControlChannel channel = stranger.channel();
		channel.stopListening();
		if (frame.type() != FrameType.HELLO) {
			channel.end("the peer did not start with a HELLO");
			return;
		}
		if (this.draining) {
			channel.sendAndClose(Frame.reject(RejectCode.STOPPING, "the service stops"));
			return;
		}
		try {
			this.inbound.execute(() -> accept(stranger, frame));
		}
		catch (RejectedExecutionException ex) {
			channel.sendAndClose(Frame.reject(RejectCode.BUSY, "too many handshakes are under way"));
		}
	}

	private void accept(Stranger stranger, Frame hello) {
		ControlChannel channel = stranger.channel();
		try {
			if (this.live.stream().filter(RdmaConnection::inbound).count() >= this.settings.maxInboundConnections()) {
				channel.sendAndClose(Frame.reject(RejectCode.BUSY, this.settings.maxInboundConnections()
						+ " peers are connected already (rdma.server.max-connections)"));
				return;
			}
			RdmaConnection connection = this.handshake.accept(channel, hello, stranger.deadlineNanos());
			if (adopt(connection, null)) {
				logger.debug("Accepted {}", connection);
			}
		}
		catch (HandshakeException ex) {
			refused(channel, ex.problem());
		}
		catch (RuntimeException ex) {
			refused(channel, String.valueOf(ex.getMessage()));
		}
	}

	private void refused(ControlChannel channel, String reason) {
		// one line for a cause: a peer may try again for ever
		if (reason.equals(this.loggedRefusal)) {
			logger.debug("A connection from {} was not made: {}", channel.describeRemote(), reason);
		}
		else {
			this.loggedRefusal = reason;
			logger.warn("A connection from {} was not made: {}", channel.describeRemote(), reason);
		}
	}

	// ---- Changes

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
		if (connection.inbound() && to != ConnectionState.READY) {
			this.inboundByName.remove(connection.peer(), connection);
		}
		publish(new ConnectionEvent(connection.peer(), connection, from, to, connection.queuePairState(), reason,
				cause));
		if (to == ConnectionState.LOST) {
			if (from == ConnectionState.DRAINING || this.draining) {
				logger.info("The {} ended: {}", connection, reason);
			}
			else {
				logger.warn("The {} was lost: {}", connection, reason);
			}
			release(connection);
		}
	}

	void publish(ConnectionEvent event) {
		this.connections.publish(event);
	}

	private void release(RdmaConnection connection) {
		try {
			this.releases.execute(() -> releaseNow(connection, System.nanoTime() + FLUSH_NANOS));
		}
		catch (RejectedExecutionException ex) {
			// stop() releases what is left
			logger.debug("The {} is released while the service stops", connection);
		}
	}

	private void releaseNow(RdmaConnection connection, long deadlineNanos) {
		connection.release(deadlineNanos);
		this.byIdentity.remove(connection.remoteIdentity(), connection);
		this.inboundByName.remove(connection.peer(), connection);
		this.live.remove(connection);
		if (connection.inbound()) {
			newest(connection.peer());
		}
	}

	/**
	 * Let an older connection of a peer be used again when the newest is gone.
	 * @param peer the name of the peer
	 */
	private void newest(String peer) {
		for (RdmaConnection other : this.live) {
			if (other.inbound() && other.peer().equals(peer) && other.state() == ConnectionState.READY) {
				this.inboundByName.putIfAbsent(peer, other);
				if (other.state() != ConnectionState.READY) {
					this.inboundByName.remove(peer, other);
				}
			}
		}
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
		this.held.addAndGet(bytes);
		this.context.pool().heldBack(bytes);
	}

	// ---- Device

	void event(AsyncEvent event) {
		switch (event.type()) {
			case DEVICE_FATAL -> failAll("the device reported a fatal error",
					"Look into the kernel log; connections are made again once the device works.");
			case PORT_ERR -> {
				if (event.port() == this.context.endpoint().port()) {
					failAll("port " + event.port() + " went down",
							"Bring the port up; connections are made again by themselves.");
				}
			}
			case PORT_ACTIVE -> this.links.values().forEach(PeerLink::hurry);
			case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR -> {
				if (event.resource() instanceof QueuePair queuePair) {
					failed(queuePair, event);
				}
			}
			case CQ_ERR -> {
				if (event.resource() instanceof CompletionQueue queue) {
					failed(queue);
				}
			}
			default -> logger.debug("Nothing is done about {}", event);
		}
	}

	private void failed(QueuePair queuePair, AsyncEvent event) {
		for (RdmaConnection connection : this.live) {
			if (connection.resources().queuePair() == queuePair) {
				connection.fail(new RdmaConnectionLostException(connection.context("event"),
						"the device reported " + event.type() + " on the queue pair",
						"If the peer made an access that was refused, look into its log. The connection is made again "
								+ "by itself."));
			}
		}
	}

	private void failed(CompletionQueue queue) {
		for (RdmaConnection connection : this.live) {
			if (connection.resources().lease().sendQueue() == queue
					|| connection.resources().lease().receiveQueue() == queue) {
				connection.fail(deviceFailure(connection, "a completion queue overran or failed",
						"This is a fault of the device or of another user of its queues. The connection is made again "
								+ "by itself."));
			}
		}
	}

	private void failAll(String problem, String remedy) {
		for (RdmaConnection connection : this.live) {
			connection.fail(deviceFailure(connection, problem, remedy));
		}
	}

	private static RdmaDeviceException deviceFailure(RdmaConnection connection, String problem, String remedy) {
		return new RdmaDeviceException(connection.context("event"), problem, remedy);
	}

	// ---- Time

	private void keepTime() {
		while (!this.stopped) {
			boolean busy = false;
			try {
				busy = tick(System.nanoTime());
			}
			catch (RuntimeException ex) {
				logger.error("The timer met an error and goes on", ex);
			}
			LockSupport.parkNanos(this, busy ? BUSY_TICK_NANOS : IDLE_TICK_NANOS);
		}
	}

	private boolean tick(long now) {
		boolean busy = false;
		for (RdmaConnection connection : this.live) {
			connection.tick(now);
			busy |= !connection.isIdle();
		}
		if (this.held.get() > 0) {
			limitHeld(now);
		}
		expireStrangers(now);
		if (!this.draining) {
			this.links.values().forEach((link) -> link.tick(now));
		}
		return busy;
	}

	private void limitHeld(long now) {
		long capacity = this.context.pool().statistics().capacityBytes();
		if (this.held.get() <= capacity / HELD_SHARE) {
			return;
		}
		RdmaConnection oldest = null;
		long longest = -1;
		for (RdmaConnection connection : this.live) {
			long age = connection.state().isFinal() ? -1 : connection.longestHeld(now);
			if (age > longest) {
				longest = age;
				oldest = connection;
			}
		}
		if (oldest != null) {
			oldest.fail(new RdmaTimeoutException(oldest.context("drain"),
					"operations that timed out hold back " + this.held.get() + " of the pool's " + capacity + " bytes",
					"The queue pair of the oldest is put into the ERR state to get its memory back. Check the health "
							+ "of the peer, or raise rdma.memory.pool-size."));
		}
	}

	private void expireStrangers(long now) {
		while (true) {
			Stranger oldest;
			synchronized (this.strangers) {
				oldest = this.strangers.peekFirst();
				if (oldest == null || now - oldest.deadlineNanos() < 0) {
					return;
				}
				this.strangers.removeFirst();
			}
			oldest.channel().end("it said nothing in time");
		}
	}

	// ---- End

	void stop() {
		this.draining = true;
		long deadline = System.nanoTime() + this.settings.drainTimeout().toNanos();
		this.outbound.shutdownNow();
		this.inbound.shutdownNow();
		awaitTermination(this.outbound);
		awaitTermination(this.inbound);
		List<RdmaConnection> leaving = new ArrayList<>();
		for (RdmaConnection connection : this.live) {
			if (connection.drain("the service stops")) {
				leaving.add(connection);
			}
		}
		try {
			for (RdmaConnection connection : leaving) {
				connection.awaitIdle(deadline);
			}
			leaving.forEach((connection) -> connection.channel().send(Frame.bye()));
			for (RdmaConnection connection : leaving) {
				connection.awaitFarewell(deadline);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		leaving.forEach((connection) -> connection.closed("the service stopped"));
		this.releases.shutdown();
		long flushed = System.nanoTime() + FLUSH_NANOS;
		for (RdmaConnection connection : List.copyOf(this.live)) {
			connection.closed("the service stopped");
			releaseNow(connection, flushed);
		}
		awaitTermination(this.releases);
		this.links.values().forEach(PeerLink::closed);
		this.stopped = true;
		LockSupport.unpark(this.timer);
		this.loop.close();
		try {
			this.timer.join(JOIN_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.context.memory().close();
	}

	private static void awaitTermination(ThreadPoolExecutor pool) {
		try {
			if (!pool.awaitTermination(JOIN_MILLIS, TimeUnit.MILLISECONDS)) {
				logger.warn("A thread of the connections did not end in time");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * A channel that did not say hello yet.
	 */
	private final class Stranger implements FrameListener {

		private final ControlChannel channel;

		private final long deadlineNanos;

		private Stranger(ControlChannel channel, long deadlineNanos) {
			this.channel = channel;
			this.deadlineNanos = deadlineNanos;
		}

		ControlChannel channel() {
			return this.channel;
		}

		long deadlineNanos() {
			return this.deadlineNanos;
		}

		@Override
		public void received(Frame frame) {
			hello(this, frame);
		}

		@Override
		public void ended(String reason) {
			if (forget(this)) {
				logger.debug("A connection from {} ended without a hello: {}", this.channel.describeRemote(), reason);
			}
		}

	}

	/**
	 * What comes over the control channel of a connection that is in use.
	 */
	private final class Control implements FrameListener {

		private final RdmaConnection connection;

		private Control(RdmaConnection connection) {
			this.connection = connection;
		}

		@Override
		public void received(Frame frame) {
			if (frame.type() != FrameType.BYE) {
				this.connection.fail(new RdmaConnectionLostException(this.connection.context("control"),
						"the peer sent a " + frame.type() + " that was not expected",
						"Check that both sides use the same version of this library."));
				return;
			}
			this.connection.farewell();
			if (this.connection.drain("the peer closes the connection")) {
				try {
					RunningConnections.this.releases.execute(this::leave);
				}
				catch (RejectedExecutionException ex) {
					logger.debug("The {} is released while the service stops", this.connection);
				}
			}
		}

		private void leave() {
			this.connection
				.awaitIdle(System.nanoTime() + RunningConnections.this.settings.drainTimeout().toNanos());
			this.connection.channel().send(Frame.bye());
			this.connection.fail(new RdmaConnectionLostException(this.connection.context("control"),
					"the peer closed the connection in order", "It is made again when the peer is back."));
		}

		@Override
		public void ended(String reason) {
			this.connection.farewell();
			this.connection.fail(new RdmaConnectionLostException(this.connection.context("control"),
					"the control channel ended, so the peer is gone: " + reason,
					"Look into the log of the peer. The connection is made again by itself."));
		}

	}

}
