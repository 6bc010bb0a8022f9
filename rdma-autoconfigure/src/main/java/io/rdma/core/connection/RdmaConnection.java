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

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.completion.CompletionSink;
import io.rdma.core.completion.RdmaThreads;
import io.rdma.core.completion.WorkRequestId;
import io.rdma.core.completion.WorkRequestKind;
import io.rdma.core.exception.RdmaAccessDeniedException;
import io.rdma.core.exception.RdmaBoundsException;
import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaExceptionTranslator;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaMessageTooLargeException;
import io.rdma.core.exception.RdmaQueueFullException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.exception.UnknownRdmaRegionException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.WorkCompletion;
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

	private static final long MIN_PARK_NANOS = 20_000;

	private static final long MAX_PARK_NANOS = 1_000_000;

	/** How long to wait for a slot before the completion queues are looked at again. */
	private static final long SLOT_WAIT_NANOS = 10_000_000;

	/** One part of the credits that only replies can take, so that they always get through. */
	private static final int REPLY_SHARE = 8;

	private static final int CREDIT_SLOT = 0;

	private static final int READY_SLOT = 1;

	private static final String RETRY = "The connection is made again by itself; repeat the operation if it may be "
			+ "carried out twice.";

	private final ConnectionContext context;

	private final String peer;

	private final boolean inbound;

	private final ControlChannel channel;

	private final ConnectionResources resources;

	private final Hello local;

	private final Hello remote;

	private final SendTable table;

	private final SendQueue sendQueue;

	private final ReceiveWindow window;

	private final CreditAccount credits;

	private final int replyReserve;

	private final int maxTransferSize;

	private final CompletionSink sink = this::completed;

	/** Order of what takes credits: one message's pieces are never mixed with another's. */
	private final ReentrantLock ordinaryLane = new ReentrantLock();

	private final ReentrantLock replyLane = new ReentrantLock();

	private final Reassembly ordinaryReassembly = new Reassembly();

	private final Reassembly replyReassembly = new Reassembly();

	private final SendSlot creditSlot;

	private final SendSlot readySlot;

	private final AtomicBoolean creditUnderWay = new AtomicBoolean();

	private volatile int advertised;

	private volatile long creditSince;

	private volatile @Nullable Thread creditWaiter;

	private final CountDownLatch proof = new CountDownLatch(2);

	private final CountDownLatch farewell = new CountDownLatch(1);

	private final AtomicBoolean releasing = new AtomicBoolean();

	private final CountDownLatch released = new CountDownLatch(1);

	private final ReentrantLock transition = new ReentrantLock();

	private volatile ConnectionState state = ConnectionState.CONNECTING;

	private volatile Instant since = Instant.now();

	private volatile @Nullable RdmaException failure;

	private volatile @Nullable Parameters parameters;

	private final AtomicLong correlationIds = new AtomicLong();

	private final LongAdder messagesSent = new LongAdder();

	private final LongAdder creditStalls = new LongAdder();

	private final LongAdder strays = new LongAdder();

	private final LongAdder flushed = new LongAdder();

	private final LongAdder abortedMessages = new LongAdder();

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
		this.credits = new CreditAccount(remote.receiveDepth());
		this.replyReserve = remote.receiveDepth() / REPLY_SHARE;
		this.maxTransferSize = (int) Math.min(MAX_TRANSFER,
				Math.min(local.maxTransferSize(), remote.maxTransferSize()));
		this.creditSlot = new SendSlot(CREDIT_SLOT, resources.generation());
		this.readySlot = new SendSlot(READY_SLOT, resources.generation());
		this.advertised = this.window.depth();
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
		return this.state;
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
		readCreditWord();
		return Math.max(0, this.credits.available() - this.replyReserve);
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
		return new ConnectionDetails(this.peer, address(), this.inbound, this.state, this.since, queuePairNumber(),
				this.remote.queuePairNumber(), queuePairState(),
				this.remote.deviceKind() + " " + this.remote.deviceName(), this.remote.gid().toString(),
				ConnectionResources.pathMtu(this.local, this.remote), this.resources.lease().group(), sendDepth(),
				outstanding(), this.table.highWater(), this.window.depth(), this.window.outstanding(), credits(),
				this.messagesSent.sum(), Integer.toUnsignedLong(this.window.received()), this.creditStalls.sum(),
				this.strays.sum(), this.flushed.sum(), List.copyOf(regionsByName().keySet()));
	}

	String address() {
		return this.channel.describeRemote();
	}

	Instant since() {
		return this.since;
	}

	@Nullable RdmaException failure() {
		return this.failure;
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

	CompletionQueuePoller poller() {
		return this.context.poller();
	}

	RdmaErrorContext context(String operation) {
		return RdmaErrorContext.of(this.peer, queuePairNumber(), operation);
	}

	void record(OperationKind kind, String outcome, long bytes, long nanos) {
		this.context.metrics().recorded(this.peer, kind, outcome, bytes, nanos);
	}

	void heldBack(long bytes) {
		this.context.owner().heldBack(bytes);
	}

	// ---- Operations

	/**
	 * Check an operation and post it, waiting until its deadline for room in the send queue
	 * and, for a message, until the peer can take it.
	 * @param operation the operation, not posted before
	 * @throws RdmaException if it could not be posted: the operation is told nothing then
	 * @throws IllegalStateException on a thread of this library, if it would have to wait
	 */
	public void post(Operation operation) {
		begin(operation);
		try {
			if (operation.kind().needsCredit()) {
				sendInOrder(operation);
			}
			else {
				operation.expect(1);
				postAll(operation, 1);
			}
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
			if (tryPost(operation)) {
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
		return (exception instanceof RdmaTimeoutException) ? OperationMetrics.TIMEOUT : OperationMetrics.ERROR;
	}

	private void begin(Operation operation) {
		operation.begin(this, System.nanoTime());
		try {
			check(operation);
		}
		catch (RuntimeException ex) {
			operation.abandon(OperationMetrics.REJECTED);
			throw ex;
		}
		try {
			checkReady(operation);
		}
		catch (RuntimeException ex) {
			operation.abandon(OperationMetrics.ERROR);
			throw ex;
		}
	}

	private void check(Operation operation) {
		OperationKind kind = operation.kind();
		Assert.isTrue(kind != OperationKind.RECEIVE, "A RECEIVE is not posted; take messages from the inbox");
		checkLocal(operation);
		AccessFlag access = kind.requiredAccess();
		if (access == null) {
			if (operation.length() > maxMessageSize()) {
				throw new RdmaMessageTooLargeException(context(kind.name()), operation.length(), maxMessageSize(),
						"Send it in parts, write it into a region of the peer, or raise "
								+ "rdma.template.max-message-size at the peer.");
			}
			return;
		}
		RemoteRegion region = operation.region();
		if (region == null) {
			throw new IllegalArgumentException("A " + kind + " needs a remote region");
		}
		if (!region.access().contains(access)) {
			region.checkAccess(context(kind.name()), access);
		}
		if (!region.contains(operation.remoteOffset(), operation.length())) {
			region.checkBounds(context(kind.name()), operation.remoteOffset(), operation.length());
		}
		if (kind.isAtomic()) {
			if (operation.length() != Long.BYTES) {
				throw new IllegalArgumentException("A " + kind + " needs 8 bytes of local memory, but "
						+ operation.length() + " were given");
			}
			if (!region.isAligned(operation.remoteOffset())) {
				region.checkAligned(context(kind.name()), operation.remoteOffset());
			}
		}
		else if (operation.length() > this.maxTransferSize) {
			throw new RdmaMessageTooLargeException(context(kind.name()), operation.length(), this.maxTransferSize,
					"Move it in parts, as RdmaTemplate does.");
		}
	}

	private void checkLocal(Operation operation) {
		RdmaBuffer buffer = operation.buffer();
		MemoryRegion memory = operation.memory();
		long size = (buffer != null) ? buffer.capacity() : ((memory != null) ? memory.length() : 0);
		long offset = operation.givenOffset();
		if (offset < 0 || offset > size - operation.length()) {
			RdmaBoundsException.check(context(operation.kind().name()),
					(buffer != null) ? "the buffer" : "the local memory", offset, operation.length(), size);
		}
		boolean written = operation.kind() == OperationKind.READ || operation.kind().isAtomic();
		if (written && memory != null && !memory.access().contains(AccessFlag.LOCAL_WRITE)) {
			throw new RdmaAccessDeniedException(context(operation.kind().name()), "the local memory",
					AccessFlag.LOCAL_WRITE, memory.access());
		}
	}

	private void checkReady(Operation operation) {
		ConnectionState current = this.state;
		if (current == ConnectionState.READY) {
			return;
		}
		if (current == ConnectionState.CONNECTING) {
			throw new IllegalStateException("The connection is not made yet");
		}
		throw notPosted(operation);
	}

	private RdmaException notPosted(Operation operation) {
		RdmaException cause = this.failure;
		if (cause != null) {
			return new RdmaConnectionLostException(context(operation.kind().name()),
					"the connection was lost before the operation was posted, so it has no effect: "
							+ cause.getMessage(),
					"Repeat the operation: the connection is made again by itself.", cause);
		}
		return new RdmaClosedException(context(operation.kind().name()),
				"the connection is being closed, the operation has no effect",
				"Repeat the operation on a new connection, unless the application is shutting down.");
	}

	private void sendInOrder(Operation operation) {
		int count = pieces(operation);
		ReentrantLock lane = lane(operation);
		if (!lane.tryLock()) {
			awaitLane(operation, lane);
		}
		try {
			operation.expect(count);
			postAll(operation, count);
		}
		finally {
			lane.unlock();
		}
	}

	private ReentrantLock lane(Operation operation) {
		return operation.isReply() ? this.replyLane : this.ordinaryLane;
	}

	private int reserve(Operation operation) {
		return operation.isReply() ? 0 : this.replyReserve;
	}

	private void awaitLane(Operation operation, ReentrantLock lane) {
		RdmaThreads.checkMayBlock();
		try {
			long remaining = operation.deadlineNanos() - System.nanoTime();
			if (!lane.tryLock(Math.max(0, remaining), TimeUnit.NANOSECONDS)) {
				throw doesNotConsume(operation, "earlier messages to the peer were not sent in time, so this one was "
						+ "not sent either");
			}
		}
		catch (InterruptedException ex) {
			throw interrupted(operation);
		}
	}

	private int pieces(Operation operation) {
		if (operation.kind() != OperationKind.SEND) {
			return 1;
		}
		int room = pieceRoom();
		int first = room - contentTypeBytes(operation);
		if (operation.length() <= first) {
			return 1;
		}
		return 1 + (int) (((long) operation.length() - first + room - 1) / room);
	}

	private int pieceRoom() {
		return Math.min(this.remote.receiveBufferSize(), this.maxTransferSize) - MessageHeader.SIZE;
	}

	private static int contentTypeBytes(Operation operation) {
		String contentType = operation.contentType();
		return (contentType != null)
				? SendQueue.writtenOut(MessageHeader.contentTypeCode(contentType), contentType).length : 0;
	}

	private void postAll(Operation operation, int count) {
		int posted = 0;
		int at = 0;
		try {
			while (posted < count) {
				boolean credit = operation.kind().needsCredit();
				if (credit && !takeCredits(operation, 1)) {
					awaitCredit(operation);
				}
				try {
					if (!this.table.tryReserve(1)) {
						awaitSlot(operation);
					}
					at += post(operation, posted, at, true);
				}
				catch (RuntimeException ex) {
					if (credit) {
						this.credits.giveBack(1);
					}
					throw ex;
				}
				posted++;
			}
		}
		catch (RuntimeException ex) {
			if (operation.arrived(count - posted)) {
				operation.release();
			}
			throw ex;
		}
		countSent(operation);
	}

	private boolean tryPost(Operation operation) {
		int count = pieces(operation);
		boolean credit = operation.kind().needsCredit();
		if (count > this.table.depth() || (credit && count > this.remote.receiveDepth() - reserve(operation))) {
			throw new RdmaQueueFullException(context(operation.kind().name()),
					"the message takes " + count + " sends, which never fit at once",
					"Use a method that may wait, or raise rdma.queue-pair.send-depth here and "
							+ "rdma.queue-pair.receive-depth at the peer.");
		}
		if (!credit) {
			if (!this.table.tryReserve(1)) {
				return false;
			}
			operation.expect(1);
			return postReserved(operation, 1);
		}
		ReentrantLock lane = lane(operation);
		if (!lane.tryLock()) {
			return false;
		}
		try {
			if (!takeCredits(operation, count)) {
				return false;
			}
			if (!this.table.tryReserve(count)) {
				this.credits.giveBack(count);
				return false;
			}
			operation.expect(count);
			return postReserved(operation, count);
		}
		finally {
			lane.unlock();
		}
	}

	private boolean postReserved(Operation operation, int count) {
		int posted = 0;
		int at = 0;
		try {
			while (posted < count) {
				at += post(operation, posted, at, false);
				posted++;
			}
			countSent(operation);
			return true;
		}
		catch (RuntimeException ex) {
			if (operation.kind().needsCredit()) {
				this.credits.giveBack(count - posted);
			}
			this.table.unreserve(count - posted - 1);
			if (operation.arrived(count - posted)) {
				operation.release();
			}
			throw ex;
		}
	}

	private void countSent(Operation operation) {
		if (operation.kind() == OperationKind.SEND) {
			this.messagesSent.increment();
		}
	}

	/**
	 * Post one work request into a slot that is reserved.
	 * @param operation the operation
	 * @param piece which piece of it
	 * @param from where in the payload it starts
	 * @param mayWait whether to wait if the device has no room
	 * @return how many bytes of payload it has
	 */
	private int post(Operation operation, int piece, int from, boolean mayWait) {
		SendSlot slot = reservedSlot(operation);
		int generation = slot.take(operation);
		long id = WorkRequestId.encode(WorkRequestKind.SEND, slot.index(), generation);
		try {
			while (true) {
				try {
					return post(operation, piece, from, slot, id);
				}
				catch (VerbsException ex) {
					// a device may free its places later than it completes work
					if (ex.errno() != Errno.ENOMEM || !mayWait) {
						throw ex;
					}
					awaitDevice(operation, ex);
				}
			}
		}
		catch (RuntimeException ex) {
			if (slot.end(generation)) {
				this.table.giveBack(slot);
			}
			throw translate(operation, ex);
		}
	}

	private int post(Operation operation, int piece, int from, SendSlot slot, long id) {
		if (operation.kind() != OperationKind.SEND) {
			this.sendQueue.post(operation, id);
			return operation.length();
		}
		int room = pieceRoom() - ((piece == 0) ? contentTypeBytes(operation) : 0);
		int length = Math.min(room, operation.length() - from);
		int posted = this.window.posted();
		this.sendQueue.postPiece(operation, id, slot.index(), piece, from, length, posted);
		told(posted);
		return length;
	}

	private SendSlot reservedSlot(Operation operation) {
		// after a failure the permits are no longer worth a slot, they only wake who waits
		if (this.state.isFinal()) {
			this.table.unreserve(1);
			throw notPosted(operation);
		}
		return this.table.pop();
	}

	private RuntimeException translate(Operation operation, RuntimeException exception) {
		if (exception instanceof RdmaException || exception instanceof IllegalArgumentException) {
			return exception;
		}
		if (this.state != ConnectionState.READY && this.state != ConnectionState.DRAINING) {
			return notPosted(operation);
		}
		if (exception instanceof VerbsException verbs) {
			return RdmaExceptionTranslator.translate(verbs, context(operation.kind().name()));
		}
		if (exception instanceof ResourceClosedException closed) {
			return RdmaExceptionTranslator.translate(closed, context(operation.kind().name()));
		}
		return exception;
	}

	private void awaitSlot(Operation operation) {
		RdmaThreads.checkMayBlock();
		try {
			while (true) {
				poller().assist();
				long remaining = operation.deadlineNanos() - System.nanoTime();
				if (this.table.tryReserve(Math.max(0, Math.min(remaining, SLOT_WAIT_NANOS)))) {
					return;
				}
				if (remaining <= 0) {
					throw new RdmaTimeoutException(context(operation.kind().name()),
							"all " + sendDepth() + " places of the send queue were in use until the time limit, so "
									+ "the operation was not posted",
							"Wait for operations to complete, raise rdma.queue-pair.send-depth, or give the operation "
									+ "more time.");
				}
			}
		}
		catch (InterruptedException ex) {
			throw interrupted(operation);
		}
	}

	private void awaitDevice(Operation operation, VerbsException cause) {
		RdmaThreads.checkMayBlock();
		poller().assist();
		if (operation.deadlineNanos() - System.nanoTime() <= 0) {
			throw new RdmaTimeoutException(context(operation.kind().name()),
					"the device had no room in the send queue until the time limit, so the operation was not posted",
					"Lower rdma.queue-pair.send-depth to what the device can do, or give the operation more time.",
					cause);
		}
		pause(operation, MIN_PARK_NANOS);
	}

	private void pause(Operation operation, long nanos) {
		LockSupport.parkNanos(this, nanos);
		if (Thread.interrupted()) {
			throw interrupted(operation);
		}
		if (this.state.isFinal()) {
			throw notPosted(operation);
		}
	}

	private RdmaInterruptedException interrupted(Operation operation) {
		Thread.currentThread().interrupt();
		return new RdmaInterruptedException(context(operation.kind().name()),
				"the thread was interrupted before all of the operation was posted", "Repeat it if it is still wanted.");
	}

	void expire(Operation operation, long now) {
		operation.expire(new RdmaTimeoutException(context(operation.kind().name()),
				"the operation did not end within its time limit",
				"Check the health of the peer and of the network, or give the operation more time. It may still take "
						+ "effect."),
				now);
	}

	// ---- Credits

	private boolean takeCredits(Operation operation, int count) {
		int reserve = reserve(operation);
		if (this.credits.tryTake(count, reserve)) {
			return true;
		}
		return readCreditWord() && this.credits.tryTake(count, reserve);
	}

	private boolean readCreditWord() {
		if (this.state.isFinal()) {
			return false;
		}
		long word = this.resources.block().word();
		return CreditWord.isValid(word) && this.credits.grant(CreditWord.count(word));
	}

	/**
	 * Wait until the peer gives a credit. A write of the peer into our memory wakes nobody:
	 * the word is looked at again and again.
	 * @param operation the operation
	 */
	private void awaitCredit(Operation operation) {
		RdmaThreads.checkMayBlock();
		this.creditStalls.increment();
		this.creditWaiter = Thread.currentThread();
		try {
			long park = MIN_PARK_NANOS;
			while (true) {
				poller().assist();
				if (takeCredits(operation, 1)) {
					return;
				}
				long remaining = operation.deadlineNanos() - System.nanoTime();
				if (remaining <= 0) {
					throw doesNotConsume(operation, "the peer does not consume its messages: all "
							+ this.remote.receiveDepth() + " it can take are waiting there, so this one was not sent");
				}
				pause(operation, Math.min(remaining, park));
				park = Math.min(2 * park, MAX_PARK_NANOS);
			}
		}
		finally {
			this.creditWaiter = null;
		}
	}

	private RdmaTimeoutException doesNotConsume(Operation operation, String problem) {
		return new RdmaTimeoutException(context(operation.kind().name()), problem,
				"Look at the peer: it needs an @RdmaListener or receive() for messages of this service. Its "
						+ "rdma.queue-pair.receive-depth sets how many can wait.");
	}

	private void granted(int count) {
		if (this.credits.grant(count)) {
			Thread waiter = this.creditWaiter;
			if (waiter != null) {
				LockSupport.unpark(waiter);
			}
		}
	}

	/**
	 * Note that the peer is being told how many receives were posted.
	 * @param posted the number
	 */
	private void told(int posted) {
		if (posted - this.advertised > 0) {
			this.advertised = posted;
		}
	}

	/**
	 * Tell the peer of receives that were posted again, if it is time: when a quarter of
	 * them are not known to it, or when it may be out of credits.
	 */
	private void returnCredits() {
		Parameters told = this.parameters;
		if (told == null || this.farewell.getCount() == 0) {
			// not yet, or the peer sends nothing more
			return;
		}
		int quarter = Math.max(1, this.window.depth() / 4);
		while (true) {
			int untold = this.window.posted() - this.advertised;
			int left = this.advertised - this.window.received();
			boolean due = untold >= quarter || (untold > 0 && left <= quarter);
			if (!due || this.state.isFinal() || !this.creditUnderWay.compareAndSet(false, true)) {
				return;
			}
			if (!postCredit(told)) {
				return;
			}
		}
	}

	private boolean postCredit(Parameters parameters) {
		int generation = this.creditSlot.take(null);
		this.creditSince = System.nanoTime();
		try {
			int posted = this.window.posted();
			this.sendQueue.postCredit(parameters.creditWordAddress(), parameters.creditWordKey(), this.creditSlot, generation,
					posted);
			told(posted);
			return true;
		}
		catch (RuntimeException ex) {
			if (this.creditSlot.end(generation)) {
				this.creditUnderWay.set(false);
			}
			broken("credits could not be returned to the peer", ex);
			return false;
		}
	}

	private void broken(String problem, RuntimeException exception) {
		RdmaErrorContext known = context("flow control");
		RdmaException cause = (exception instanceof VerbsException verbs)
				? RdmaExceptionTranslator.translate(verbs, known)
				: new RdmaConnectionLostException(known, problem + ": " + exception, RETRY, exception);
		fail(cause);
	}

	// ---- Handshake

	void register() {
		poller().dispatcher().register(queuePairNumber(), this.sink);
	}

	/**
	 * Take what the peer lets us use.
	 * @param told what it told
	 */
	void parameters(Parameters told) {
		this.parameters = told;
		returnCredits();
	}

	/**
	 * Send the proof that the queue pair works.
	 */
	void sendReady() {
		if (!this.credits.tryTake(1, 0)) {
			throw new IllegalStateException("The first message has no credit");
		}
		int generation = this.readySlot.take(null);
		try {
			this.sendQueue.postReady(WorkRequestId.encode(WorkRequestKind.CONTROL, READY_SLOT, generation),
					this.table.depth(), this.window.posted());
		}
		catch (RuntimeException ex) {
			this.readySlot.end(generation);
			throw ex;
		}
	}

	/**
	 * Wait until our proof arrived and the peer's did.
	 * @param deadlineNanos until when
	 * @return whether both did
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitProof(long deadlineNanos) throws InterruptedException {
		long wait = TimeUnit.MICROSECONDS.toNanos(50);
		while (this.failure == null) {
			poller().assist();
			long remaining = deadlineNanos - System.nanoTime();
			if (this.proof.await(Math.max(0, Math.min(remaining, wait)), TimeUnit.NANOSECONDS)) {
				return this.failure == null;
			}
			if (remaining <= 0) {
				return false;
			}
			wait = Math.min(2 * wait, SLOT_WAIT_NANOS);
		}
		return false;
	}

	String describePaths() {
		return "this side: " + this.local.describePath() + "; peer: " + this.remote.describePath();
	}

	// ---- Completions

	private boolean completed(WorkCompletion completion) {
		long id = completion.wrId();
		WorkRequestKind kind = WorkRequestId.kind(id);
		boolean known = kind != null && switch (kind) {
			case SEND -> sendCompleted(id, completion);
			case RECEIVE -> receiveCompleted(id, completion);
			case CONTROL -> controlCompleted(id, completion);
		};
		if (!known) {
			this.strays.increment();
		}
		return known;
	}

	private boolean sendCompleted(long id, WorkCompletion completion) {
		int index = WorkRequestId.slot(id);
		int generation = WorkRequestId.generation(id);
		if (index >= this.table.depth()) {
			return false;
		}
		SendSlot slot = this.table.slot(index);
		Operation operation = slot.operation();
		if (operation == null || !slot.end(generation)) {
			return false;
		}
		this.table.giveBack(slot);
		if (completion.isSuccess()) {
			if (operation.arrived(1)) {
				operation.complete();
				operation.release();
			}
			return true;
		}
		operation.fail(error(completion, operation.kind().name()));
		if (operation.arrived(1)) {
			operation.release();
		}
		return true;
	}

	private boolean controlCompleted(long id, WorkCompletion completion) {
		int index = WorkRequestId.slot(id);
		SendSlot slot = (index == CREDIT_SLOT) ? this.creditSlot : this.readySlot;
		if (index > READY_SLOT || !slot.end(WorkRequestId.generation(id))) {
			return false;
		}
		if (index == CREDIT_SLOT) {
			this.creditUnderWay.set(false);
		}
		if (!completion.isSuccess()) {
			error(completion, (index == CREDIT_SLOT) ? "flow control" : "handshake");
		}
		else if (index == CREDIT_SLOT) {
			returnCredits();
		}
		else {
			this.proof.countDown();
		}
		return true;
	}

	private boolean receiveCompleted(long id, WorkCompletion completion) {
		ReceiveSlot slot = this.window.match(id);
		if (slot == null) {
			return false;
		}
		if (!completion.isSuccess()) {
			error(completion, OperationKind.RECEIVE.name());
			return true;
		}
		this.window.countReceived();
		try {
			received(slot, completion);
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			fail(new RdmaConnectionLostException(context(OperationKind.RECEIVE.name()),
					"a message could not be taken in: " + ex, RETRY, ex));
		}
		return true;
	}

	private void received(ReceiveSlot slot, WorkCompletion completion) {
		if (completion.opcode() == CompletionOpcode.RECV_RDMA_WITH_IMM) {
			deliver(QueuedMessage.immediate(this, slot, completion.immediate(), completion.byteLength()));
			return;
		}
		ByteBuffer memory = slot.view();
		String fault = (completion.byteLength() < MessageHeader.SIZE)
				? "it has " + completion.byteLength() + " bytes, fewer than its header" : null;
		if (fault == null) {
			granted(MessageHeader.credit(memory));
			fault = switch (MessageHeader.type(memory)) {
				case MessageHeader.READY -> {
					this.window.repost(slot);
					this.proof.countDown();
					returnCredits();
					yield null;
				}
				case MessageHeader.DATA -> data(slot, (int) completion.byteLength());
				default -> "it has the unknown type " + MessageHeader.type(memory);
			};
		}
		if (fault != null) {
			fail(new RdmaConnectionLostException(context(OperationKind.RECEIVE.name()),
					"the peer sent a malformed message: " + fault,
					"Check that both sides use the same version of this library. " + RETRY));
		}
	}

	private @Nullable String data(ReceiveSlot slot, int received) {
		ByteBuffer memory = slot.view();
		int flags = MessageHeader.flags(memory);
		int length = MessageHeader.pieceLength(memory);
		long total = MessageHeader.totalLength(memory);
		boolean first = (flags & MessageHeader.FIRST) != 0;
		boolean last = (flags & MessageHeader.LAST) != 0;
		int at = MessageHeader.SIZE + MessageHeader.contentTypeBytes(memory);
		if (length < 0 || at + (long) length != received) {
			return "it has " + received + " bytes, but its header tells of " + length;
		}
		if (total < length || total > this.context.settings().maxMessageSize()) {
			return "it has " + total + " bytes in all, but " + this.context.settings().maxMessageSize()
					+ " are allowed";
		}
		if (first && last) {
			if (total != length) {
				return "its only piece has " + length + " bytes of " + total;
			}
			single(slot, at, length, flags);
			return null;
		}
		return piece(slot, at, length, (int) total, flags);
	}

	private void single(ReceiveSlot slot, int at, int length, int flags) {
		ByteBuffer memory = slot.view();
		long correlationId = MessageHeader.correlationId(memory);
		String contentType = MessageHeader.contentType(memory);
		if ((flags & MessageHeader.REPLY) != 0) {
			byte[] payload = new byte[length];
			memory.get(at, payload);
			this.window.repost(slot);
			returnCredits();
			reply(payload, contentType, correlationId);
			return;
		}
		deliver(QueuedMessage.inBuffer(this, slot, at, length, contentType, correlationId,
				(flags & MessageHeader.REQUEST) != 0));
	}

	private @Nullable String piece(ReceiveSlot slot, int at, int length, int total, int flags) {
		ByteBuffer memory = slot.view();
		boolean reply = (flags & MessageHeader.REPLY) != 0;
		Reassembly reassembly = reply ? this.replyReassembly : this.ordinaryReassembly;
		if ((flags & MessageHeader.FIRST) != 0 && reassembly.start(total, MessageHeader.contentType(memory))) {
			this.abortedMessages.increment();
		}
		String fault = reassembly.append(MessageHeader.piece(memory), memory, at, length);
		if (fault != null) {
			return fault;
		}
		long correlationId = MessageHeader.correlationId(memory);
		boolean last = (flags & MessageHeader.LAST) != 0;
		byte[] whole = last ? reassembly.finish() : null;
		if (last && whole == null) {
			return "its last piece came before all others";
		}
		if (whole == null || reply) {
			// a reply is waited for, so it may use memory; other messages wait to be taken
			if (reply) {
				this.window.repost(slot);
			}
			else {
				this.window.repostUnlessFull(slot);
			}
			returnCredits();
			if (whole != null) {
				reply(whole, reassembly.contentType(), correlationId);
			}
			return null;
		}
		deliver(QueuedMessage.whole(this, slot, whole, reassembly.contentType(), correlationId,
				(flags & MessageHeader.REQUEST) != 0));
		return null;
	}

	private void reply(byte[] payload, @Nullable String contentType, long correlationId) {
		this.context.owner()
			.replied(new InboundMessage(this.peer, this, payload, contentType, correlationId, false, true, null,
					payload.length));
	}

	private void deliver(QueuedMessage message) {
		if (this.window.hold(message.slot(), message.heldBytes())) {
			this.context.owner().arrived(message);
		}
	}

	void taken(QueuedMessage message) {
		try {
			this.window.taken(message.slot(), message.heldBytes());
		}
		catch (RuntimeException ex) {
			broken("a receive could not be posted again", ex);
			return;
		}
		returnCredits();
	}

	/**
	 * Make the exception of a failed completion, and let the connection fail with the first.
	 * @param completion the completion
	 * @param operation what failed
	 * @return the exception for the operation alone
	 */
	private RdmaException error(WorkCompletion completion, String operation) {
		this.resources.failed();
		CompletionStatus status = completion.status();
		RdmaErrorContext known = context(operation).withStatus(status).withVendorError(completion.vendorError());
		if (status == CompletionStatus.WR_FLUSH_ERR) {
			this.flushed.increment();
			if (this.failure == null && !this.state.isFinal()) {
				fail(new RdmaConnectionLostException(known,
						"the queue pair went to the ERR state with no operation of this side to blame",
						"The peer closed its queue pair, or one of its operations was refused: look into its log. "
								+ RETRY));
			}
			return unknownOutcome(known);
		}
		fail(RdmaExceptionTranslator.translate(status, known));
		return RdmaExceptionTranslator.translate(status, known);
	}

	private RdmaException unknownOutcome(RdmaErrorContext known) {
		RdmaException cause = this.failure;
		if (cause == null) {
			return new RdmaClosedException(known,
					"the connection was closed before the operation ended; whether it took effect is not known",
					"Repeat the operation if it may be carried out twice, unless the application is shutting down.");
		}
		return new RdmaConnectionLostException(known,
				"the connection was lost before the operation ended; whether it took effect is not known: "
						+ cause.getMessage(),
				RETRY, cause);
	}

	// ---- States

	/**
	 * Let the connection be used.
	 * @return whether it can be, {@code false} if it failed meanwhile
	 */
	boolean ready() {
		return go(ConnectionState.CONNECTING, ConnectionState.READY, null);
	}

	/**
	 * Accept nothing new.
	 * @param reason why
	 * @return whether it was in use
	 */
	boolean drain(String reason) {
		return go(ConnectionState.READY, ConnectionState.DRAINING, reason);
	}

	/**
	 * End in order.
	 * @param reason why
	 */
	void closed(String reason) {
		if (go(ConnectionState.DRAINING, ConnectionState.CLOSED, reason)
				|| go(ConnectionState.CONNECTING, ConnectionState.CLOSED, reason)) {
			wakeAll();
		}
	}

	private boolean go(ConnectionState from, ConnectionState to, @Nullable String reason) {
		this.transition.lock();
		try {
			if (this.state != from) {
				return false;
			}
			this.state = to;
			this.since = Instant.now();
			// told before anything else can happen, so that nobody hears of it in wrong order
			this.context.owner().changed(this, from, to, reason, null);
			return true;
		}
		finally {
			this.transition.unlock();
		}
	}

	/**
	 * Let the connection fail. The first cause counts.
	 * @param cause why
	 * @return whether this was the first
	 */
	boolean fail(RdmaException cause) {
		this.transition.lock();
		try {
			ConnectionState from = this.state;
			if (from.isFinal()) {
				return false;
			}
			this.failure = cause;
			this.state = ConnectionState.LOST;
			this.since = Instant.now();
			wakeAll();
			this.context.owner().changed(this, from, ConnectionState.LOST, cause.getMessage(), cause);
			return true;
		}
		finally {
			this.transition.unlock();
		}
	}

	private void wakeAll() {
		this.table.wakeAll();
		Thread waiter = this.creditWaiter;
		if (waiter != null) {
			LockSupport.unpark(waiter);
		}
		this.proof.countDown();
		this.proof.countDown();
		this.farewell.countDown();
	}

	/**
	 * Take note that the peer sends nothing more over the queue pair.
	 */
	void farewell() {
		this.farewell.countDown();
	}

	boolean isReleased() {
		return this.released.getCount() == 0;
	}

	/**
	 * Wait until the peer sends nothing more.
	 * @param deadlineNanos until when
	 * @throws InterruptedException if the thread is interrupted
	 */
	void awaitFarewell(long deadlineNanos) throws InterruptedException {
		if (!this.farewell.await(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
			logger.debug("Peer '{}' did not say good-bye in time", this.peer);
		}
	}

	/**
	 * Return whether nothing is outstanding or about to be.
	 * @return whether it is idle
	 */
	boolean isIdle() {
		return this.table.isIdle() && !this.ordinaryLane.isLocked() && !this.replyLane.isLocked()
				&& !SendSlot.isInUse(this.creditSlot.generation());
	}

	/**
	 * Wait until nothing is outstanding or about to be.
	 * @param deadlineNanos until when
	 * @return whether nothing is
	 */
	boolean awaitIdle(long deadlineNanos) {
		return await(this::isIdle, deadlineNanos);
	}

	private boolean await(BooleanSupplier condition, long deadlineNanos) {
		long park = MIN_PARK_NANOS;
		while (!condition.getAsBoolean()) {
			poller().assist();
			if (deadlineNanos - System.nanoTime() <= 0 || Thread.currentThread().isInterrupted()) {
				return condition.getAsBoolean();
			}
			LockSupport.parkNanos(this, park);
			park = Math.min(2 * park, MAX_PARK_NANOS);
		}
		return true;
	}

	/**
	 * Let the queue pair flush what is posted and release everything, after the connection
	 * failed or was closed. If another thread does that, wait for it.
	 * @param deadlineNanos until when to wait for what is flushed
	 */
	void release(long deadlineNanos) {
		if (!this.releasing.compareAndSet(false, true)) {
			await(() -> this.released.getCount() == 0, deadlineNanos);
			return;
		}
		try {
			flushAndRelease(deadlineNanos);
		}
		finally {
			this.released.countDown();
		}
	}

	private void flushAndRelease(long deadlineNanos) {
		try {
			this.resources.error();
			if (!await(this::isFlushed, deadlineNanos)) {
				logger.debug("Not all work of the connection to peer '{}' was flushed in time", this.peer);
			}
		}
		catch (RuntimeException ex) {
			logger.warn("Queue pair 0x{} of the connection to peer '{}' could not be put into the ERR state: {}",
					Integer.toHexString(queuePairNumber()), this.peer, ex.getMessage());
		}
		this.resources.close();
		poller().dispatcher().unregister(queuePairNumber(), this.sink);
		this.table.forEachInUse(this::giveUp);
		this.channel.close();
	}

	private boolean isFlushed() {
		return this.table.inUse() == 0 && this.window.outstanding() == 0
				&& !SendSlot.isInUse(this.creditSlot.generation()) && !SendSlot.isInUse(this.readySlot.generation());
	}

	private void giveUp(SendSlot slot) {
		int generation = slot.generation();
		Operation operation = slot.operation();
		if (operation == null || !slot.end(generation)) {
			return;
		}
		this.table.giveBack(slot);
		operation.fail(unknownOutcome(context(operation.kind().name())));
		if (operation.arrived(1)) {
			operation.release();
		}
	}

	// ---- Time

	/**
	 * Let operations end whose time is over, and the connection if the device does not let
	 * go of their memory.
	 * @param now the time
	 */
	void tick(long now) {
		if (this.state.isFinal()) {
			return;
		}
		long drainNanos = this.context.settings().drainTimeout().toNanos();
		if (SendSlot.isInUse(this.creditSlot.generation()) && now - this.creditSince >= 2 * drainNanos) {
			fail(new RdmaTimeoutException(context("flow control"), "the return of credits did not complete",
					"Check the health of the peer and of the network. " + RETRY));
			return;
		}
		if (!this.table.isIdle()) {
			this.table.forEachInUse((slot) -> tick(slot.operation(), now, drainNanos));
		}
	}

	private void tick(@Nullable Operation operation, long now, long drainNanos) {
		if (operation == null) {
			return;
		}
		if (!operation.isDone()) {
			if (now - operation.deadlineNanos() >= 0) {
				expire(operation, now);
			}
		}
		else if (operation.isHeld() && now - operation.expiredNanos() >= drainNanos) {
			fail(new RdmaTimeoutException(context(operation.kind().name()),
					"the device did not complete an operation within "
							+ this.context.settings().drainTimeout().toMillis() + " ms after it timed out",
					"The queue pair is put into the ERR state to get its memory back. " + RETRY));
		}
	}

	/**
	 * Return when the first operation timed out whose memory is held back.
	 * @param now the time
	 * @return how long ago in nanoseconds, -1 if there is none
	 */
	long longestHeld(long now) {
		long[] longest = { -1 };
		this.table.forEachInUse((slot) -> {
			Operation operation = slot.operation();
			if (operation != null && operation.isHeld()) {
				longest[0] = Math.max(longest[0], now - operation.expiredNanos());
			}
		});
		return longest[0];
	}

	@Override
	public String toString() {
		return "connection %s peer '%s' (queue pair 0x%06x, %s)".formatted(this.inbound ? "from" : "to", this.peer,
				queuePairNumber(), this.state);
	}

}
