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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.rdma.core.completion.WorkRequestId;
import io.rdma.core.completion.WorkRequestKind;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.exception.UnknownRdmaRegionException;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.QueuePairState;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A connection to a peer: one queue pair, from the handshake to its end. Thread-safe.
 */
@Slf4j
public final class RdmaConnection {

	/** Size of one WRITE or READ at most, whatever the ports would carry. */
	private static final long MAX_TRANSFER = 1L << 30;

	private final ConnectionContext context;

	private final String peer;

	private final boolean inbound;

	private final ControlChannel channel;

	private final ConnectionResources resources;

	private final Hello local;

	private final Hello remote;

	private final int maxTransferSize;

	private final ConnectionLife life;

	private final SendTable table;

	private final SendQueue sendQueue;

	private final SendCredits credits;

	private final ReceiveWindow window;

	private final CreditReturn creditReturn;

	private final OperationChecks checks;

	private final OperationSender sender;

	private final MessageIntake intake;

	private final ConnectionCompletions completions;

	private final ConnectionTimeLimits timeLimits;

	private final SendSlot readySlot;

	private final AtomicLong correlationIds = new AtomicLong();

	private final AtomicBoolean releasing = new AtomicBoolean();

	private volatile boolean released;

	private volatile @Nullable Parameters parameters;

	@SuppressWarnings("this-escape")
	RdmaConnection(ConnectionContext context, String peer, boolean inbound, ControlChannel channel,
			ConnectionResources resources, Hello local, Hello remote) {
		this.context = context;
		this.peer = peer;
		this.inbound = inbound;
		this.channel = channel;
		this.resources = resources;
		this.local = local;
		this.remote = remote;
		this.table = resources.table();
		this.sendQueue = resources.sendQueue();
		this.window = resources.window();
		this.checks = new OperationChecks(this, context.endpoint().protectionDomain());
		this.maxTransferSize = (int) Math.min(MAX_TRANSFER,
				Math.min(local.maxTransferSize(), remote.maxTransferSize()));
		this.life = new ConnectionLife(this, context.owner(), this::wakeSenders);
		SendWaits waits = new SendWaits(this, this.life, this.table);
		this.credits = new SendCredits(this.life, resources.block(), waits, remote.receiveDepth());
		SendSlot creditSlot = new SendSlot(ConnectionCompletions.CREDIT_SLOT, resources.generation());
		this.readySlot = new SendSlot(ConnectionCompletions.READY_SLOT, resources.generation());
		this.creditReturn = new CreditReturn(this.life, this.window, this.sendQueue, creditSlot);
		int pieceRoom = Math.min(remote.receiveBufferSize(), this.maxTransferSize) - MessageHeader.SIZE;
		this.sender = new OperationSender(this, this.life, this.table, this.sendQueue, this.credits, waits, this.window,
				this.creditReturn, pieceRoom);
		this.intake = new MessageIntake(this, this.life, context.owner(), this.window, this.credits, this.creditReturn,
				context.settings().maxMessageSize());
		this.completions = new ConnectionCompletions(this, this.life, resources, this.intake, this.creditReturn,
				creditSlot, this.readySlot);
		this.creditReturn.told(this.window.depth());
		this.timeLimits = new ConnectionTimeLimits(this, this.life, this.table, this.creditReturn,
				context.settings().drainTimeout());
	}

	private void wakeSenders() {
		this.table.wakeAll();
		this.credits.wake();
	}

	/**
	 * Return the name of the peer.
	 * @return the name
	 */
	public String peer() {
		return this.peer;
	}

	/**
	 * Return the state.
	 * @return the state
	 */
	public ConnectionState state() {
		return this.life.state();
	}

	/**
	 * Return the state of the queue pair as last known. Never asks the device.
	 * @return the state
	 */
	public QueuePairState queuePairState() {
		return this.resources.state();
	}

	/**
	 * Return the number of our queue pair.
	 * @return the number, 24 bits
	 */
	public int queuePairNumber() {
		return this.local.queuePairNumber();
	}

	/**
	 * Return how messages get to the peer.
	 * @return the kind of path, {@code null} before that is known
	 */
	public @Nullable PathKind path() {
		return this.resources.queuePair().pathKind();
	}

	/**
	 * Return whether the peer connected to us.
	 * @return whether it did
	 */
	public boolean inbound() {
		return this.inbound;
	}

	/**
	 * Return a region of the peer.
	 * @param name the name
	 * @return the region
	 * @throws UnknownRdmaRegionException if the peer has none of this name
	 */
	public RemoteRegion region(String name) {
		Assert.notNull(name, "'name' must not be null");
		Map<String, RemoteRegion> regions = regionsByName();
		RemoteRegion region = regions.get(name);
		if (region == null) {
			throw new UnknownRdmaRegionException(this.peer, name, regions.keySet());
		}
		return region;
	}

	/**
	 * Return all regions of the peer.
	 * @return the regions
	 */
	public Collection<RemoteRegion> regions() {
		return regionsByName().values();
	}

	private Map<String, RemoteRegion> regionsByName() {
		Parameters told = this.parameters;
		return (told != null) ? told.regions() : Map.of();
	}

	/**
	 * Return how large a message the peer accepts.
	 * @return the number of bytes
	 */
	public long maxMessageSize() {
		return Math.min(Integer.MAX_VALUE, this.remote.maxMessageSize());
	}

	/**
	 * Return how many bytes one WRITE or READ can move.
	 * @return the number of bytes
	 */
	public int maxTransferSize() {
		return this.maxTransferSize;
	}

	/**
	 * Return how many operations can be outstanding.
	 * @return the number
	 */
	public int sendDepth() {
		return this.table.depth();
	}

	/**
	 * Return how many operations are outstanding.
	 * @return the number
	 */
	public int outstanding() {
		return this.table.inUse();
	}

	/**
	 * Return how many messages can be sent before the peer has to take some.
	 * @return the number
	 */
	public int credits() {
		return this.credits.available();
	}

	/**
	 * Return a number for a request that this connection did not use before.
	 * @return the number, never 0
	 */
	public long nextCorrelationId() {
		return this.correlationIds.incrementAndGet();
	}

	/**
	 * Return what runs on it. Never waits.
	 * @return the details
	 */
	public ConnectionDetails details() {
		return new ConnectionDetails(this.peer, address(), this.inbound, state(), since(), queuePairNumber(),
				this.remote.queuePairNumber(), queuePairState(),
				this.remote.deviceKind() + " " + this.remote.deviceName(), this.remote.gid().toString(), path(),
				ConnectionResources.pathMtu(this.local, this.remote), this.resources.lease().group(), sendDepth(),
				outstanding(), this.table.highWater(), this.window.depth(), this.window.outstanding(), credits(),
				this.sender.messages(), Integer.toUnsignedLong(this.window.received()), this.credits.stalls(),
				this.completions.strays(), this.completions.flushed(), List.copyOf(regionsByName().keySet()));
	}

	/**
	 * Check an operation and post it, waiting until its deadline for room in the send
	 * queue and, for a message, until the peer can take it.
	 * @param operation the operation, not posted before
	 * @throws RdmaException if it could not be posted: the operation is told nothing then
	 * @throws IllegalStateException on a thread of this library, if it would have to wait
	 */
	public void post(Operation operation) {
		begin(operation);
		try {
			this.sender.post(operation);
		}
		catch (RuntimeException ex) {
			if (operation.abandon(outcome(ex))) {
				throw ex;
			}
		}
	}

	/**
	 * Check an operation and post it if that is possible at once. Never waits.
	 * @param operation the operation, not posted before
	 * @return whether it was posted; if not, it can be offered again
	 * @throws RdmaException if it can never be posted: the operation is told nothing then
	 */
	public boolean offer(Operation operation) {
		begin(operation);
		try {
			if (this.sender.tryPost(operation)) {
				return true;
			}
		}
		catch (RuntimeException ex) {
			if (operation.abandon(outcome(ex))) {
				throw ex;
			}
			return true;
		}
		operation.reset();
		return false;
	}

	private static String outcome(RuntimeException exception) {
		if (exception instanceof RdmaTimeoutException) {
			return OperationMetrics.TIMEOUT;
		}
		return (exception instanceof RdmaException) ? OperationMetrics.ERROR : OperationMetrics.REJECTED;
	}

	private void begin(Operation operation) {
		operation.begin(this, System.nanoTime());
		String outcome = OperationMetrics.REJECTED;
		try {
			this.checks.check(operation);
			outcome = OperationMetrics.ERROR;
			checkReady(operation);
		}
		catch (RuntimeException ex) {
			operation.abandon(outcome);
			throw ex;
		}
	}

	private void checkReady(Operation operation) {
		ConnectionState current = state();
		if (current == ConnectionState.CONNECTING) {
			throw new IllegalStateException("The connection is not made yet");
		}
		if (current != ConnectionState.READY) {
			throw this.life.notPosted(operation.kind());
		}
	}

	void record(OperationKind kind, String outcome, long bytes, long nanos) {
		this.context.metrics().recorded(this.peer, kind, outcome, bytes, nanos);
	}

	void recordReceived(long bytes, long nanos) {
		record(OperationKind.RECEIVE, OperationMetrics.SUCCESS, bytes, nanos);
	}

	void heldBack(long bytes) {
		this.context.owner().heldBack(bytes);
	}

	/**
	 * End an operation whose time is over.
	 * @param operation the operation
	 * @param now the time
	 */
	void expire(Operation operation, long now) {
		operation.expire(new RdmaTimeoutException(context(operation.kind().name()),
				"the operation did not end within its time limit",
				"Check the health of the peer and of the network, or give the operation more time. It may still take "
						+ "effect."),
				now);
	}

	String address() {
		return this.channel.describeRemote();
	}

	Instant since() {
		return this.life.since();
	}

	@Nullable RdmaException failure() {
		return this.life.failure();
	}

	ConnectionLife life() {
		return this.life;
	}

	QueuePairIdentity remoteIdentity() {
		return this.remote.identity();
	}

	ConnectionResources resources() {
		return this.resources;
	}

	ControlChannel channel() {
		return this.channel;
	}

	/**
	 * Poll the completion queues of this connection on the calling thread. Never waits.
	 * @return whether there was anything
	 */
	boolean assist() {
		return this.resources.lease().assist();
	}

	RdmaErrorContext context(String operation) {
		return RdmaErrorContext.of(this.peer, queuePairNumber(), operation);
	}

	boolean fail(RdmaException cause) {
		return this.life.fail(cause);
	}

	/**
	 * Hand over the messages that arrived before the connection was ready.
	 */
	void openIntake() {
		this.intake.open();
	}

	void taken(QueuedMessage message) {
		this.intake.taken(message);
	}

	String describePaths() {
		return "this side: " + this.local.describePath() + "; peer: " + this.remote.describePath();
	}

	/**
	 * Let completions of the queue pair come here.
	 */
	void register() {
		this.context.poller().dispatcher().register(queuePairNumber(), this.completions);
	}

	/**
	 * Take what the peer lets us use.
	 * @param told what it told
	 */
	void parameters(Parameters told) {
		this.parameters = told;
		this.credits.granted(told.credits());
		this.creditReturn.start(told);
	}

	/**
	 * Send the proof that the queue pair works.
	 */
	void sendReady() {
		this.credits.takeFirst();
		int generation = this.readySlot.take(null);
		try {
			this.sendQueue.postReady(
					WorkRequestId.encode(WorkRequestKind.CONTROL, ConnectionCompletions.READY_SLOT, generation),
					this.table.depth(), this.window.posted());
		}
		catch (RuntimeException ex) {
			this.readySlot.end(generation);
			throw ex;
		}
	}

	/**
	 * Return whether nothing is outstanding or about to be.
	 * @return whether it is idle
	 */
	boolean isIdle() {
		return this.table.isIdle() && this.sender.isIdle() && !this.creditReturn.isUnderWay();
	}

	/**
	 * Let the queue pair flush what is posted and release everything, after the
	 * connection failed or was closed. If another thread does that, wait for it.
	 * @param deadlineNanos until when to wait for what is flushed
	 */
	void release(long deadlineNanos) {
		if (!this.releasing.compareAndSet(false, true)) {
			this.life.await(this::isReleased, deadlineNanos);
			return;
		}
		try {
			openIntake();
			flush(deadlineNanos);
			this.resources.close();
			this.context.poller().dispatcher().unregister(queuePairNumber(), this.completions);
			this.table.forEachInUse(this.completions::giveUp);
			this.channel.close();
		}
		finally {
			this.released = true;
		}
	}

	private void flush(long deadlineNanos) {
		try {
			this.resources.error();
			if (!this.life.await(this::isFlushed, deadlineNanos)) {
				logger.debug("Not all work of the connection to peer '{}' was flushed in time", this.peer);
			}
		}
		catch (RuntimeException ex) {
			logger.warn("The queue pair of the connection to peer '{}' could not be put into the ERR state: {}",
					this.peer, ex.getMessage());
		}
	}

	private boolean isFlushed() {
		return this.table.inUse() == 0 && this.window.outstanding() == 0 && !this.creditReturn.isUnderWay()
				&& !SendSlot.isInUse(this.readySlot.generation());
	}

	boolean isReleased() {
		return this.released;
	}

	/**
	 * Let operations end whose time is over, and the connection if the device does not
	 * let go of their memory.
	 * @param now the time
	 */
	void tick(long now) {
		this.timeLimits.tick(now);
	}

	/**
	 * Return for how long memory is held back by operations that timed out.
	 * @param now the time
	 * @return the longest time in nanoseconds, -1 if none is
	 */
	long longestHeld(long now) {
		return this.timeLimits.longestHeld(now);
	}

	@Override
	public String toString() {
		return "connection %s peer '%s' (queue pair 0x%06x, %s)".formatted(this.inbound ? "from" : "to", this.peer,
				queuePairNumber(), state());
	}

}
