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

import java.lang.invoke.VarHandle;
import java.util.Objects;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.HostMemory;
import io.rdma.verbs.QueuePairAttribute;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.StructLayouts.Wc;
import io.rdma.verbs.WorkRequestOpcode;
import org.jspecify.annotations.Nullable;

/**
 * The half of a queue pair that carries out what the peer asks for. Whoever holds its
 * lock may touch the memory that the queue pair gives access to and take its receives.
 */
final class Responder {

	private static final int ATOMIC_SIZE = Long.BYTES;

	private final ShortLock lock = new ShortLock();

	private final SoftQueuePair queuePair;

	private final SoftProtectionDomain protectionDomain;

	private final SoftCompletionQueue completions;

	private final ReceiveQueue receives;

	private final ReceiveRequest receive;

	/** What the peer uses of our memory. */
	private final GrantCache grants;

	private final boolean sharedReceives;

	/** The way back to the peer, {@code null} until the peer is known. */
	private @Nullable Path path;

	/** The peer's path, once it was found to lead here and ours to lead there. */
	private @Nullable Path admitted;

	private int psn;

	private int mtuShift;

	private int access;

	private int maxReadAtomic;

	private volatile int rnrTimer;

	private boolean lastReceiveTold;

	/** Whether the request that is carried out has taken a receive. */
	private boolean receiving;

	/** What handles packets, {@code null} unless that is how the peer's requests come. */
	private @Nullable WireResponder wire;

	Responder(SoftQueuePair queuePair, SoftCompletionQueue completions, ReceiveQueue receives, boolean sharedReceives) {
		this.queuePair = queuePair;
		this.protectionDomain = queuePair.protectionDomain();
		this.completions = completions;
		this.receives = receives;
		this.receive = new ReceiveRequest(this.protectionDomain, receives.maxEntries());
		this.sharedReceives = sharedReceives;
		this.grants = new GrantCache(this.protectionDomain, queuePair);
	}

	SoftQueuePair queuePair() {
		return this.queuePair;
	}

	boolean isGone() {
		return !this.queuePair.isOpen();
	}

	int rnrTimer() {
		return this.rnrTimer;
	}

	int psn() {
		this.lock.lock();
		try {
			return this.psn;
		}
		finally {
			this.lock.unlock();
		}
	}

	void configure(QueuePairAttributes attributes, @Nullable Path newPath) {
		this.lock.lock();
		try {
			if (newPath != null) {
				this.path = newPath;
				this.admitted = null;
				takeOver(newPath);
			}
			if (attributes.has(QueuePairAttribute.RQ_PSN)) {
				this.psn = attributes.rqPsn();
			}
			if (attributes.has(QueuePairAttribute.PATH_MTU)) {
				this.mtuShift = Integer.numberOfTrailingZeros(attributes.pathMtu().bytes());
			}
			if (attributes.has(QueuePairAttribute.ACCESS_FLAGS)) {
				this.access = AccessFlag.mask(attributes.accessFlags());
			}
			if (attributes.has(QueuePairAttribute.MAX_DEST_RD_ATOMIC)) {
				this.maxReadAtomic = attributes.maxDestRdAtomic();
			}
			if (attributes.has(QueuePairAttribute.MIN_RNR_TIMER)) {
				this.rnrTimer = attributes.minRnrTimer();
			}
			if (this.wire != null) {
				this.wire.configure(attributes);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void takeOver(Path newPath) {
		WireResponder current = this.wire;
		if (!(newPath instanceof WirePath wirePath)) {
			this.wire = null;
		}
		else if (current != null) {
			current.path(wirePath);
		}
		else {
			this.wire = new WireResponder(this, wirePath);
		}
	}

	/**
	 * Forget the peer and all receives. When this returns nothing is being carried out.
	 */
	void reset() {
		this.lock.lock();
		try {
			if (this.wire != null) {
				this.wire.sendLastAnswer();
			}
			this.path = null;
			this.admitted = null;
			this.wire = null;
			this.lastReceiveTold = false;
			if (!this.sharedReceives) {
				this.receives.reset();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Flush the receives of a queue pair that is in ERR. When this returns nothing is
	 * being carried out.
	 */
	void flush() {
		this.lock.lock();
		try {
			if (this.wire != null && this.queuePair.isFailed()) {
				this.wire.dropAnswers();
			}
			flushLocked();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait for what is being carried out, and let go of the memory it used.
	 */
	void quiesce() {
		this.lock.lock();
		try {
			this.receive.forget();
			this.grants.forget();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void flushLocked() {
		if (!this.queuePair.isFailed()) {
			return;
		}
		if (this.wire != null && this.wire.abandonMessage()) {
			this.completions.failed(this.receive.wrId(), CompletionStatus.WR_FLUSH_ERR, this.queuePair.number());
		}
		if (!this.sharedReceives) {
			while (this.receives.take(this.receive)) {
				this.completions.failed(this.receive.wrId(), CompletionStatus.WR_FLUSH_ERR, this.queuePair.number());
			}
		}
		else if (!this.lastReceiveTold) {
			this.lastReceiveTold = true;
			this.queuePair.raise(AsyncEventType.QP_LAST_WQE_REACHED);
		}
	}

	/**
	 * Carry out a request.
	 * @param request the request
	 * @param from the way it came
	 * @return what the requester hears
	 */
	Answer serve(IncomingRequest request, Path from) {
		this.lock.lock();
		try {
			if (!this.queuePair.isResponding() || !admits(from) || request.psn() != this.psn) {
				return Answer.NONE;
			}
			Answer answer = carryOutSafely(request);
			if (answer == Answer.ACKNOWLEDGED || answer == Answer.NOWHERE_TO_LAND) {
				this.psn = request.nextPsn();
			}
			return answer;
		}
		finally {
			this.lock.unlock();
		}
	}

	void lock() {
		this.lock.lock();
	}

	void unlock() {
		this.lock.unlock();
	}

	/** What handles packets, guarded by the lock. */
	@Nullable WireResponder wire() {
		return this.wire;
	}

	boolean isResponding() {
		return this.queuePair.isResponding();
	}

	int expectedPsn() {
		return this.psn;
	}

	void expect(int newPsn) {
		this.psn = newPsn;
	}

	int mtuShift() {
		return this.mtuShift;
	}

	int maxReadAtomic() {
		return this.maxReadAtomic;
	}

	boolean takeReceive() {
		return this.receives.take(this.receive);
	}

	/** The receive that was taken last, guarded by the lock. */
	ReceiveRequest receive() {
		return this.receive;
	}

	boolean invalidate(int rkey) {
		return this.protectionDomain.invalidate(rkey, this.queuePair);
	}

	/**
	 * Carry out a request of which the peer can take the memory away meanwhile.
	 */
	private Answer carryOutSafely(IncomingRequest request) {
		this.receiving = false;
		try {
			return carryOut(request);
		}
		catch (InternalError ex) {
			// what the JVM throws when mapped memory is gone; the peer hears nothing
			this.receive.release();
			if (this.receiving) {
				return failReceive(CompletionStatus.LOC_QP_OP_ERR, Answer.NONE);
			}
			this.queuePair.enterError();
			flushAll();
			return Answer.NONE;
		}
	}

	private boolean admits(Path from) {
		if (this.admitted == from) {
			return true;
		}
		Path back = this.path;
		if (back == null || !back.isReverseOf(from)) {
			return false;
		}
		this.admitted = from;
		return true;
	}

	private Answer carryOut(IncomingRequest request) {
		if (request.mtuShift() != this.mtuShift
				&& request.length() > 1L << Math.min(request.mtuShift(), this.mtuShift)) {
			// the first packet has not the size that this side expects
			return refuse(AsyncEventType.QP_REQ_ERR, Answer.INVALID_REQUEST);
		}
		WorkRequestOpcode opcode = Objects.requireNonNull(request.opcode());
		return switch (opcode) {
			case SEND, SEND_WITH_IMM, SEND_WITH_INV -> receive(request, opcode);
			case RDMA_WRITE -> write(request);
			case RDMA_WRITE_WITH_IMM -> writeWithImmediate(request);
			case RDMA_READ -> read(request);
			case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> atomic(request, opcode);
			case LOCAL_INV, BIND_MW -> throw new IllegalStateException(opcode + " does not leave the requester");
		};
	}

	private Answer receive(IncomingRequest request, WorkRequestOpcode opcode) {
		if (!this.receives.take(this.receive)) {
			return Answer.NOT_READY;
		}
		this.receiving = true;
		if (request.length() > this.receive.room()) {
			return failReceive(CompletionStatus.LOC_LEN_ERR, Answer.INVALID_REQUEST);
		}
		boolean found = this.receive.find(request.length());
		if (found) {
			request.segments().copyTo(this.receive.segments());
		}
		this.receive.release();
		if (!found) {
			return failReceive(CompletionStatus.LOC_QP_OP_ERR, Answer.OPERATION_FAILED);
		}
		int flags = Wc.FLAG_GRH;
		if (opcode == WorkRequestOpcode.SEND_WITH_IMM) {
			flags |= Wc.FLAG_WITH_IMM;
		}
		else if (opcode == WorkRequestOpcode.SEND_WITH_INV) {
			if (!invalidate(request.immediate())) {
				// a fault of class J: the requester is told nothing
				return failReceive(CompletionStatus.REM_INV_REQ_ERR, Answer.NONE);
			}
			flags |= Wc.FLAG_WITH_INV;
		}
		completeReceive(CompletionOpcode.RECV, request, flags);
		return Answer.ACKNOWLEDGED;
	}

	private Answer write(IncomingRequest request) {
		if (lacks(AccessFlag.REMOTE_WRITE)) {
			return refuse(AsyncEventType.QP_REQ_ERR, Answer.INVALID_REQUEST);
		}
		return place(request) ? Answer.ACKNOWLEDGED : refuse(AsyncEventType.QP_ACCESS_ERR, Answer.ACCESS_REFUSED);
	}

	private Answer writeWithImmediate(IncomingRequest request) {
		if (lacks(AccessFlag.REMOTE_WRITE)) {
			return refuse(AsyncEventType.QP_REQ_ERR, Answer.INVALID_REQUEST);
		}
		if (!this.receives.take(this.receive)) {
			return Answer.NOT_READY;
		}
		this.receiving = true;
		if (!place(request)) {
			this.queuePair.raise(AsyncEventType.QP_ACCESS_ERR);
			return failReceive(CompletionStatus.LOC_ACCESS_ERR, Answer.ACCESS_REFUSED);
		}
		completeReceive(CompletionOpcode.RECV_RDMA_WITH_IMM, request, Wc.FLAG_GRH | Wc.FLAG_WITH_IMM);
		return Answer.ACKNOWLEDGED;
	}

	/**
	 * Write the payload where the request says. Nothing is written if not all of it may
	 * be.
	 * @param request the request
	 * @return whether it was allowed
	 */
	private boolean place(IncomingRequest request) {
		if (request.length() == 0) {
			return true;
		}
		MemoryGrant grant = grant(request.rdmaKey(), AccessFlag.REMOTE_WRITE);
		long offset = (grant != null) ? grant.locate(request.remoteAddress(), request.length()) : MemoryGrant.OUTSIDE;
		if (grant == null || offset == MemoryGrant.OUTSIDE) {
			return false;
		}
		request.segments().gatherTo(grant.memory(), offset);
		// who sees a later write sees this one too
		VarHandle.releaseFence();
		return true;
	}

	private Answer read(IncomingRequest request) {
		if (lacks(AccessFlag.REMOTE_READ) || this.maxReadAtomic == 0) {
			return refuse(AsyncEventType.QP_REQ_ERR, Answer.INVALID_REQUEST);
		}
		if (request.length() == 0) {
			return Answer.ACKNOWLEDGED;
		}
		MemoryGrant grant = grant(request.rdmaKey(), AccessFlag.REMOTE_READ);
		long offset = (grant != null) ? grant.locate(request.remoteAddress(), request.length()) : MemoryGrant.OUTSIDE;
		if (grant == null || offset == MemoryGrant.OUTSIDE) {
			return refuse(AsyncEventType.QP_ACCESS_ERR, Answer.ACCESS_REFUSED);
		}
		if (!request.findLanding()) {
			return Answer.NOWHERE_TO_LAND;
		}
		request.segments().scatterFrom(grant.memory(), offset, request.length());
		return Answer.ACKNOWLEDGED;
	}

	private Answer atomic(IncomingRequest request, WorkRequestOpcode opcode) {
		if (lacks(AccessFlag.REMOTE_ATOMIC) || this.maxReadAtomic == 0) {
			return refuse(AsyncEventType.QP_REQ_ERR, Answer.INVALID_REQUEST);
		}
		MemoryGrant grant = grant(request.atomicKey(), AccessFlag.REMOTE_ATOMIC);
		long offset = (grant != null) ? grant.locate(request.remoteAddress(), ATOMIC_SIZE) : MemoryGrant.OUTSIDE;
		if (grant == null || offset == MemoryGrant.OUTSIDE) {
			return refuse(AsyncEventType.QP_ACCESS_ERR, Answer.ACCESS_REFUSED);
		}
		HostMemory memory = grant.memory();
		long found = (opcode == WorkRequestOpcode.ATOMIC_FETCH_AND_ADD)
				? memory.getAndAddLong(offset, request.compareAdd())
				: memory.compareAndExchangeLong(offset, request.compareAdd(), request.swap());
		return request.land(found) ? Answer.ACKNOWLEDGED : Answer.NOWHERE_TO_LAND;
	}

	boolean lacks(AccessFlag right) {
		return !right.isIn(this.access);
	}

	@Nullable MemoryGrant grant(int rkey, AccessFlag right) {
		return this.grants.find(rkey, right.bit());
	}

	private void completeReceive(CompletionOpcode opcode, IncomingRequest request, int flags) {
		int immediate = ((flags & (Wc.FLAG_WITH_IMM | Wc.FLAG_WITH_INV)) != 0) ? request.immediate() : 0;
		completeReceive(opcode, request.length(), immediate, flags, request.isSolicited());
	}

	void completeReceive(CompletionOpcode opcode, long length, int immediate, int flags, boolean solicited) {
		this.completions.succeeded(this.receive.wrId(), opcode.code(), (int) length, immediate, this.queuePair.number(),
				flags, solicited);
	}

	private Answer failReceive(CompletionStatus status, Answer answer) {
		failReceive(status);
		return answer;
	}

	/**
	 * Go to ERR with the receive that was taken last as the one that failed.
	 * @param status what it fails with
	 */
	void failReceive(CompletionStatus status) {
		this.queuePair.enterError();
		this.completions.failed(this.receive.wrId(), status, this.queuePair.number());
		flushAll();
	}

	private Answer refuse(AsyncEventType event, Answer answer) {
		refuse(event);
		return answer;
	}

	/**
	 * Go to ERR for a request that takes no receive.
	 * @param event what happened
	 */
	void refuse(AsyncEventType event) {
		this.queuePair.enterError();
		this.queuePair.raise(event);
		flushAll();
	}

	void raise(AsyncEventType event) {
		this.queuePair.raise(event);
	}

	private void flushAll() {
		flushLocked();
		this.queuePair.requester().requestFlush();
	}

}
