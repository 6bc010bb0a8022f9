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
import java.util.Objects;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.QueuePairAttribute;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.WorkRequestOpcode;
import io.rdma.verbs.soft.packet.Aeth;
import io.rdma.verbs.soft.packet.AtomicAckEth;
import io.rdma.verbs.soft.packet.AtomicEth;
import io.rdma.verbs.soft.packet.Bth;
import io.rdma.verbs.soft.packet.DropReason;
import io.rdma.verbs.soft.packet.Ieth;
import io.rdma.verbs.soft.packet.ImmediateData;
import io.rdma.verbs.soft.packet.Opcode;
import io.rdma.verbs.soft.packet.Padding;
import io.rdma.verbs.soft.packet.Psn;
import io.rdma.verbs.soft.packet.Reth;
import io.rdma.verbs.soft.packet.Syndrome;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests as packets, and takes the packets that answer them. What was sent and is
 * not answered in time, or is known to be lost, is sent again from the oldest packet on.
 * Guarded by the lock of the requester.
 */
final class WireSender extends RemoteSender {

	/** The peer is asked to acknowledge at least every so many packets. */
	private static final int ACKNOWLEDGE_EVERY = 16;

	/**
	 * A long READ is asked for in parts of so many packets, so that what is under way is
	 * bounded here and not by how fast the peer can send.
	 */
	private static final int READ_PART = 32;

	private final Requester requester;

	private final SendQueue queue;

	private final WireEngine engine;

	private WirePath path;

	private final SendRequest view;

	private final CongestionWindow window = new CongestionWindow();

	private final ReadsUnderWay reads = new ReadsUnderWay();

	private int mtuShift;

	/** The PSN of the next request that is sent for the first time. */
	private int nextPsn;

	/** The oldest PSN that is not answered. */
	private int unanswered;

	/** The PSN of the next packet. Behind {@link #sentBefore} while sending again. */
	private int sendPsn;

	/** One after the last PSN that was ever sent. */
	private int sentBefore;

	/** The position of the request that the next packet belongs to. */
	private long position;

	/** The position of the next request that is sent for the first time. */
	private long started;

	/** Whether packets were sent again, and none of them is answered yet. */
	private boolean recovering;

	/** When to send again, {@link Long#MAX_VALUE} if nothing is under way. */
	private long deadline = Long.MAX_VALUE;

	/** Whether the payload of the oldest request cannot be read. */
	private boolean sourceIsGone;

	/** Whether the engine knows that there may be something to send. */
	private boolean scheduled;

	private boolean stopped;

	WireSender(Requester requester, WirePath path) {
		this.requester = requester;
		this.queue = requester.queue();
		this.path = path;
		this.engine = path.engine();
		this.view = requester.newView();
		this.position = this.queue.oldest();
		this.started = this.position;
	}

	@Override
	boolean takeOver(RemotePath newPath) {
		if (!(newPath instanceof WirePath wirePath)) {
			return false;
		}
		this.path = wirePath;
		return true;
	}

	@Override
	void configure(QueuePairAttributes attributes) {
		if (attributes.has(QueuePairAttribute.MAX_RD_ATOMIC)) {
			this.reads.capacity(attributes.maxRdAtomic());
		}
		if (attributes.has(QueuePairAttribute.PATH_MTU)) {
			this.mtuShift = Integer.numberOfTrailingZeros(attributes.pathMtu().bytes());
			this.window.configure(this.mtuShift);
		}
		if (attributes.has(QueuePairAttribute.SQ_PSN)) {
			this.nextPsn = attributes.sqPsn();
			this.unanswered = this.nextPsn;
			this.sendPsn = this.nextPsn;
			this.sentBefore = this.nextPsn;
		}
	}

	@Override
	int psn() {
		return this.nextPsn;
	}

	@Override
	boolean isIdle() {
		return this.unanswered == this.nextPsn;
	}

	@Override
	void stop() {
		this.stopped = true;
		this.deadline = Long.MAX_VALUE;
		this.reads.clear();
	}

	@Override
	void forget() {
		this.view.forget();
	}

	@Override
	void restart() {
		this.sendPsn = this.unanswered;
		this.position = this.queue.oldest();
		this.reads.clear();
		this.deadline = Long.MAX_VALUE;
	}

	@Override
	void progress() {
		if (this.stopped || this.requester.isWaiting()) {
			return;
		}
		Transmitter transmitter = this.engine.transmitterOf(this.path);
		boolean open = false;
		try {
			while (prepareNext()) {
				if (!open) {
					transmitter.lock();
					open = true;
				}
				if (!sendNext(transmitter)) {
					break;
				}
			}
		}
		finally {
			if (open) {
				transmitter.flushAndUnlock();
			}
		}
		if (this.sourceIsGone) {
			// not before, since this takes a lock that comes before that of the
			// transmitter
			this.sourceIsGone = false;
			this.requester.completeOldest(CompletionStatus.LOC_PROT_ERR);
		}
		armTimer();
		this.requester.checkDrained();
	}

	/**
	 * Look at the request that the next packet belongs to, and give it its packets if it
	 * is sent for the first time. Requests that do not leave this side are carried out.
	 * @return whether there is a packet to send now
	 */
	private boolean prepareNext() {
		while (!this.stopped && this.position < this.queue.end()) {
			if (Psn.difference(this.sendPsn, this.unanswered) >= this.window.size()) {
				return false;
			}
			this.queue.view(this.position, this.view);
			if (this.position < this.started) {
				return mayGoOn();
			}
			if (!this.requester.mayStart()) {
				return false;
			}
			if (this.requester.isSent(this.view)) {
				return !(this.view.isFenced() && this.reads.count() > 0) && mayGoOn() && start();
			}
			if (this.position != this.queue.oldest()) {
				// what is carried out here waits for all before it, since completions are
				// in order
				return false;
			}
			CompletionStatus outcome = this.requester.attemptLocally(this.view);
			this.position++;
			this.started++;
			this.requester.completeOldest(outcome);
		}
		return false;
	}

	private boolean mayGoOn() {
		if (!this.view.bringsAnswer()) {
			return true;
		}
		if (this.reads.count() >= this.requester.maxReadAtomic()) {
			return false;
		}
		// a part of a READ is not made smaller, since it must be the same when it is
		// asked for again, so it waits until its answer fits the window
		int underWay = Psn.difference(this.sendPsn, this.unanswered);
		return underWay == 0 || underWay + answerPackets() <= this.window.size();
	}

	/** How many packets answer the next one. */
	private int answerPackets() {
		if (this.view.opcode() != WorkRequestOpcode.RDMA_READ) {
			return 1;
		}
		int index = (this.position < this.started) ? Psn.difference(this.sendPsn, this.queue.firstPsn(this.position))
				: 0;
		return Math.min(READ_PART - index % READ_PART, this.view.packets(this.mtuShift) - index);
	}

	private boolean start() {
		int packets = this.view.packets(this.mtuShift);
		this.queue.stamp(this.position, this.nextPsn, packets);
		this.nextPsn = Psn.add(this.nextPsn, packets);
		this.started++;
		return true;
	}

	/**
	 * Send the next packet.
	 * @param transmitter what sends it
	 * @return whether it was sent
	 */
	private boolean sendNext(Transmitter transmitter) {
		int first = this.queue.firstPsn(this.position);
		int packets = this.queue.packets(this.position);
		int index = Psn.difference(this.sendPsn, first);
		if (Psn.difference(this.sendPsn, this.sentBefore) < 0) {
			this.engine.counters().retransmitted();
		}
		int covered = 1;
		WorkRequestOpcode opcode = this.view.opcode();
		if (opcode == WorkRequestOpcode.RDMA_READ) {
			covered = sendRead(transmitter, index, packets);
		}
		else if (this.view.isAtomic()) {
			sendAtomic(transmitter);
		}
		else if (!sendPart(transmitter, index, packets)) {
			return false;
		}
		this.sendPsn = Psn.add(this.sendPsn, covered);
		if (Psn.difference(this.sendPsn, this.sentBefore) > 0) {
			this.sentBefore = this.sendPsn;
		}
		if (index + covered == packets) {
			this.position++;
		}
		return true;
	}

	private int sendRead(Transmitter transmitter, int index, int packets) {
		int end = Math.min(packets, (index / READ_PART + 1) * READ_PART);
		long from = (long) index << this.mtuShift;
		long length = Math.min(this.view.length(), (long) end << this.mtuShift) - from;
		int at = transmitter.next();
		Bth.write(transmitter.memory(), at, Opcode.READ_REQUEST, false, 0, this.path.peerNumber(), true, this.sendPsn);
		Reth.write(transmitter.memory(), at, this.view.remoteAddress() + from, this.view.rdmaKey(), (int) length);
		transmitter.add(this.path, Opcode.headerLength(Opcode.READ_REQUEST));
		this.reads.add(Psn.add(this.sendPsn, end - index - 1));
		return end - index;
	}

	private void sendAtomic(Transmitter transmitter) {
		boolean swap = this.view.opcode() == WorkRequestOpcode.ATOMIC_CMP_AND_SWP;
		int code = swap ? Opcode.COMPARE_AND_SWAP : Opcode.FETCH_AND_ADD;
		int at = transmitter.next();
		Bth.write(transmitter.memory(), at, code, false, 0, this.path.peerNumber(), true, this.sendPsn);
		AtomicEth.write(transmitter.memory(), at, this.view.remoteAddress(), this.view.atomicKey(),
				swap ? this.view.swap() : this.view.compareAdd(), swap ? this.view.compareAdd() : 0);
		transmitter.add(this.path, Opcode.headerLength(code));
		this.reads.add(this.sendPsn);
	}

	private boolean sendPart(Transmitter transmitter, int index, int packets) {
		long from = (long) index << this.mtuShift;
		int length = (int) Math.min(1L << this.mtuShift, this.view.length() - from);
		if (length > 0 && !this.view.findSource()) {
			this.view.release();
			// completions are in order, so if others come before it they have their turn
			this.sourceIsGone = this.position == this.queue.oldest();
			return false;
		}
		boolean last = index == packets - 1;
		int code = opcode(index == 0, last);
		int pad = Padding.of(length);
		boolean acknowledge = last || index % ACKNOWLEDGE_EVERY == ACKNOWLEDGE_EVERY - 1
				|| Psn.difference(this.sendPsn, this.unanswered) + 1 >= this.window.size();
		boolean solicited = last && this.view.isSolicited() && this.view.opcode() != WorkRequestOpcode.RDMA_WRITE;
		int at = transmitter.next();
		ByteBuffer memory = transmitter.memory();
		Bth.write(memory, at, code, solicited, pad, this.path.peerNumber(), acknowledge, this.sendPsn);
		if (Opcode.hasReth(code)) {
			Reth.write(memory, at, this.view.remoteAddress(), this.view.rdmaKey(), (int) this.view.length());
		}
		if (Opcode.hasImmediate(code)) {
			ImmediateData.write(memory, at, code, NetworkOrder.toNumber(this.view.immediate()));
		}
		else if (Opcode.hasInvalidate(code)) {
			Ieth.write(memory, at, this.view.immediate());
		}
		int payload = Opcode.headerLength(code);
		this.view.segments().gather(from, memory, at + payload, length);
		this.view.release();
		Padding.write(memory, at + payload + length, pad);
		transmitter.add(this.path, payload + length + pad);
		return true;
	}

	private int opcode(boolean first, boolean last) {
		return switch (Objects.requireNonNull(this.view.opcode())) {
			case SEND -> position(first, last, Opcode.SEND_FIRST, Opcode.SEND_LAST, Opcode.SEND_ONLY);
			case SEND_WITH_IMM -> position(first, last, Opcode.SEND_FIRST, Opcode.SEND_LAST_WITH_IMMEDIATE,
					Opcode.SEND_ONLY_WITH_IMMEDIATE);
			case SEND_WITH_INV -> position(first, last, Opcode.SEND_FIRST, Opcode.SEND_LAST_WITH_INVALIDATE,
					Opcode.SEND_ONLY_WITH_INVALIDATE);
			case RDMA_WRITE -> position(first, last, Opcode.WRITE_FIRST, Opcode.WRITE_LAST, Opcode.WRITE_ONLY);
			case RDMA_WRITE_WITH_IMM -> position(first, last, Opcode.WRITE_FIRST, Opcode.WRITE_LAST_WITH_IMMEDIATE,
					Opcode.WRITE_ONLY_WITH_IMMEDIATE);
			default -> throw new IllegalStateException(this.view.opcode() + " has no payload");
		};
	}

	/** The middle is always one after the first. */
	private static int position(boolean first, boolean last, int firstCode, int lastCode, int onlyCode) {
		if (first) {
			return last ? onlyCode : firstCode;
		}
		return last ? lastCode : firstCode + 1;
	}

	private void armTimer() {
		long timeout = this.requester.retries().timeoutNanos();
		if (this.stopped || timeout == 0 || this.sendPsn == this.unanswered || this.requester.isWaiting()) {
			this.deadline = Long.MAX_VALUE;
		}
		else if (this.deadline == Long.MAX_VALUE) {
			this.deadline = System.nanoTime() + timeout;
			this.engine.wakeBefore(this.deadline);
		}
	}

	/**
	 * Send again if the time for an answer is over.
	 * @param now the time
	 * @return when to look again, {@link Long#MAX_VALUE} if nothing is under way
	 */
	long checkTimeout(long now) {
		if (this.deadline != Long.MAX_VALUE && now - this.deadline >= 0) {
			this.recovering = false;
			goBack();
		}
		return this.deadline;
	}

	/**
	 * Send again from the oldest packet on, unless that was done already and no answer
	 * has come since.
	 */
	private void goBack() {
		if (this.recovering || this.stopped || this.requester.isWaiting()) {
			return;
		}
		if (!this.requester.retries().take()) {
			this.requester.completeOldest(CompletionStatus.RETRY_EXC_ERR);
			return;
		}
		this.recovering = true;
		this.window.shrink();
		restart();
		progress();
	}

	SoftQueuePair queuePair() {
		return this.requester.queuePair();
	}

	WirePath path() {
		return this.path;
	}

	/**
	 * Take a packet that answers. Its form and its ICRC are right.
	 * @param packet the memory it stands in
	 * @param at where it starts
	 * @param length its length without the ICRC
	 * @return why it was dropped, {@code null} if it was not
	 */
	@Nullable DropReason take(ByteBuffer packet, int at, int length) {
		if (this.stopped) {
			return DropReason.QP_STATE;
		}
		int code = Bth.opcode(packet, at);
		int psn = Bth.psn(packet, at);
		if (code == Opcode.ACKNOWLEDGE) {
			takeAcknowledge(psn, Aeth.syndrome(packet, at));
		}
		else if (answeredUpTo(psn)) {
			takeAnswer(code, packet, at, length);
		}
		this.engine.progressSoon(this);
		return null;
	}

	/**
	 * Note that the engine is about to be told that there may be something to send.
	 * @return whether it did not know
	 */
	boolean schedule() {
		boolean news = !this.scheduled;
		this.scheduled = true;
		return news;
	}

	/**
	 * Send what may be sent now that answers have come. Takes the lock.
	 */
	void progressNow() {
		this.requester.lock();
		try {
			this.scheduled = false;
			if (this.requester.wire() == this) {
				progress();
			}
		}
		finally {
			this.requester.unlock();
		}
	}

	/**
	 * Return whether a PSN was answered before.
	 * @param psn the PSN
	 * @return whether it is behind all that is not answered
	 */
	boolean isAnswered(int psn) {
		return Psn.difference(psn, this.unanswered) < 0;
	}

	/**
	 * Return whether a PSN is one that the peer may answer now.
	 * @param psn the PSN
	 * @return whether it was sent and is not answered
	 */
	boolean isExpected(int psn) {
		return Psn.difference(psn, this.unanswered) >= 0 && Psn.difference(psn, this.sentBefore) < 0;
	}

	private void takeAcknowledge(int psn, int syndrome) {
		if (Syndrome.isAck(syndrome)) {
			answeredUpTo(Psn.next(psn));
		}
		else if (answeredUpTo(psn)) {
			if (Syndrome.isRnr(syndrome)) {
				if (!this.requester.isWaiting()) {
					this.deadline = Long.MAX_VALUE;
					this.requester.notReady(Syndrome.rnrTimer(syndrome));
				}
				return;
			}
			switch (syndrome) {
				case Syndrome.NAK_PSN_SEQUENCE -> goBack();
				case Syndrome.NAK_INVALID_REQUEST -> fail(CompletionStatus.REM_INV_REQ_ERR);
				case Syndrome.NAK_REMOTE_ACCESS -> fail(CompletionStatus.REM_ACCESS_ERR);
				case Syndrome.NAK_REMOTE_OPERATION -> fail(CompletionStatus.REM_OP_ERR);
				default -> fail(CompletionStatus.BAD_RESP_ERR);
			}
		}
	}

	private void fail(CompletionStatus status) {
		this.requester.completeOldest(status);
	}

	/**
	 * Take notice that everything before a PSN is answered. A READ or atomic request is
	 * so only by its own answer; if that is missing it was lost, and is asked for again.
	 * @param psn the PSN
	 * @return whether nothing was missing
	 */
	private boolean answeredUpTo(int psn) {
		while (!this.stopped && this.queue.oldest() < this.started && this.unanswered != psn) {
			long oldest = this.queue.oldest();
			this.queue.view(oldest, this.view);
			if (this.view.bringsAnswer()) {
				goBack();
				return false;
			}
			int end = Psn.add(this.queue.firstPsn(oldest), this.queue.packets(oldest));
			if (Psn.difference(psn, end) < 0) {
				advance(psn);
				return true;
			}
			advance(end);
			succeed();
		}
		return !this.stopped;
	}

	private void advance(int psn) {
		this.window.grow(Psn.difference(psn, this.unanswered));
		this.unanswered = psn;
		this.recovering = false;
		// what was to be sent again after a wait may have been answered after all
		this.requester.stopWaiting();
		this.reads.answeredBefore(psn);
		this.requester.retries().startAnew();
		if (Psn.difference(this.sendPsn, psn) < 0) {
			// answers to what was sent before it had to be sent again
			this.sendPsn = psn;
			this.position = this.queue.oldest();
		}
		this.deadline = Long.MAX_VALUE;
	}

	/**
	 * Complete the oldest request, all of which is answered.
	 */
	private void succeed() {
		if (this.position == this.queue.oldest()) {
			this.position++;
		}
		this.requester.completeOldest(CompletionStatus.SUCCESS);
	}

	private void takeAnswer(int code, ByteBuffer packet, int at, int length) {
		long oldest = this.queue.oldest();
		if (oldest == this.started) {
			return;
		}
		this.queue.view(oldest, this.view);
		WorkRequestOpcode opcode = this.view.opcode();
		int index = Psn.difference(this.unanswered, this.queue.firstPsn(oldest));
		int packets = this.queue.packets(oldest);
		CompletionStatus failure;
		if (code == Opcode.ATOMIC_ACKNOWLEDGE) {
			failure = this.view.isAtomic() ? landAtomic(packet, at) : CompletionStatus.BAD_RESP_ERR;
		}
		else {
			failure = (opcode == WorkRequestOpcode.RDMA_READ) ? landRead(index, code, packet, at, length)
					: CompletionStatus.BAD_RESP_ERR;
		}
		this.view.release();
		if (failure != null) {
			fail(failure);
			return;
		}
		advance(Psn.next(this.unanswered));
		if (index == packets - 1) {
			succeed();
		}
	}

	private @Nullable CompletionStatus landAtomic(ByteBuffer packet, int at) {
		return this.view.land(AtomicAckEth.original(packet, at)) ? null : CompletionStatus.LOC_PROT_ERR;
	}

	private @Nullable CompletionStatus landRead(int index, int code, ByteBuffer packet, int at, int length) {
		long from = (long) index << this.mtuShift;
		int expected = (int) Math.min(1L << this.mtuShift, this.view.length() - from);
		int payload = Opcode.headerLength(code);
		int actual = length - payload - Bth.pad(packet, at);
		if (actual != expected) {
			return CompletionStatus.BAD_RESP_ERR;
		}
		if (expected > 0) {
			if (!this.view.findLanding()) {
				return CompletionStatus.LOC_PROT_ERR;
			}
			this.view.segments().scatter(from, packet, at + payload, expected);
		}
		return null;
	}

}
