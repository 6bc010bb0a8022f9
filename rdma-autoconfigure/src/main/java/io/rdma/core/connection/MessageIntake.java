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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.WorkCompletion;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Takes in what arrives: checks it, puts pieces together, and hands it to the inbox or to
 * whoever waits for a reply. One thread at a time, since all receives of a connection
 * complete in one queue.
 */
@RequiredArgsConstructor
final class MessageIntake {

	private static final String OPERATION = OperationKind.RECEIVE.name();

	private final RdmaConnection connection;

	private final ConnectionLife life;

	private final ConnectionOwner owner;

	private final ReceiveWindow window;

	private final SendCredits credits;

	private final CreditReturn creditReturn;

	private final int maxMessageSize;

	private final Reassembly ordinary = new Reassembly();

	private final Reassembly replies = new Reassembly();

	private final LongAdder aborted = new LongAdder();

	/**
	 * Messages that arrived before the connection was ready: the peer may send as soon as
	 * it is, which can be a moment earlier. No more than there are receives.
	 */
	private final Deque<QueuedMessage> early = new ArrayDeque<>();

	private final AtomicBoolean opening = new AtomicBoolean();

	/** Changed with {@link #early} locked. */
	private volatile boolean open;

	/**
	 * Return how many messages the peer started and gave up.
	 * @return the number
	 */
	long aborted() {
		return this.aborted.sum();
	}

	/**
	 * Take in what a receive brought. Nothing escapes: what cannot be taken in ends the
	 * connection.
	 * @param slot the receive
	 * @param completion its completion, which is a success
	 */
	void received(ReceiveSlot slot, WorkCompletion completion) {
		this.window.countReceived();
		try {
			String fault = take(slot, completion);
			if (fault == null) {
				// also if nothing was posted again: the peer has one credit less now
				this.creditReturn.tell();
			}
			else {
				this.life.fail(new RdmaConnectionLostException(this.connection.context(OPERATION),
						"the peer sent a malformed message: " + fault,
						"Check that both sides use the same version of this library. " + ConnectionLife.RETRY));
			}
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			this.life.fail(OPERATION, "a message could not be taken in", ex);
		}
	}

	private @Nullable String take(ReceiveSlot slot, WorkCompletion completion) {
		if (completion.opcode() == CompletionOpcode.RECV_RDMA_WITH_IMM) {
			deliver(QueuedMessage.immediate(this.connection, slot, completion.immediate(), completion.byteLength()));
			return null;
		}
		if (completion.byteLength() < MessageHeader.SIZE) {
			return "it has " + completion.byteLength() + " bytes, fewer than its header";
		}
		ByteBuffer memory = slot.view();
		this.credits.granted(MessageHeader.credit(memory));
		return switch (MessageHeader.type(memory)) {
			case MessageHeader.READY -> {
				this.window.repost(slot);
				this.life.proven();
				yield null;
			}
			case MessageHeader.DATA -> data(slot, (int) completion.byteLength());
			default -> "it has the unknown type " + MessageHeader.type(memory);
		};
	}

	private @Nullable String data(ReceiveSlot slot, int received) {
		ByteBuffer memory = slot.view();
		int flags = MessageHeader.flags(memory);
		int length = MessageHeader.pieceLength(memory);
		long total = MessageHeader.totalLength(memory);
		int at = MessageHeader.SIZE + MessageHeader.contentTypeBytes(memory);
		if (length < 0 || at + (long) length != received) {
			return "it has " + received + " bytes, but its header tells of " + length;
		}
		if (total < length || total > this.maxMessageSize) {
			return "it has " + total + " bytes in all, but " + this.maxMessageSize + " are allowed";
		}
		int whole = MessageHeader.FIRST | MessageHeader.LAST;
		if ((flags & whole) != whole) {
			return piece(slot, at, length, (int) total, flags);
		}
		if (total != length) {
			return "its only piece has " + length + " bytes of " + total;
		}
		single(slot, at, length, flags);
		return null;
	}

	private void single(ReceiveSlot slot, int at, int length, int flags) {
		ByteBuffer memory = slot.view();
		long correlationId = MessageHeader.correlationId(memory);
		String contentType = MessageHeader.contentType(memory);
		if (!isReply(flags)) {
			deliver(QueuedMessage.inBuffer(this.connection, slot, at, length, contentType, correlationId,
					isRequest(flags)));
			return;
		}
		byte[] payload = new byte[length];
		memory.get(at, payload);
		this.window.repost(slot);
		reply(payload, contentType, correlationId);
	}

	private @Nullable String piece(ReceiveSlot slot, int at, int length, int total, int flags) {
		ByteBuffer memory = slot.view();
		Reassembly reassembly = isReply(flags) ? this.replies : this.ordinary;
		if ((flags & MessageHeader.FIRST) != 0 && reassembly.start(total, MessageHeader.contentType(memory))) {
			this.aborted.increment();
		}
		String fault = reassembly.append(MessageHeader.piece(memory), memory, at, length);
		if (fault != null) {
			return fault;
		}
		long correlationId = MessageHeader.correlationId(memory);
		if ((flags & MessageHeader.LAST) == 0) {
			// a reply is waited for, so it may use memory; others wait until some are
			// taken
			if (isReply(flags)) {
				this.window.repost(slot);
			}
			else {
				this.window.repostUnlessFull(slot);
			}
			return null;
		}
		byte[] whole = reassembly.finish();
		if (whole == null) {
			return "its last piece came before all others";
		}
		if (isReply(flags)) {
			this.window.repost(slot);
			reply(whole, reassembly.contentType(), correlationId);
		}
		else {
			deliver(QueuedMessage.whole(this.connection, slot, whole, reassembly.contentType(), correlationId,
					isRequest(flags)));
		}
		return null;
	}

	private static boolean isReply(int flags) {
		return (flags & MessageHeader.REPLY) != 0;
	}

	private static boolean isRequest(int flags) {
		return (flags & MessageHeader.REQUEST) != 0;
	}

	private void reply(byte[] payload, @Nullable String contentType, long correlationId) {
		this.owner.replied(new InboundMessage(this.connection.peer(), this.connection, payload, contentType,
				correlationId, false, true, null, payload.length));
	}

	private void deliver(QueuedMessage message) {
		if (this.window.hold(message.slot(), message.heldBytes()) && !keepEarly(message)) {
			this.owner.arrived(message);
		}
	}

	private boolean keepEarly(QueuedMessage message) {
		if (this.open) {
			return false;
		}
		synchronized (this.early) {
			return !this.open && this.early.add(message);
		}
	}

	/**
	 * Hand over what arrived until now, and from now on everything at once. To be called
	 * when the connection is ready, so that whoever gets a message can reply, or when it
	 * never will be.
	 */
	void open() {
		if (!this.opening.compareAndSet(false, true)) {
			return;
		}
		for (QueuedMessage message = nextEarly(); message != null; message = nextEarly()) {
			try {
				this.owner.arrived(message);
			}
			catch (RuntimeException | OutOfMemoryError ex) {
				this.life.fail(OPERATION, "a message could not be handed over", ex);
			}
		}
	}

	private @Nullable QueuedMessage nextEarly() {
		synchronized (this.early) {
			QueuedMessage message = this.early.poll();
			this.open = (message == null);
			return message;
		}
	}

	/**
	 * Give back the receive of a message that was taken from the inbox.
	 * @param message the message
	 */
	void taken(QueuedMessage message) {
		try {
			this.window.taken(message.slot(), message.heldBytes());
			this.creditReturn.tell();
		}
		catch (RuntimeException ex) {
			this.life.fail(OPERATION, "a receive could not be posted again", ex);
		}
	}

}
