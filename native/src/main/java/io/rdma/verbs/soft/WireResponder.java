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
import java.nio.ByteBuffer;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.HostMemory;
import io.rdma.verbs.QueuePairAttribute;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.StructLayouts.Wc;
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
 * Carries out requests that come as packets, and answers with packets. Guarded by the
 * lock of the responder.
 */
final class WireResponder {

	private static final int ATOMIC_SIZE = Long.BYTES;

	/**
	 * A request that is so far ahead was not sent by the peer: none has so much under
	 * way.
	 */
	private static final int MAX_AHEAD = 1 << 16;

	/**
	 * So many packets of a READ are sent before others have their turn.
	 */
	private static final int BURST = 64;

	/** No message has begun and not ended. */
	private static final int BETWEEN_MESSAGES = 0;

	private static final int IN_SEND = 1;

	private static final int IN_WRITE = 2;

	private final Responder responder;

	private final WireEngine engine;

	private WirePath path;

	private ResponderResources resources = new ResponderResources(0);

	private AnswerQueue answers = new AnswerQueue(0);

	private int message = BETWEEN_MESSAGES;

	/** How many bytes of the message are in place. */
	private long placed;

	private long writeAddress;

	private int writeKey;

	private long writeLength;

	/** How many messages were carried out. */
	private int msn;

	/** Whether the peer was told of a gap that is not closed. */
	private boolean gapTold;

	/** The PSN of a packet that was dropped since one before it was missing. */
	private int droppedPsn;

	/** Whether the engine knows that there is something to send. */
	private boolean scheduled;

	/** Whether there is an answer beside those in the queue, and which. */
	private boolean answering;

	private int answerPsn;

	private int answerSyndrome;

	WireResponder(Responder responder, WirePath path) {
		this.responder = responder;
		this.path = path;
		this.engine = path.engine();
	}

	void configure(QueuePairAttributes attributes) {
		if (attributes.has(QueuePairAttribute.MAX_DEST_RD_ATOMIC)) {
			this.resources = new ResponderResources(attributes.maxDestRdAtomic());
			// each can be asked for again while it is still to be answered
			this.answers = new AnswerQueue(2 * attributes.maxDestRdAtomic());
		}
	}

	/**
	 * Give up the message that has begun and not ended.
	 * @return whether it had taken a receive
	 */
	boolean abandonMessage() {
		boolean received = this.message == IN_SEND;
		this.message = BETWEEN_MESSAGES;
		return received;
	}

	/**
	 * Return whether a PSN is one that the peer may send now, again or for the first
	 * time.
	 * @param psn the PSN
	 * @param code the opcode
	 * @return whether it is within the window
	 */
	boolean isExpected(int psn, int code) {
		int ahead = Psn.difference(psn, this.responder.expectedPsn());
		// the answer to one READ can have half of all PSNs, and each can be asked for
		// again
		return ahead < MAX_AHEAD && (ahead > -MAX_AHEAD || code == Opcode.READ_REQUEST);
	}

	SoftQueuePair queuePair() {
		return this.responder.queuePair();
	}

	WirePath path() {
		return this.path;
	}

	void path(WirePath newPath) {
		this.path = newPath;
	}

	/**
	 * Forget the answers to READ and atomic requests, since the queue pair fails.
	 */
	void dropAnswers() {
		this.answers.clear();
	}

	/**
	 * Send what is still to be answered, since the queue pair forgets its peer: a message
	 * that was received must not fail at the peer.
	 */
	void sendLastAnswer() {
		if (this.answering) {
			this.answers.clear();
			send();
		}
	}

	/**
	 * Take a packet with a request. Its form and its ICRC are right.
	 * @param packet the memory it stands in
	 * @param at where it starts
	 * @param length its length without the ICRC
	 * @return why it was dropped, {@code null} if it was not
	 */
	@Nullable DropReason take(ByteBuffer packet, int at, int length) {
		int psn = Bth.psn(packet, at);
		int ahead = Psn.difference(psn, this.responder.expectedPsn());
		if (ahead > 0) {
			this.droppedPsn = psn;
			if (!this.gapTold) {
				this.gapTold = true;
				answer(this.responder.expectedPsn(), Syndrome.NAK_PSN_SEQUENCE);
			}
			return DropReason.GAP;
		}
		if (ahead < 0) {
			return repeat(packet, at, psn);
		}
		this.gapTold = false;
		carryOut(Bth.opcode(packet, at), packet, at, length);
		return null;
	}

	private @Nullable DropReason repeat(ByteBuffer packet, int at, int psn) {
		int code = Bth.opcode(packet, at);
		if (code == Opcode.READ_REQUEST) {
			return repeatRead(packet, at, psn);
		}
		if (code == Opcode.COMPARE_AND_SWAP || code == Opcode.FETCH_AND_ADD) {
			int index = this.resources.find(psn, true);
			if (index == ResponderResources.NONE) {
				return DropReason.DUPLICATE;
			}
			dropAnswersFrom(psn);
			this.answers.addAtomic(psn, this.msn, this.resources.found(index));
			this.engine.answerSoon(this);
			return null;
		}
		// it was carried out, and the answer to that was lost
		int last = Psn.add(this.responder.expectedPsn(), -1);
		int acknowledged = this.resources.lastBeforeRequestBehind(psn, last);
		if (!this.answering
				|| (this.answerSyndrome == Syndrome.ACK && Psn.difference(acknowledged, this.answerPsn) > 0)) {
			answer(acknowledged, Syndrome.ACK);
		}
		return DropReason.DUPLICATE;
	}

	/**
	 * Forget the answers that the peer is about to ask for again.
	 * @param psn the PSN of the first
	 */
	private void dropAnswersFrom(int psn) {
		this.answers.removeFrom(psn);
		if (this.answerSyndrome == Syndrome.ACK) {
			this.answering = false;
		}
	}

	private @Nullable DropReason repeatRead(ByteBuffer packet, int at, int psn) {
		int key = Reth.key(packet, at);
		long address = Reth.address(packet, at);
		long length = Reth.length(packet, at);
		int index = this.resources.find(psn, false);
		if (index == ResponderResources.NONE
				|| !this.resources.covers(index, psn, key, address, length, this.responder.mtuShift())) {
			return DropReason.DUPLICATE;
		}
		dropAnswersFrom(psn);
		this.answers.addRead(psn, this.msn, key, address, length);
		this.engine.answerSoon(this);
		return null;
	}

	private void carryOut(int code, ByteBuffer packet, int at, int length) {
		int header = Opcode.headerLength(code);
		int payload = length - header - Bth.pad(packet, at);
		if (!isInSequence(code) || !hasRightSize(code, payload)) {
			refuseMessage(AsyncEventType.QP_REQ_ERR, CompletionStatus.REM_INV_REQ_ERR, Syndrome.NAK_INVALID_REQUEST);
			return;
		}
		switch (code) {
			case Opcode.SEND_FIRST, Opcode.SEND_MIDDLE, Opcode.SEND_LAST, Opcode.SEND_LAST_WITH_IMMEDIATE,
					Opcode.SEND_LAST_WITH_INVALIDATE, Opcode.SEND_ONLY, Opcode.SEND_ONLY_WITH_IMMEDIATE,
					Opcode.SEND_ONLY_WITH_INVALIDATE ->
				receive(code, packet, at, at + header, payload);
			case Opcode.READ_REQUEST -> read(packet, at);
			case Opcode.COMPARE_AND_SWAP, Opcode.FETCH_AND_ADD -> atomic(code, packet, at);
			default -> write(code, packet, at, at + header, payload);
		}
	}

	private boolean isInSequence(int code) {
		if (Opcode.startsMessage(code)) {
			return this.message == BETWEEN_MESSAGES;
		}
		return this.message == (Opcode.isSend(code) ? IN_SEND : IN_WRITE);
	}

	private boolean hasRightSize(int code, int payload) {
		int mtu = 1 << this.responder.mtuShift();
		if (!Opcode.hasPayload(code)) {
			return payload == 0;
		}
		if (!Opcode.endsMessage(code)) {
			return payload == mtu;
		}
		return payload <= mtu && (payload > 0 || Opcode.startsMessage(code));
	}

	private void receive(int code, ByteBuffer packet, int at, int from, int length) {
		if (Opcode.startsMessage(code)) {
			if (!this.responder.takeReceive()) {
				notReady();
				return;
			}
			this.placed = 0;
			this.message = IN_SEND;
		}
		ReceiveRequest receive = this.responder.receive();
		if (this.placed + length > receive.room()) {
			failReceive(CompletionStatus.LOC_LEN_ERR, Syndrome.NAK_INVALID_REQUEST);
			return;
		}
		boolean found = receive.find(this.placed, length);
		if (found) {
			receive.segments().scatter(0, packet, from, length);
		}
		receive.release();
		if (!found) {
			failReceive(CompletionStatus.LOC_QP_OP_ERR, Syndrome.NAK_REMOTE_OPERATION);
			return;
		}
		this.placed += length;
		if (!Opcode.endsMessage(code)) {
			next(packet, at);
			return;
		}
		int flags = Wc.FLAG_GRH;
		int immediate = 0;
		if (Opcode.hasImmediate(code)) {
			flags |= Wc.FLAG_WITH_IMM;
			immediate = NetworkOrder.fromNumber(ImmediateData.value(packet, at, code));
		}
		else if (Opcode.hasInvalidate(code)) {
			immediate = Ieth.key(packet, at);
			if (!this.responder.invalidate(immediate)) {
				// a fault of class J: the requester is told nothing
				this.message = BETWEEN_MESSAGES;
				this.responder.failReceive(CompletionStatus.REM_INV_REQ_ERR);
				return;
			}
			flags |= Wc.FLAG_WITH_INV;
		}
		endMessage(packet, at);
		this.responder.completeReceive(CompletionOpcode.RECV, this.placed, immediate, flags,
				Bth.isSolicited(packet, at));
	}

	private void write(int code, ByteBuffer packet, int at, int from, int length) {
		if (Opcode.hasReth(code)) {
			if (this.responder.lacks(AccessFlag.REMOTE_WRITE)) {
				refuse(AsyncEventType.QP_REQ_ERR, Syndrome.NAK_INVALID_REQUEST);
				return;
			}
			this.writeAddress = Reth.address(packet, at);
			this.writeKey = Reth.key(packet, at);
			this.writeLength = Reth.length(packet, at);
			this.placed = 0;
			this.message = IN_WRITE;
		}
		boolean last = Opcode.endsMessage(code);
		long left = this.writeLength - this.placed;
		if (this.writeLength > Limits.MAX_MESSAGE || (last ? length != left : length >= left)) {
			refuseMessage(AsyncEventType.QP_REQ_ERR, CompletionStatus.REM_INV_REQ_ERR, Syndrome.NAK_INVALID_REQUEST);
			return;
		}
		boolean immediate = Opcode.hasImmediate(code);
		if (immediate && !this.responder.takeReceive()) {
			if (Opcode.startsMessage(code)) {
				this.message = BETWEEN_MESSAGES;
			}
			notReady();
			return;
		}
		if (!place(packet, from, length)) {
			if (immediate) {
				this.responder.raise(AsyncEventType.QP_ACCESS_ERR);
				failReceive(CompletionStatus.LOC_ACCESS_ERR, Syndrome.NAK_REMOTE_ACCESS);
			}
			else {
				refuse(AsyncEventType.QP_ACCESS_ERR, Syndrome.NAK_REMOTE_ACCESS);
			}
			return;
		}
		this.placed += length;
		if (!last) {
			next(packet, at);
			return;
		}
		endMessage(packet, at);
		if (immediate) {
			this.responder.completeReceive(CompletionOpcode.RECV_RDMA_WITH_IMM, this.writeLength,
					NetworkOrder.fromNumber(ImmediateData.value(packet, at, code)), Wc.FLAG_GRH | Wc.FLAG_WITH_IMM,
					Bth.isSolicited(packet, at));
		}
	}

	/**
	 * Put a part of a WRITE in its place. The first part is refused if not all of the
	 * message may be written, and each is if that has changed meanwhile.
	 */
	private boolean place(ByteBuffer packet, int from, int length) {
		if (this.writeLength == 0) {
			return true;
		}
		MemoryGrant grant = this.responder.grant(this.writeKey, AccessFlag.REMOTE_WRITE);
		long offset = (grant != null) ? grant.locate(this.writeAddress, this.writeLength) : MemoryGrant.OUTSIDE;
		if (grant == null || offset == MemoryGrant.OUTSIDE) {
			return false;
		}
		grant.memory().put(offset + this.placed, packet, from, length);
		// who sees a later write sees this one too
		VarHandle.releaseFence();
		return true;
	}

	private void read(ByteBuffer packet, int at) {
		if (this.responder.lacks(AccessFlag.REMOTE_READ) || this.responder.maxReadAtomic() == 0) {
			refuse(AsyncEventType.QP_REQ_ERR, Syndrome.NAK_INVALID_REQUEST);
			return;
		}
		int key = Reth.key(packet, at);
		long address = Reth.address(packet, at);
		long length = Reth.length(packet, at);
		if (length > Limits.MAX_MESSAGE) {
			refuse(AsyncEventType.QP_REQ_ERR, Syndrome.NAK_INVALID_REQUEST);
			return;
		}
		MemoryGrant grant = (length > 0) ? this.responder.grant(key, AccessFlag.REMOTE_READ) : null;
		if (length > 0 && (grant == null || grant.locate(address, length) == MemoryGrant.OUTSIDE)) {
			refuse(AsyncEventType.QP_ACCESS_ERR, Syndrome.NAK_REMOTE_ACCESS);
			return;
		}
		if (this.answers.isFull()) {
			// more than the peer may have under way: it asks again
			return;
		}
		int psn = this.responder.expectedPsn();
		int mtuShift = this.responder.mtuShift();
		int packets = Psn.packets(length, mtuShift);
		this.resources.addRead(psn, packets, key, address, length);
		this.responder.expect(Psn.add(psn, packets));
		this.msn = Psn.next(this.msn);
		this.answers.addRead(psn, this.msn, key, address, length);
		impliedAcknowledge();
		// at once, so that what the peer sends after it does not change what it reads
		send();
	}

	private void atomic(int code, ByteBuffer packet, int at) {
		if (this.responder.lacks(AccessFlag.REMOTE_ATOMIC) || this.responder.maxReadAtomic() == 0) {
			refuse(AsyncEventType.QP_REQ_ERR, Syndrome.NAK_INVALID_REQUEST);
			return;
		}
		long address = AtomicEth.address(packet, at);
		if ((address & (ATOMIC_SIZE - 1)) != 0) {
			refuse(AsyncEventType.QP_REQ_ERR, Syndrome.NAK_INVALID_REQUEST);
			return;
		}
		MemoryGrant grant = this.responder.grant(AtomicEth.key(packet, at), AccessFlag.REMOTE_ATOMIC);
		long offset = (grant != null) ? grant.locate(address, ATOMIC_SIZE) : MemoryGrant.OUTSIDE;
		if (grant == null || offset == MemoryGrant.OUTSIDE) {
			refuse(AsyncEventType.QP_ACCESS_ERR, Syndrome.NAK_REMOTE_ACCESS);
			return;
		}
		if (this.answers.isFull()) {
			return;
		}
		HostMemory memory = grant.memory();
		long swapOrAdd = AtomicEth.swapOrAdd(packet, at);
		long found = (code == Opcode.FETCH_AND_ADD) ? memory.getAndAddLong(offset, swapOrAdd)
				: memory.compareAndExchangeLong(offset, AtomicEth.compare(packet, at), swapOrAdd);
		int psn = this.responder.expectedPsn();
		this.resources.addAtomic(psn, found);
		this.responder.expect(Psn.next(psn));
		this.msn = Psn.next(this.msn);
		this.answers.addAtomic(psn, this.msn, found);
		impliedAcknowledge();
		this.engine.answerSoon(this);
	}

	private void next(ByteBuffer packet, int at) {
		int psn = this.responder.expectedPsn();
		this.responder.expect(Psn.next(psn));
		if (Bth.isAckRequested(packet, at)) {
			answer(psn, Syndrome.ACK);
		}
	}

	private void endMessage(ByteBuffer packet, int at) {
		this.message = BETWEEN_MESSAGES;
		this.msn = Psn.next(this.msn);
		next(packet, at);
	}

	/**
	 * An answer that is queued says of all before it that it was carried out.
	 */
	private void impliedAcknowledge() {
		if (isGapPending()) {
			this.answerPsn = this.responder.expectedPsn();
		}
		else {
			this.answering = false;
		}
	}

	/**
	 * Return whether the peer is still to be told that a packet must come again, which
	 * says too that all before it was carried out.
	 */
	private boolean isGapPending() {
		return this.answering && this.answerSyndrome == Syndrome.NAK_PSN_SEQUENCE
				&& Psn.difference(this.droppedPsn, this.responder.expectedPsn()) >= 0;
	}

	private void notReady() {
		// the answer stands for all that the peer has sent behind this request
		this.gapTold = true;
		answer(this.responder.expectedPsn(), Syndrome.rnr(this.responder.rnrTimer()));
	}

	private void failReceive(CompletionStatus status, int syndrome) {
		this.message = BETWEEN_MESSAGES;
		this.responder.failReceive(status);
		answer(this.responder.expectedPsn(), syndrome);
	}

	/**
	 * Refuse a packet that does not fit the message it is in, or begins one where none
	 * can begin.
	 */
	private void refuseMessage(AsyncEventType event, CompletionStatus status, int syndrome) {
		if (this.message == IN_SEND) {
			failReceive(status, syndrome);
		}
		else {
			refuse(event, syndrome);
		}
	}

	private void refuse(AsyncEventType event, int syndrome) {
		this.message = BETWEEN_MESSAGES;
		this.responder.refuse(event);
		answer(this.responder.expectedPsn(), syndrome);
	}

	/**
	 * Note that the engine is about to be told that there is something to send.
	 * @return whether it did not know
	 */
	boolean schedule() {
		boolean news = !this.scheduled;
		this.scheduled = true;
		return news;
	}

	private void answer(int psn, int syndrome) {
		if (syndrome == Syndrome.ACK && isGapPending()) {
			this.gapTold = true;
			this.answerPsn = this.responder.expectedPsn();
			return;
		}
		this.answering = true;
		this.answerPsn = psn;
		this.answerSyndrome = syndrome;
		this.engine.answerSoon(this);
	}

	/**
	 * Send the answers that are due. Those to READ and atomic requests come first: they
	 * say of all before them that it was carried out, and what is said after them must
	 * not overtake them.
	 */
	private void send() {
		Transmitter transmitter = this.engine.transmitterOf(this.path);
		boolean lost = false;
		transmitter.lock();
		try {
			int budget = BURST;
			while (!this.answers.isEmpty() && budget > 0 && !lost) {
				lost = !sendNext(transmitter);
				budget--;
			}
			if (this.answers.isEmpty() && this.answering) {
				this.answering = false;
				sendAcknowledge(transmitter, this.answerPsn, this.answerSyndrome);
			}
		}
		finally {
			transmitter.flushAndUnlock();
		}
		if (lost) {
			// the memory was taken away after the request was accepted
			int psn = this.answers.psn();
			this.answers.clear();
			this.responder.refuse(AsyncEventType.QP_ACCESS_ERR);
			answer(psn, Syndrome.NAK_REMOTE_ACCESS);
		}
		if (!this.answers.isEmpty()) {
			this.engine.answerSoon(this);
		}
	}

	private boolean sendNext(Transmitter transmitter) {
		AnswerQueue queue = this.answers;
		if (queue.isAtomic()) {
			int at = transmitter.next();
			start(transmitter, at, Opcode.ATOMIC_ACKNOWLEDGE, 0, queue.psn());
			Aeth.write(transmitter.memory(), at, Syndrome.ACK, queue.msn());
			AtomicAckEth.write(transmitter.memory(), at, queue.value());
			transmitter.add(this.path, Opcode.headerLength(Opcode.ATOMIC_ACKNOWLEDGE));
			queue.remove();
			return true;
		}
		int mtuShift = this.responder.mtuShift();
		long left = queue.value();
		int length = (int) Math.min(left, 1L << mtuShift);
		MemoryGrant grant = (length > 0) ? this.responder.grant(queue.key(), AccessFlag.REMOTE_READ) : null;
		long offset = (grant != null) ? grant.locate(queue.address(), left) : MemoryGrant.OUTSIDE;
		if (length > 0 && (grant == null || offset == MemoryGrant.OUTSIDE)) {
			return false;
		}
		int code = readResponse(queue.isBegun(), left == length);
		int pad = Padding.of(length);
		int at = transmitter.next();
		ByteBuffer memory = transmitter.memory();
		start(transmitter, at, code, pad, queue.psn());
		if (Opcode.hasAeth(code)) {
			Aeth.write(memory, at, Syndrome.ACK, queue.msn());
		}
		int payload = at + Opcode.headerLength(code);
		if (grant != null) {
			grant.memory().get(offset, memory, payload, length);
		}
		Padding.write(memory, payload + length, pad);
		transmitter.add(this.path, payload - at + length + pad);
		if (left == length) {
			queue.remove();
		}
		else {
			queue.advance(Psn.next(queue.psn()), length);
		}
		return true;
	}

	private static int readResponse(boolean begun, boolean last) {
		if (begun) {
			return last ? Opcode.READ_RESPONSE_LAST : Opcode.READ_RESPONSE_MIDDLE;
		}
		return last ? Opcode.READ_RESPONSE_ONLY : Opcode.READ_RESPONSE_FIRST;
	}

	private void sendAcknowledge(Transmitter transmitter, int psn, int syndrome) {
		int at = transmitter.next();
		start(transmitter, at, Opcode.ACKNOWLEDGE, 0, psn);
		Aeth.write(transmitter.memory(), at, syndrome, this.msn);
		transmitter.add(this.path, Opcode.headerLength(Opcode.ACKNOWLEDGE));
	}

	private void start(Transmitter transmitter, int at, int code, int pad, int psn) {
		Bth.write(transmitter.memory(), at, code, false, pad, this.path.peerNumber(), false, psn);
	}

	/**
	 * Send the answers that are due. Takes the lock.
	 */
	void sendAnswers() {
		this.responder.lock();
		try {
			this.scheduled = false;
			if (this.responder.wire() == this) {
				send();
			}
		}
		finally {
			this.responder.unlock();
		}
	}

}
