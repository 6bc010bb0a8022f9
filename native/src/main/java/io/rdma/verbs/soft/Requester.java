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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;

import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.QueuePairAttribute;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.Refusal;
import io.rdma.verbs.SendFlag;
import io.rdma.verbs.StructLayouts;
import io.rdma.verbs.StructLayouts.SendWr;
import io.rdma.verbs.StructLayouts.Wc;
import io.rdma.verbs.WorkRequestOpcode;
import org.jspecify.annotations.Nullable;

/**
 * The half of a queue pair that sends. A request is carried out by the thread that posts
 * it, before the call returns, unless it or one before it has to wait; then it stands in
 * the send queue, and the timer goes on with it. Requests are carried out one by one and
 * in order, so a fence has nothing to wait for.
 */
final class Requester {

	/** Offset of {@code wr.bind_mw.rkey} in {@code struct ibv_send_wr}. */
	private static final int BIND_RKEY = 88;

	private static final int ATOMIC_SIZE = Long.BYTES;

	private final ShortLock lock = new ShortLock();

	private final SoftQueuePair queuePair;

	private final SoftProtectionDomain protectionDomain;

	private final SoftCompletionQueue completions;

	private final QueuePairCapabilities granted;

	private final boolean signalAll;

	private final SendQueue queue;

	private final SendRequest posted;

	private final SendRequest head;

	/**
	 * Bindings of memory windows that are posted and not carried out, by their new key.
	 */
	private final Map<Integer, WindowBinding> bindings = new HashMap<>();

	private final Retries retries = new Retries();

	/** The path to a peer that answers at once, {@code null} if it is another one. */
	private @Nullable DirectPath path;

	/** What sends to a peer that answers later, {@code null} if it answers at once. */
	private @Nullable RemoteSender sender;

	private int psn;

	private int mtuShift;

	private int maxReadAtomic;

	/** Whether the oldest request was sent and waits to be sent again. */
	private boolean waiting;

	/** What the oldest request fails with when the wait is over, if it is to fail. */
	private @Nullable CompletionStatus afterWait;

	private @Nullable Future<?> timer;

	/** Tells a wait from those before it, whose timer may be running late. */
	private long waits;

	private boolean draining;

	private boolean tellDrained;

	/**
	 * Whether the queue pair failed on another thread, which could not take the lock. Who
	 * holds it looks here before letting go, and if that was too early, the timer comes.
	 */
	private volatile boolean flushRequested;

	Requester(SoftQueuePair queuePair, SoftCompletionQueue completions, QueuePairCapabilities granted,
			boolean signalAll) {
		this.queuePair = queuePair;
		this.protectionDomain = queuePair.protectionDomain();
		this.completions = completions;
		this.granted = granted;
		this.signalAll = signalAll;
		this.queue = new SendQueue(granted);
		ByteBuffer nothing = ByteBuffer.allocateDirect(0);
		this.posted = new SendRequest(this.protectionDomain, granted.maxSendScatterGather(), nothing);
		this.head = new SendRequest(this.protectionDomain, granted.maxSendScatterGather(), nothing);
	}

	SoftQueuePair queuePair() {
		return this.queuePair;
	}

	SendQueue queue() {
		return this.queue;
	}

	Retries retries() {
		return this.retries;
	}

	int maxReadAtomic() {
		return this.maxReadAtomic;
	}

	/** What sends packets, {@code null} if that is not how requests leave. */
	@Nullable WireSender wire() {
		return (this.sender instanceof WireSender wire) ? wire : null;
	}

	/**
	 * Send again what was not answered in time.
	 * @param now the time
	 * @return when to look again, {@link Long#MAX_VALUE} if nothing is under way
	 */
	long checkTimeout(long now) {
		this.lock.lock();
		try {
			WireSender wire = wire();
			return (wire != null) ? wire.checkTimeout(now) : Long.MAX_VALUE;
		}
		finally {
			unlock();
		}
	}

	/**
	 * Make a view of requests of this queue pair.
	 * @return the view, which looks at nothing yet
	 */
	SendRequest newView() {
		return new SendRequest(this.protectionDomain, this.granted.maxSendScatterGather(),
				ByteBuffer.allocateDirect(0));
	}

	void lock() {
		this.lock.lock();
	}

	boolean tryLock() {
		return this.lock.tryLock();
	}

	void unlock() {
		if (this.flushRequested) {
			flushLocked();
		}
		this.lock.unlock();
	}

	int psn() {
		this.lock.lock();
		try {
			RemoteSender remote = this.sender;
			return (remote != null) ? remote.psn() : this.psn;
		}
		finally {
			unlock();
		}
	}

	void configure(QueuePairAttributes attributes, @Nullable Path newPath) {
		this.lock.lock();
		try {
			if (newPath != null) {
				takeOver(newPath);
			}
			if (attributes.has(QueuePairAttribute.PATH_MTU)) {
				this.mtuShift = Integer.numberOfTrailingZeros(attributes.pathMtu().bytes());
			}
			if (attributes.has(QueuePairAttribute.SQ_PSN)) {
				this.psn = attributes.sqPsn();
			}
			if (attributes.has(QueuePairAttribute.MAX_RD_ATOMIC)) {
				this.maxReadAtomic = attributes.maxRdAtomic();
			}
			this.retries.configure(attributes);
			if (this.sender != null) {
				this.sender.configure(attributes);
			}
		}
		finally {
			unlock();
		}
	}

	private void takeOver(Path newPath) {
		RemoteSender current = this.sender;
		this.path = (newPath instanceof DirectPath direct) ? direct : null;
		if (!(newPath instanceof RemotePath remote)) {
			this.sender = null;
		}
		else if (current == null || !current.takeOver(remote)) {
			this.sender = remote.newSender(this);
		}
	}

	/**
	 * Forget the peer and all that is posted. When this returns nothing is being carried
	 * out.
	 */
	void reset() {
		this.lock.lock();
		try {
			stopWaiting();
			stopSending();
			this.queue.clear();
			this.bindings.clear();
			this.path = null;
			this.sender = null;
			this.draining = false;
		}
		finally {
			unlock();
		}
	}

	/**
	 * Flush what is posted on a queue pair that is in ERR. When this returns nothing is
	 * being carried out.
	 */
	void flush() {
		this.lock.lock();
		try {
			flushLocked();
		}
		finally {
			unlock();
		}
	}

	/**
	 * Have what is posted flushed, by this thread or by the one that holds the lock. For
	 * threads that hold other locks and must not wait.
	 */
	void requestFlush() {
		this.flushRequested = true;
		if (this.lock.tryLock()) {
			unlock();
		}
		else {
			this.queuePair.context().timer().execute(this::flush);
		}
	}

	/**
	 * Wait for what is being carried out, and let go of the memory it used.
	 */
	void quiesce() {
		this.lock.lock();
		try {
			this.posted.forget();
			this.head.forget();
			if (this.sender != null) {
				this.sender.forget();
			}
		}
		finally {
			unlock();
		}
	}

	private void flushLocked() {
		this.flushRequested = false;
		if (!this.queuePair.isFailed()) {
			return;
		}
		this.draining = false;
		stopWaiting();
		stopSending();
		while (!this.queue.isEmpty()) {
			this.queue.head(this.head);
			this.queue.remove();
			fail(this.head, CompletionStatus.WR_FLUSH_ERR);
		}
	}

	/**
	 * Begin to drain: nothing more is started.
	 * @param tell whether to tell when nothing is under way any more
	 */
	void drain(boolean tell) {
		this.lock.lock();
		try {
			this.draining = true;
			this.tellDrained = tell;
			checkDrained();
		}
		finally {
			unlock();
		}
	}

	boolean isDraining() {
		this.lock.lock();
		try {
			return this.draining;
		}
		finally {
			unlock();
		}
	}

	/**
	 * Tell, if somebody waits for it, that nothing is under way any more.
	 */
	void checkDrained() {
		if (this.draining && this.queuePair.cachedState() == QueuePairState.SQD && !this.waiting
				&& (this.sender == null || this.sender.isIdle())) {
			this.draining = false;
			if (this.tellDrained) {
				this.queuePair.raise(AsyncEventType.SQ_DRAINED);
			}
		}
	}

	long post(ByteBuffer memory, int sgeOffset, int sgeStride, int count) {
		this.lock.lock();
		try {
			return postLocked(memory, sgeOffset, sgeStride, count);
		}
		finally {
			unlock();
		}
	}

	private long postLocked(ByteBuffer memory, int sgeOffset, int sgeStride, int count) {
		// a slot that is freed during the call can be used by the next one only
		int free = this.queue.capacity() - this.queue.size();
		long refusal = Refusal.NONE;
		for (int i = 0; i < count && refusal == Refusal.NONE; i++) {
			this.posted.view(memory, i * SendWr.SIZE, sgeOffset + i * sgeStride, null);
			if (!isValid(this.posted)) {
				refusal = Refusal.of(Errno.EINVAL, i);
			}
			else if (i >= free) {
				refusal = Refusal.of(Errno.ENOMEM, i);
			}
			else {
				submit();
			}
		}
		RemoteSender remote = this.sender;
		if (remote != null && mayStart() && !this.waiting) {
			remote.progress();
		}
		return refusal;
	}

	/**
	 * Post the binding of a memory window.
	 * @param wrId the caller's context
	 * @param binding the binding
	 * @param signaled whether to report success
	 * @return {@link Refusal#NONE} if it was posted
	 */
	long postBind(long wrId, WindowBinding binding, boolean signaled) {
		ByteBuffer chain = ByteBuffer.allocateDirect(SendWr.SIZE).order(ByteOrder.nativeOrder());
		int key = binding.grant().key();
		chain.putLong(SendWr.WR_ID, wrId);
		chain.putInt(SendWr.OPCODE, WorkRequestOpcode.BIND_MW.code());
		chain.putInt(SendWr.SEND_FLAGS, signaled ? SendFlag.SIGNALED.bit() : 0);
		chain.putInt(BIND_RKEY, key);
		this.lock.lock();
		try {
			this.bindings.put(key, binding);
			long refusal = postLocked(chain, SendWr.SIZE, 0, 1);
			if (refusal != Refusal.NONE) {
				this.bindings.remove(key);
			}
			return refusal;
		}
		finally {
			unlock();
		}
	}

	private boolean isValid(SendRequest request) {
		if (!this.queuePair.cachedState().acceptsSends()
				|| request.entryCount() > this.granted.maxSendScatterGather()) {
			return false;
		}
		boolean inline = request.isInline();
		if (inline && request.length() > this.granted.maxInlineData()) {
			return false;
		}
		WorkRequestOpcode opcode = request.opcode();
		if (opcode == null) {
			// no caller can make one, and whoever does it all the same is told as on a
			// real device
			return true;
		}
		return switch (opcode) {
			case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM, LOCAL_INV, BIND_MW -> true;
			case RDMA_READ -> !inline;
			case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD ->
				!inline && request.length() >= ATOMIC_SIZE && (request.remoteAddress() & (ATOMIC_SIZE - 1)) == 0;
		};
	}

	private void submit() {
		QueuePairState state = this.queuePair.cachedState();
		if (state == QueuePairState.RTS && this.sender == null && this.queue.isEmpty()) {
			CompletionStatus status = attempt(this.posted);
			if (status == null) {
				this.queue.add(this.posted);
			}
			else {
				complete(this.posted, status);
			}
			return;
		}
		this.queue.add(this.posted);
		if (state == QueuePairState.ERR) {
			flushLocked();
		}
		else if (state == QueuePairState.RTS && this.sender == null && !this.waiting) {
			progress();
		}
	}

	private void progress() {
		while (!this.queue.isEmpty() && mayStart()) {
			this.queue.head(this.head);
			CompletionStatus status = attempt(this.head);
			if (status == null) {
				break;
			}
			this.queue.remove();
			complete(this.head, status);
		}
	}

	/**
	 * Return whether requests that were not sent yet may be.
	 * @return whether the queue pair is in RTS
	 */
	boolean mayStart() {
		return this.queuePair.cachedState() == QueuePairState.RTS;
	}

	/**
	 * Return whether a request is sent to the peer.
	 * @param request the request
	 * @return whether it is, {@code false} if it is carried out or refused here
	 */
	boolean isSent(SendRequest request) {
		return !isLocal(request) && request.length() <= Limits.MAX_MESSAGE;
	}

	/**
	 * Return whether a request concerns this side only.
	 * @param request the request
	 * @return whether no peer has a part in it, also since it means nothing
	 */
	static boolean isLocal(SendRequest request) {
		WorkRequestOpcode opcode = request.opcode();
		return opcode == null || opcode == WorkRequestOpcode.LOCAL_INV || opcode == WorkRequestOpcode.BIND_MW;
	}

	/**
	 * Carry out a request that is not sent.
	 * @param request the oldest request
	 * @return its outcome
	 */
	CompletionStatus attemptLocally(SendRequest request) {
		WorkRequestOpcode opcode = request.opcode();
		if (opcode == null) {
			return CompletionStatus.LOC_QP_OP_ERR;
		}
		return switch (opcode) {
			case LOCAL_INV -> invalidate(request.immediate());
			case BIND_MW -> bind(request);
			default -> CompletionStatus.LOC_LEN_ERR;
		};
	}

	/**
	 * Try to carry out the oldest request.
	 * @param request the request
	 * @return its outcome, {@code null} if it has to wait
	 */
	private @Nullable CompletionStatus attempt(SendRequest request) {
		if (isLocal(request)) {
			return attemptLocally(request);
		}
		if (request.bringsAnswer()) {
			if (this.maxReadAtomic == 0) {
				// none may be under way, so it is never this one's turn
				return null;
			}
		}
		else if (!request.findSource()) {
			request.release();
			return CompletionStatus.LOC_PROT_ERR;
		}
		if (request.length() > Limits.MAX_MESSAGE) {
			request.release();
			return CompletionStatus.LOC_LEN_ERR;
		}
		request.stamp(this.psn, this.mtuShift);
		DirectPath way = Objects.requireNonNull(this.path);
		Answer answer = way.carryOut(request);
		request.release();
		return switch (answer) {
			case ACKNOWLEDGED -> acknowledged(request);
			case INVALID_REQUEST -> CompletionStatus.REM_INV_REQ_ERR;
			case ACCESS_REFUSED -> CompletionStatus.REM_ACCESS_ERR;
			case OPERATION_FAILED -> CompletionStatus.REM_OP_ERR;
			case NOWHERE_TO_LAND -> CompletionStatus.LOC_PROT_ERR;
			case NOT_READY -> peerNotReady(RnrTimer.nanos(way.rnrTimer()));
			case NONE -> noAnswer();
		};
	}

	private CompletionStatus acknowledged(SendRequest request) {
		this.psn = request.nextPsn();
		this.retries.startAnew();
		return CompletionStatus.SUCCESS;
	}

	private @Nullable CompletionStatus noAnswer() {
		waitFor(this.retries.timeoutNanos(), this.retries.take() ? null : CompletionStatus.RETRY_EXC_ERR);
		return null;
	}

	/**
	 * Wait for as long as the peer asked. The timeout for an answer runs on meanwhile: if
	 * it is the shorter one, a retry is spent on it.
	 * @param nanos how long to wait
	 * @return the outcome, {@code null} if it has to wait
	 */
	private @Nullable CompletionStatus peerNotReady(long nanos) {
		if (!this.retries.takeRnr()) {
			return CompletionStatus.RNR_RETRY_EXC_ERR;
		}
		long timeout = this.retries.timeoutNanos();
		if (timeout > 0 && timeout < nanos && !this.retries.take()) {
			waitFor(timeout, CompletionStatus.RETRY_EXC_ERR);
		}
		else {
			waitFor(nanos, null);
		}
		return null;
	}

	private void waitFor(long nanos, @Nullable CompletionStatus then) {
		this.waiting = true;
		this.afterWait = then;
		long number = ++this.waits;
		// a timeout of 0 is a wait that only a change of state ends
		if (nanos > 0) {
			this.timer = this.queuePair.context().timer().schedule(() -> waitOver(number), nanos);
		}
	}

	/**
	 * Wait no more before the oldest request is sent again.
	 */
	void stopWaiting() {
		this.waiting = false;
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
	}

	private void waitOver(long number) {
		this.lock.lock();
		try {
			if (!this.waiting || number != this.waits || this.queuePair.isFailed()) {
				return;
			}
			this.waiting = false;
			this.timer = null;
			if (this.sender != null) {
				waitOver(this.sender);
				return;
			}
			this.queue.head(this.head);
			CompletionStatus status = (this.afterWait != null) ? this.afterWait : attempt(this.head);
			if (status != null) {
				this.queue.remove();
				complete(this.head, status);
				progress();
			}
			checkDrained();
		}
		finally {
			unlock();
		}
	}

	private void waitOver(RemoteSender remote) {
		if (this.afterWait != null) {
			completeOldest(this.afterWait);
		}
		else {
			remote.restart();
			remote.progress();
		}
	}

	/**
	 * End a wait, since there is nobody any more to wait for.
	 */
	void endWait() {
		stopWaiting();
	}

	/**
	 * Return whether requests wait to be sent again.
	 * @return whether there is a time to be waited for
	 */
	boolean isWaiting() {
		return this.waiting;
	}

	/**
	 * The peer answered the oldest request of a remote sender with the wish to wait: send
	 * it again after that time, or fail it.
	 * @param rnrTimer the code of the time
	 */
	void notReady(int rnrTimer) {
		CompletionStatus status = peerNotReady(RnrTimer.nanos(rnrTimer));
		if (status != null) {
			completeOldest(status);
		}
	}

	/**
	 * The peer let the oldest request of a remote sender be known as one it takes no
	 * notice of: send it again after the timeout for an answer, or fail it then.
	 */
	void ignored() {
		noAnswer();
	}

	/**
	 * Complete the oldest request of a remote sender.
	 * @param status its outcome
	 */
	void completeOldest(CompletionStatus status) {
		if (this.queue.isEmpty() || this.queuePair.cachedState() == QueuePairState.RESET) {
			// whoever resets the queue pair waits for the lock, and nothing is told
			stopSending();
			return;
		}
		this.queue.head(this.head);
		this.queue.remove();
		complete(this.head, status);
	}

	private void stopSending() {
		if (this.sender != null) {
			this.sender.stop();
		}
	}

	private CompletionStatus invalidate(int rkey) {
		SoftQueuePair user = this.protectionDomain.invalidate(rkey);
		if (user == null) {
			return CompletionStatus.LOC_QP_OP_ERR;
		}
		user.responder().quiesce();
		return CompletionStatus.SUCCESS;
	}

	private CompletionStatus bind(SendRequest request) {
		int key = (int) StructLayouts.INT.get(request.memory(), request.at() + BIND_RKEY);
		WindowBinding binding = this.bindings.remove(key);
		return (binding != null && binding.carryOut(this.protectionDomain)) ? CompletionStatus.SUCCESS
				: CompletionStatus.MW_BIND_ERR;
	}

	private void complete(SendRequest request, CompletionStatus status) {
		if (status == CompletionStatus.SUCCESS) {
			if (this.signalAll || request.isSignaled()) {
				succeed(request);
			}
			return;
		}
		this.queuePair.enterError();
		fail(request, status);
		flushLocked();
		this.queuePair.responder().flush();
	}

	private void succeed(SendRequest request) {
		WorkRequestOpcode opcode = Objects.requireNonNull(request.opcode());
		boolean immediate = opcode == WorkRequestOpcode.SEND_WITH_IMM
				|| opcode == WorkRequestOpcode.RDMA_WRITE_WITH_IMM;
		this.completions.succeeded(request.wrId(), completionOpcode(opcode).code(), (int) request.length(), 0,
				this.queuePair.number(), immediate ? Wc.FLAG_WITH_IMM : 0, false);
	}

	private void fail(SendRequest request, CompletionStatus status) {
		if (request.opcode() == WorkRequestOpcode.BIND_MW) {
			this.bindings.remove((int) StructLayouts.INT.get(request.memory(), request.at() + BIND_RKEY));
		}
		this.completions.failed(request.wrId(), status, this.queuePair.number());
	}

	private static CompletionOpcode completionOpcode(WorkRequestOpcode opcode) {
		return switch (opcode) {
			case SEND, SEND_WITH_IMM, SEND_WITH_INV -> CompletionOpcode.SEND;
			case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> CompletionOpcode.RDMA_WRITE;
			case RDMA_READ -> CompletionOpcode.RDMA_READ;
			case ATOMIC_CMP_AND_SWP -> CompletionOpcode.COMP_SWAP;
			case ATOMIC_FETCH_AND_ADD -> CompletionOpcode.FETCH_ADD;
			case LOCAL_INV -> CompletionOpcode.LOCAL_INV;
			case BIND_MW -> CompletionOpcode.BIND_MW;
		};
	}

}
