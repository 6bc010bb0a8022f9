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

import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.completion.WorkRequestId;
import io.rdma.core.completion.WorkRequestKind;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import org.jspecify.annotations.Nullable;

/**
 * Writes work requests and posts them, one at a time. Thread-safe.
 */
final class SendQueue {

	private static final byte[] EMPTY = {};

	private final QueuePair queuePair;

	private final SendWorkRequests requests;

	private final ControlBlock block;

	private final int maxInline;

	private final ReentrantLock lock = new ReentrantLock();

	private boolean closed;

	SendQueue(QueuePair queuePair, SendWorkRequests requests, ControlBlock block) {
		this.queuePair = queuePair;
		this.requests = requests;
		this.block = block;
		this.maxInline = queuePair.capabilities().maxInlineData();
	}

	/**
	 * Post an operation that is one work request and not a message.
	 * @param operation the operation
	 * @param id the {@code wr_id}
	 */
	void post(Operation operation, long id) {
		RemoteRegion region = operation.region();
		if (region == null) {
			throw new IllegalArgumentException("The operation has no remote region");
		}
		long address = region.address() + operation.remoteOffset();
		int key = region.rkey();
		this.lock.lock();
		try {
			SendWorkRequest request = this.requests.clear().add().wrId(id).signaled();
			boolean inlined = operation.length() <= this.maxInline;
			switch (operation.kind()) {
				case WRITE -> request.rdmaWrite(address, key);
				case WRITE_WITH_IMMEDIATE -> request.rdmaWriteWithImmediate(address, key, operation.immediate());
				case READ -> {
					request.rdmaRead(address, key);
					inlined = false;
				}
				case COMPARE_AND_SWAP -> {
					request.compareAndSwap(address, key, operation.compare(), operation.swapOrAdd());
					inlined = false;
				}
				case FETCH_AND_ADD -> {
					request.fetchAndAdd(address, key, operation.swapOrAdd());
					inlined = false;
				}
				case SEND, RECEIVE ->
					throw new IllegalArgumentException("A " + operation.kind() + " is not posted like this");
			}
			MemoryRegion memory = operation.memory();
			if (memory != null && operation.length() > 0) {
				request.addSge(memory, operation.memoryOffset(), operation.length());
				if (inlined) {
					request.inlined();
				}
			}
			this.queuePair.postSend(this.requests);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Post a piece of a message.
	 * @param operation the message
	 * @param id the {@code wr_id}
	 * @param header the number of the header to use
	 * @param piece which piece
	 * @param from where in the payload it starts
	 * @param length how many bytes of payload it has
	 * @param credit how many receives were posted since the start
	 */
	void postPiece(Operation operation, long id, int header, int piece, int from, int length, int credit) {
		boolean first = piece == 0;
		boolean last = from + length == operation.length();
		int code = MessageHeader.contentTypeCode(operation.contentType());
		byte[] contentType = first ? writtenOut(code, operation.contentType()) : EMPTY;
		int flags = (first ? MessageHeader.FIRST : 0) | (last ? MessageHeader.LAST : 0)
				| (operation.isRequest() ? MessageHeader.REQUEST : 0) | (operation.isReply() ? MessageHeader.REPLY : 0);
		int at = ControlBlock.headerAt(header);
		lock();
		try {
			MessageHeader.write(this.block.headers(), at, MessageHeader.DATA, flags, credit, operation.correlationId(),
					code, contentType.length, operation.length(), length, piece);
			if (contentType.length > 0) {
				this.block.headers().put(at + MessageHeader.SIZE, contentType);
			}
			post(id, header, MessageHeader.SIZE + contentType.length, operation.memory(),
					operation.memoryOffset() + from, length);
		}
		finally {
			this.lock.unlock();
		}
	}

	static byte[] writtenOut(int code, @Nullable String contentType) {
		return (contentType != null && MessageHeader.isWrittenOut(code)) ? contentType.getBytes(StandardCharsets.UTF_8)
				: EMPTY;
	}

	/**
	 * Post the proof that the queue pair works.
	 * @param id the {@code wr_id}
	 * @param header the number of the header to use
	 * @param credit how many receives were posted since the start
	 */
	void postReady(long id, int header, int credit) {
		lock();
		try {
			MessageHeader.write(this.block.headers(), ControlBlock.headerAt(header), MessageHeader.READY,
					MessageHeader.FIRST | MessageHeader.LAST, credit, 0, 0, 0, 0, 0, 0);
			post(id, header, MessageHeader.SIZE, null, 0, 0);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void post(long id, int header, int headerLength, @Nullable MemoryRegion memory, long from, int length) {
		SendWorkRequest request = this.requests.clear().add().wrId(id).signaled().send();
		this.block.addHeader(request, header, headerLength);
		if (memory != null) {
			request.addSge(memory, from, length);
		}
		if (headerLength + length <= this.maxInline) {
			request.inlined();
		}
		this.queuePair.postSend(this.requests);
	}

	private void lock() {
		this.lock.lock();
		if (this.closed) {
			this.lock.unlock();
			throw new ResourceClosedException("connection");
		}
	}

	/**
	 * Post nothing more: the memory of headers is about to be another connection's.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Post the return of credits.
	 * @param address the address of the word at the peer
	 * @param key the key of the word
	 * @param slot the slot that is used for it, which is in use
	 * @param generation the generation of that use
	 * @param credit how many receives were posted since the start
	 */
	void postCredit(long address, int key, SendSlot slot, int generation, int credit) {
		lock();
		try {
			this.block.outgoingWord(CreditWord.encode(credit));
			SendWorkRequest request = this.requests.clear()
				.add()
				.wrId(WorkRequestId.encode(WorkRequestKind.CONTROL, slot.index(), generation))
				.signaled()
				.rdmaWrite(address, key);
			this.block.addOutgoingWord(request);
			if (CreditWord.BYTES <= this.maxInline) {
				request.inlined();
			}
			this.queuePair.postSend(this.requests);
		}
		finally {
			this.lock.unlock();
		}
	}

}
