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

package io.rdma.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.QueuePairAttribute;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.StructLayouts;
import io.rdma.verbs.WorkRequestOpcode;
import io.rdma.verbs.soft.shm.MemoryFaults;
import io.rdma.verbs.soft.shm.OutgoingRequests;
import io.rdma.verbs.soft.shm.RingLayout;
import io.rdma.verbs.soft.shm.SharedConnection;
import io.rdma.verbs.soft.shm.SharedPiece;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of a queue pair over shared memory. As many are under way as the
 * ring has slots. The peer answers each of them, in order. Behind one that it does not
 * carry out it takes no notice of the others, whose numbers are not those it expects, and
 * they are sent again with the one.
 *
 * <p>
 * A small message stands in the request itself. Of a large one the request says in which
 * shared memory it is, and if it is not in shared memory, or must not be found there
 * later, it is copied there. What comes back goes the same ways.
 */
@Slf4j
final class SharedMemorySender extends RemoteSender {

	/** How often memory that the peer cannot map is named to it all the same. */
	private static final int MAX_UNREACHABLE = 8;

	private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long WAIT_STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	private final Requester requester;

	private final SendQueue queue;

	private final SendRequest view;

	private final SharedConnection connection;

	private final OutgoingRequests ring;

	/** How the payload of the request in each slot goes. */
	private final Payload[] payloads;

	/** Where in the staging memory the payload of each slot is. */
	private final long[] stagedAt;

	private int mtuShift;

	/** The position of the next request to be sent. */
	private long next;

	/** The position after the last one that was ever sent. */
	private long started;

	/** Answers to requests with sequences before this one mean nothing any more. */
	private long validFrom;

	/** The PSN of the oldest request. */
	private int oldestPsn;

	/** The PSN of the next one to be sent. */
	private int nextPsn;

	/** The PSN of the next one that is sent for the first time. */
	private int newPsn;

	private int readsUnderWay;

	private int unreachable;

	/** Up to this position, messages are copied to where the peer has mapped memory. */
	private long stagedUntil;

	private boolean stopped;

	private boolean warned;

	SharedMemorySender(Requester requester, SharedConnection connection) {
		this.requester = requester;
		this.queue = requester.queue();
		this.view = requester.newView();
		this.connection = connection;
		this.ring = connection.outgoing();
		this.payloads = new Payload[this.ring.slots()];
		this.stagedAt = new long[this.ring.slots()];
		this.next = this.queue.oldest();
		this.started = this.next;
	}

	@Override
	void configure(QueuePairAttributes attributes) {
		if (attributes.has(QueuePairAttribute.PATH_MTU)) {
			this.mtuShift = Integer.numberOfTrailingZeros(attributes.pathMtu().bytes());
		}
		if (attributes.has(QueuePairAttribute.SQ_PSN)) {
			this.oldestPsn = attributes.sqPsn();
			this.nextPsn = this.oldestPsn;
			this.newPsn = this.oldestPsn;
		}
	}

	@Override
	int psn() {
		return this.newPsn;
	}

	@Override
	boolean isIdle() {
		return this.stopped || this.queue.oldest() >= this.started;
	}

	/**
	 * What the peer has not taken is withdrawn, and what it is carrying out is waited
	 * for, since whoever is told that a request was flushed uses its memory for something
	 * else. Where the files are not sealed nothing can be withdrawn, since that takes an
	 * atomic instruction. A process that was stopped in the middle of copying is not
	 * waited for; it never writes where that can be seen, see {@link #choosePayload}.
	 */
	@Override
	void stop() {
		if (this.stopped) {
			return;
		}
		this.stopped = true;
		this.readsUnderWay = 0;
		try {
			this.ring.withdraw();
			awaitAnswers();
			settle();
		}
		catch (InternalError ex) {
			logger.debug("The memory that is shared with process {} was truncated", this.connection.peerProcess(), ex);
			this.connection.loseWithin(false);
		}
		this.validFrom = this.ring.nextRequest();
	}

	@Override
	boolean takeOver(RemotePath path) {
		return path instanceof SharedMemoryPath shared && shared.connection() == this.connection;
	}

	private void awaitAnswers() {
		long deadline = System.nanoTime() + MAX_WAIT_NANOS;
		while (!this.ring.isAnswered() && System.nanoTime() - deadline < 0) {
			LockSupport.parkNanos(this, WAIT_STEP_NANOS);
		}
	}

	@Override
	void restart() {
		this.validFrom = this.ring.nextRequest();
		this.next = this.queue.oldest();
		this.nextPsn = this.oldestPsn;
		this.readsUnderWay = 0;
	}

	/**
	 * The memory that is let go is also known to the peer, which is done with it once it
	 * has answered. A peer that does not answer for a moment is not waited for: what it
	 * may still touch is never used for anything else.
	 */
	@Override
	void forget() {
		this.view.forget();
		try {
			awaitAnswers();
			settle();
		}
		catch (InternalError ex) {
			giveUp(ex);
		}
	}

	@Override
	void progress() {
		if (this.stopped || this.requester.isWaiting()) {
			return;
		}
		if (this.connection.isLost()) {
			failForLack();
			return;
		}
		long before = this.ring.nextRequest();
		try {
			boolean going = true;
			while (going && mayStart()) {
				going = startNext();
				this.view.release();
			}
			if (this.ring.nextRequest() != before) {
				this.connection.ringForRequests();
			}
			settle();
		}
		catch (InternalError ex) {
			giveUp(ex);
		}
	}

	private void settle() {
		if (!this.connection.isSealed()) {
			MemoryFaults.settle();
		}
	}

	private void giveUp(InternalError cause) {
		logger.warn("The memory that is shared with process {} was truncated: the connection is given up",
				this.connection.peerProcess(), cause);
		this.connection.loseWithin(false);
		if (!this.stopped && !this.requester.isWaiting()) {
			failForLack();
		}
	}

	/**
	 * There is nobody any more who would answer: as when a peer does not, for one that
	 * left; at once, for one that died.
	 */
	private void failForLack() {
		restart();
		if (this.queue.isEmpty() || !mayStart()) {
			return;
		}
		if (this.connection.isOrderly()) {
			this.requester.ignored();
		}
		else {
			this.requester.completeOldest(CompletionStatus.RETRY_EXC_ERR);
		}
	}

	private boolean mayStart() {
		return !this.stopped && this.next < this.queue.end() && (this.next < this.started || this.requester.mayStart());
	}

	/**
	 * Start the next request.
	 * @return whether the one after it may be looked at
	 */
	private boolean startNext() {
		this.queue.view(this.next, this.view);
		boolean isOldest = this.next == this.queue.oldest();
		if (Requester.isLocal(this.view)) {
			return isOldest && carryOutHere();
		}
		boolean reads = this.view.bringsAnswer();
		if ((reads && this.readsUnderWay >= this.requester.maxReadAtomic())
				|| (this.view.isFenced() && this.readsUnderWay > 0)) {
			return false;
		}
		if (!this.requester.queuePair().context().isPortActive()) {
			if (isOldest) {
				this.requester.ignored();
			}
			return false;
		}
		if (!reads && !this.view.findSource()) {
			return failHere(isOldest, CompletionStatus.LOC_PROT_ERR);
		}
		if (this.view.length() > Limits.MAX_MESSAGE) {
			return failHere(isOldest, CompletionStatus.LOC_LEN_ERR);
		}
		return this.ring.hasRoom() && send(reads, isOldest);
	}

	private boolean carryOutHere() {
		CompletionStatus status = this.requester.attemptLocally(this.view);
		this.next++;
		this.started = Math.max(this.started, this.next);
		this.requester.completeOldest(status);
		return true;
	}

	/**
	 * Fail a request that cannot leave, once all before it are answered.
	 */
	private boolean failHere(boolean isOldest, CompletionStatus status) {
		if (isOldest) {
			this.requester.completeOldest(status);
		}
		return false;
	}

	private boolean send(boolean reads, boolean isOldest) {
		int slot = this.ring.slot(this.ring.nextRequest());
		int at = this.ring.offset(slot);
		boolean landing = !reads || this.view.findLanding();
		long length = this.view.length();
		ByteBuffer buffer = this.ring.buffer();
		int segments = 0;
		Payload payload = Payload.NONE;
		if (length > 0 && landing && !this.view.isAtomic()) {
			payload = choosePayload(length, reads);
			try {
				if (payload == Payload.STAGED && !stage(slot, length)) {
					return false;
				}
			}
			catch (IOException ex) {
				if (reads || this.next < this.stagedUntil || !isShared()) {
					return failForMemory(isOldest, length, ex);
				}
				// better than to fail, though it cannot be withdrawn
				payload = Payload.SHARED;
			}
			segments = place(payload, buffer, at, slot, length, reads);
		}
		this.view.stamp(this.nextPsn, this.mtuShift);
		writeFields(buffer, at, landing, segments);
		this.payloads[slot] = payload;
		this.ring.publish();
		this.next++;
		this.nextPsn = this.view.nextPsn();
		if (reads) {
			this.readsUnderWay++;
		}
		if (this.next > this.started) {
			this.started = this.next;
			this.newPsn = this.nextPsn;
		}
		return true;
	}

	private boolean failForMemory(boolean isOldest, long length, IOException cause) {
		if (isOldest && !this.warned) {
			this.warned = true;
			logger.warn(
					"A message of {} bytes has to be copied to memory that is shared with process {}, and there is none: "
							+ "{}",
					length, this.connection.peerProcess(), cause.getMessage(), cause);
		}
		return failHere(isOldest, CompletionStatus.LOC_QP_OP_ERR);
	}

	/**
	 * Choose how a payload goes. What is read comes by memory that is used for nothing
	 * else before the peer is done with it: a peer that was stopped while it copied must
	 * not go on, later, in memory that has another use by then. What is sent goes by such
	 * memory where requests cannot be withdrawn: a peer that was stopped before it took
	 * one must not find, later, something else there.
	 */
	private Payload choosePayload(long length, boolean reads) {
		if (length <= RingLayout.MAX_PAYLOAD) {
			return Payload.INSIDE;
		}
		if (reads) {
			return Payload.STAGED;
		}
		boolean staged = !this.connection.isSealed() || this.next < this.stagedUntil || !isShared();
		return staged ? Payload.STAGED : Payload.SHARED;
	}

	/** Whether the peer can find the payload where it is. */
	private boolean isShared() {
		SegmentList segments = this.view.segments();
		for (int i = 0; i < segments.count(); i++) {
			if (SharedPiece.of(segments.memory(i)) == null) {
				return false;
			}
		}
		return segments.count() <= RingLayout.MAX_SEGMENTS;
	}

	private boolean stage(int slot, long length) throws IOException {
		long offset = this.ring.stage(length);
		this.stagedAt[slot] = offset;
		return offset >= 0;
	}

	/**
	 * Put the payload where the peer finds it, and say where that is.
	 * @return how many segments it takes to say so
	 */
	private int place(Payload payload, ByteBuffer buffer, int at, int slot, long length, boolean reads) {
		SegmentList segments = this.view.segments();
		switch (payload) {
			case INSIDE -> {
				if (!reads) {
					segments.gatherTo(this.ring.memory(), at + RingLayout.PAYLOAD);
				}
				writeSegment(buffer, at, 0, 0, at + RingLayout.PAYLOAD, length, 0);
			}
			case STAGED -> {
				long offset = this.stagedAt[slot];
				if (!reads) {
					segments.gatherTo(this.ring.stagingMemory(), offset);
				}
				writeSegment(buffer, at, 0, this.ring.stagingFile(), offset, length, this.ring.stagingDescriptor());
			}
			case SHARED -> {
				int count = 0;
				for (int i = 0; i < segments.count(); i++) {
					SharedPiece piece = SharedPiece.of(segments.memory(i));
					if (piece != null && segments.length(i) > 0) {
						piece.tell();
						writeSegment(buffer, at, count++, piece.fileId(), piece.offset() + segments.offset(i),
								segments.length(i), piece.descriptor());
					}
				}
				return count;
			}
			case NONE -> {
				return 0;
			}
		}
		return 1;
	}

	private static void writeSegment(ByteBuffer buffer, int request, int index, long file, long offset, long length,
			int descriptor) {
		int at = request + RingLayout.SEGMENTS + index * RingLayout.SEGMENT_SIZE;
		StructLayouts.LONG.set(buffer, at + RingLayout.SEGMENT_FILE, file);
		StructLayouts.LONG.set(buffer, at + RingLayout.SEGMENT_OFFSET, offset);
		StructLayouts.putInts(buffer, at + RingLayout.SEGMENT_LENGTH, (int) length, descriptor);
	}

	private void writeFields(ByteBuffer buffer, int at, boolean landing, int segments) {
		SendRequest request = this.view;
		int opcode = Objects.requireNonNull(request.opcode()).code();
		int flags = (request.isSolicited() ? RingLayout.FLAG_SOLICITED : 0)
				| (landing ? 0 : RingLayout.FLAG_NO_LANDING);
		StructLayouts.putInts(buffer, at + RingLayout.OPCODE, opcode, flags);
		StructLayouts.putInts(buffer, at + RingLayout.PSN, request.psn(), request.mtuShift());
		StructLayouts.LONG.set(buffer, at + RingLayout.LENGTH, request.length());
		StructLayouts.LONG.set(buffer, at + RingLayout.REMOTE_ADDRESS, request.remoteAddress());
		StructLayouts.putInts(buffer, at + RingLayout.KEY, request.isAtomic() ? request.atomicKey() : request.rdmaKey(),
				request.immediate());
		if (request.isAtomic()) {
			StructLayouts.LONG.set(buffer, at + RingLayout.COMPARE_ADD, request.compareAdd());
			StructLayouts.LONG.set(buffer, at + RingLayout.SWAP, request.swap());
		}
		StructLayouts.INT.set(buffer, at + RingLayout.SEGMENT_COUNT, segments);
	}

	/**
	 * Take the answers that are there, and go on.
	 * @return whether there was one
	 */
	@SuppressWarnings("ThreadPriorityCheck") // a hint, nothing depends on it
	boolean takeAnswers() {
		if (!this.requester.tryLock()) {
			// who holds it may wait for this thread to serve the peer
			Thread.yield();
			return true;
		}
		try {
			if (this.stopped) {
				skipAnswers();
				return false;
			}
			while (this.ring.mayTakeAnswer()) {
				takeAnswer();
			}
			progress();
			this.requester.checkDrained();
			return true;
		}
		catch (InternalError ex) {
			giveUp(ex);
			return true;
		}
		finally {
			this.requester.unlock();
		}
	}

	private void skipAnswers() {
		while (this.ring.mayTakeAnswer()) {
			this.ring.releaseAnswer();
		}
	}

	private void takeAnswer() {
		long sequence = this.ring.nextAnswer();
		int code = this.ring.answerCode();
		int timer = this.ring.answerTimer();
		long value = this.ring.answerValue();
		settle();
		if (sequence < this.validFrom) {
			this.ring.releaseAnswer();
			return;
		}
		CompletionStatus outcome = null;
		int slot = this.ring.slot(sequence);
		Answer answer = SharedMemoryPath.answer(code);
		if (answer == Answer.ACKNOWLEDGED) {
			outcome = land(slot, value);
		}
		this.ring.releaseAnswer();
		if (answer != null) {
			conclude(answer, outcome, timer);
		}
		else if (code == SharedMemoryPath.UNREACHABLE) {
			stageWhatIsUnreachable(slot);
		}
		else {
			logger.warn("Process {} gave an answer over shared memory that makes no sense: it is given up",
					this.connection.peerProcess());
			this.connection.loseWithin(false);
		}
	}

	private void conclude(Answer answer, @Nullable CompletionStatus outcome, int timer) {
		switch (answer) {
			case ACKNOWLEDGED ->
				this.requester.completeOldest((outcome != null) ? outcome : CompletionStatus.LOC_QP_OP_ERR);
			case INVALID_REQUEST -> this.requester.completeOldest(CompletionStatus.REM_INV_REQ_ERR);
			case ACCESS_REFUSED -> this.requester.completeOldest(CompletionStatus.REM_ACCESS_ERR);
			case OPERATION_FAILED -> this.requester.completeOldest(CompletionStatus.REM_OP_ERR);
			case NOWHERE_TO_LAND -> this.requester.completeOldest(CompletionStatus.LOC_PROT_ERR);
			case NOT_READY -> {
				restart();
				this.requester.notReady(timer & RnrTimer.MASK);
			}
			case NONE -> {
				restart();
				this.requester.ignored();
			}
		}
	}

	/**
	 * Put what a request brought back where it goes. The memory may have gone meanwhile.
	 */
	private CompletionStatus land(int slot, long value) {
		SendRequest request = this.view;
		this.queue.head(request);
		WorkRequestOpcode opcode = request.opcode();
		try {
			if (request.isAtomic()) {
				this.readsUnderWay--;
				if (!request.land(value)) {
					return CompletionStatus.LOC_PROT_ERR;
				}
			}
			else if (opcode == WorkRequestOpcode.RDMA_READ) {
				this.readsUnderWay--;
				if (!request.findLanding()) {
					return CompletionStatus.LOC_PROT_ERR;
				}
				copyFrom(slot);
			}
		}
		finally {
			request.release();
		}
		request.stamp(this.oldestPsn, this.mtuShift);
		this.oldestPsn = request.nextPsn();
		this.requester.retries().startAnew();
		return CompletionStatus.SUCCESS;
	}

	private void copyFrom(int slot) {
		SegmentList landing = this.view.segments();
		long length = this.view.length();
		if (this.payloads[slot] == Payload.INSIDE) {
			landing.scatterFrom(this.ring.memory(), this.ring.offset(slot) + RingLayout.PAYLOAD, length);
		}
		else if (this.payloads[slot] == Payload.STAGED) {
			landing.scatterFrom(this.ring.stagingMemory(), this.stagedAt[slot], length);
		}
		settle();
	}

	private void stageWhatIsUnreachable(int slot) {
		boolean named = this.payloads[slot] == Payload.SHARED;
		restart();
		if (!named) {
			this.requester.completeOldest(CompletionStatus.LOC_QP_OP_ERR);
			return;
		}
		boolean always = ++this.unreachable >= MAX_UNREACHABLE;
		this.stagedUntil = always ? Long.MAX_VALUE : this.started;
		if (always) {
			logger.warn("Process {} cannot map memory of this process, so messages to and from it are copied once more",
					this.connection.peerProcess());
		}
	}

	/**
	 * The peer is gone: what was not answered will not be.
	 */
	void peerLost() {
		this.requester.lock();
		try {
			if (!this.connection.isOrderly()) {
				this.requester.endWait();
			}
			if (!this.stopped && !this.requester.isWaiting()) {
				failForLack();
			}
			this.requester.checkDrained();
		}
		finally {
			this.requester.unlock();
		}
	}

	/**
	 * How the payload of a request goes.
	 */
	private enum Payload {

		/** There is none. */
		NONE,

		/** In the request itself. */
		INSIDE,

		/** In memory that it is copied to and from. */
		STAGED,

		/** In its own memory, which is shared. */
		SHARED

	}

}
