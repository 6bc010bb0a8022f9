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

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.completion.WorkRequestId;
import io.rdma.core.completion.WorkRequestKind;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaExceptionTranslator;
import io.rdma.core.exception.RdmaQueueFullException;
import io.rdma.verbs.Errno;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsException;
import lombok.RequiredArgsConstructor;

/**
 * Turns operations into work requests: finds each a slot and, where it needs one, a
 * credit, and cuts messages into pieces that fit the peer's receive buffers. Thread-safe.
 */
@RequiredArgsConstructor
final class OperationSender {

	private final RdmaConnection connection;

	private final ConnectionLife life;

	private final SendTable table;

	private final SendQueue sendQueue;

	private final SendCredits credits;

	private final SendWaits waits;

	private final ReceiveWindow window;

	private final CreditReturn creditReturn;

	/**
	 * How many bytes of a message, with its content type, fit one receive of the peer.
	 */
	private final int pieceRoom;

	/**
	 * Order of what takes credits: the pieces of one message are never mixed with
	 * another's.
	 */
	private final ReentrantLock ordinaryLane = new ReentrantLock();

	private final ReentrantLock replyLane = new ReentrantLock();

	private final LongAdder messages = new LongAdder();

	long messages() {
		return this.messages.sum();
	}

	/**
	 * Return whether no message is being sent.
	 * @return whether both lanes are free
	 */
	boolean isIdle() {
		return !this.ordinaryLane.isLocked() && !this.replyLane.isLocked();
	}

	/**
	 * Post an operation, waiting for what it needs until its deadline.
	 * @param operation the operation, checked
	 */
	void post(Operation operation) {
		if (!operation.kind().needsCredit()) {
			operation.expect(1);
			postPieces(operation, 1);
			return;
		}
		int count = pieces(operation);
		ReentrantLock lane = lane(operation);
		if (!lane.tryLock()) {
			this.waits.awaitLane(operation, lane);
		}
		try {
			operation.expect(count);
			postPieces(operation, count);
		}
		finally {
			lane.unlock();
		}
	}

	private ReentrantLock lane(Operation operation) {
		return operation.isReply() ? this.replyLane : this.ordinaryLane;
	}

	private int pieces(Operation operation) {
		int first = this.pieceRoom - contentTypeBytes(operation);
		if (operation.kind() != OperationKind.SEND || operation.length() <= first) {
			return 1;
		}
		return 1 + (int) (((long) operation.length() - first + this.pieceRoom - 1) / this.pieceRoom);
	}

	private static int contentTypeBytes(Operation operation) {
		String contentType = operation.contentType();
		return (contentType != null)
				? SendQueue.writtenOut(MessageHeader.contentTypeCode(contentType), contentType).length : 0;
	}

	private void postPieces(Operation operation, int count) {
		boolean credit = operation.kind().needsCredit();
		int posted = 0;
		int at = 0;
		try {
			while (posted < count) {
				if (credit && !this.credits.tryTake(operation, 1)) {
					this.credits.await(operation, this.connection);
				}
				try {
					if (!this.table.tryReserve(1)) {
						this.waits.awaitSlot(operation);
					}
					at += postReserved(operation, posted, at, true);
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
			abandon(operation, count - posted);
			throw ex;
		}
		count(operation);
	}

	private static void abandon(Operation operation, int pieces) {
		if (operation.arrived(pieces)) {
			operation.release();
		}
	}

	private void count(Operation operation) {
		if (operation.kind() == OperationKind.SEND) {
			this.messages.increment();
		}
	}

	/**
	 * Post an operation if nothing has to be waited for.
	 * @param operation the operation, checked
	 * @return whether it was posted
	 */
	boolean tryPost(Operation operation) {
		int count = pieces(operation);
		boolean credit = operation.kind().needsCredit();
		if (count > this.table.depth() || (credit && count > this.credits.most(operation))) {
			throw new RdmaQueueFullException(this.connection.context(operation.kind().name()),
					"the message takes " + count + " sends, which never fit at once",
					"Use a method that may wait, or raise rdma.queue-pair.send-depth here and "
							+ "rdma.queue-pair.receive-depth at the peer.");
		}
		if (!credit) {
			return this.table.tryReserve(1) && postAllReserved(operation, 1);
		}
		ReentrantLock lane = lane(operation);
		if (!lane.tryLock()) {
			return false;
		}
		try {
			if (!this.credits.tryTake(operation, count)) {
				return false;
			}
			if (!this.table.tryReserve(count)) {
				this.credits.giveBack(count);
				return false;
			}
			return postAllReserved(operation, count);
		}
		finally {
			lane.unlock();
		}
	}

	private boolean postAllReserved(Operation operation, int count) {
		operation.expect(count);
		int posted = 0;
		int at = 0;
		try {
			while (posted < count) {
				at += postReserved(operation, posted, at, false);
				posted++;
			}
		}
		catch (RuntimeException ex) {
			if (operation.kind().needsCredit()) {
				this.credits.giveBack(count - posted);
			}
			this.table.unreserve(count - posted - 1);
			abandon(operation, count - posted);
			throw ex;
		}
		count(operation);
		return true;
	}

	/**
	 * Post one work request into a slot that is reserved.
	 * @param operation the operation
	 * @param piece which piece of it
	 * @param from where in the payload it starts
	 * @param mayWait whether to wait if the device has no room
	 * @return how many bytes of payload it has
	 */
	private int postReserved(Operation operation, int piece, int from, boolean mayWait) {
		// after the end the permits are no longer worth a slot, they only wake who waits
		if (this.life.state().isFinal()) {
			this.table.unreserve(1);
			throw this.life.notPosted(operation.kind());
		}
		SendSlot slot = this.table.pop();
		int generation = slot.take(operation);
		try {
			return post(operation, piece, from, slot, generation, mayWait);
		}
		catch (RuntimeException ex) {
			if (slot.end(generation)) {
				this.table.giveBack(slot);
			}
			throw translate(operation, ex);
		}
	}

	private int post(Operation operation, int piece, int from, SendSlot slot, int generation, boolean mayWait) {
		long id = WorkRequestId.encode(WorkRequestKind.SEND, slot.index(), generation);
		while (true) {
			try {
				return post(operation, piece, from, slot, id);
			}
			catch (VerbsException ex) {
				// a device may free its places later than it completes work
				if (ex.errno() != Errno.ENOMEM || !mayWait) {
					throw ex;
				}
				this.waits.awaitDevice(operation, ex);
			}
		}
	}

	private int post(Operation operation, int piece, int from, SendSlot slot, long id) {
		if (operation.kind() != OperationKind.SEND) {
			this.sendQueue.post(operation, id);
			return operation.length();
		}
		int room = this.pieceRoom - ((piece == 0) ? contentTypeBytes(operation) : 0);
		int length = Math.min(room, operation.length() - from);
		int posted = this.window.posted();
		this.sendQueue.postPiece(operation, id, slot.index(), piece, from, length, posted);
		this.creditReturn.told(posted);
		return length;
	}

	private RuntimeException translate(Operation operation, RuntimeException exception) {
		if (exception instanceof RdmaException || exception instanceof IllegalArgumentException) {
			return exception;
		}
		if (this.life.state().isFinal()) {
			return this.life.notPosted(operation.kind());
		}
		if (exception instanceof VerbsException verbs) {
			return RdmaExceptionTranslator.translate(verbs, this.connection.context(operation.kind().name()));
		}
		if (exception instanceof ResourceClosedException closed) {
			return RdmaExceptionTranslator.translate(closed, this.connection.context(operation.kind().name()));
		}
		return exception;
	}

}
