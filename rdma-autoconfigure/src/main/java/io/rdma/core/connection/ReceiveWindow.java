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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.completion.WorkRequestId;
import io.rdma.core.completion.WorkRequestKind;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.ReceiveWorkRequests;
import org.jspecify.annotations.Nullable;

/**
 * The receives of a connection and the receiver's side of flow control: a receive is
 * posted again only when its message was taken, and each one posted lets the peer send
 * one more. Thread-safe.
 */
final class ReceiveWindow {

	private final QueuePair queuePair;

	private final ReceiveWorkRequests requests;

	private final ReceiveSlot[] slots;

	private final int bufferSize;

	private final long maxHeldBytes;

	private final ReentrantLock lock = new ReentrantLock();

	/** Receives whose message is copied out, but that wait until others were taken. */
	private final Deque<ReceiveSlot> deferred = new ArrayDeque<>();

	private final AtomicInteger received = new AtomicInteger();

	private int postedCount;

	/** The same, to be read without the lock. */
	private volatile int posted;

	/** Bytes of put together messages that nobody took yet. */
	private long heldBytes;

	private boolean stopped;

	private boolean closed;

	/**
	 * Create a window with nothing posted.
	 * @param queuePair the queue pair
	 * @param requests room for one work request
	 * @param buffers the buffers, which this owns from now on
	 * @param bufferSize how many bytes of each are used
	 * @param maxHeldBytes how many bytes of put together messages are kept before the
	 * peer gets no more credits
	 * @param generation where the generations start
	 */
	ReceiveWindow(QueuePair queuePair, ReceiveWorkRequests requests, List<RdmaBuffer> buffers, int bufferSize,
			long maxHeldBytes, int generation) {
		this.queuePair = queuePair;
		this.requests = requests;
		this.bufferSize = bufferSize;
		this.maxHeldBytes = maxHeldBytes;
		this.slots = new ReceiveSlot[buffers.size()];
		for (int i = 0; i < this.slots.length; i++) {
			this.slots[i] = new ReceiveSlot(i, generation, buffers.get(i), bufferSize);
		}
	}

	int depth() {
		return this.slots.length;
	}

	/**
	 * Post all receives.
	 */
	void postAll() {
		for (ReceiveSlot slot : this.slots) {
			repost(slot);
		}
	}

	/**
	 * Find the slot of a completion and end its use.
	 * @param id the {@code wr_id}
	 * @return the slot, {@code null} if the completion fits none
	 */
	@Nullable ReceiveSlot match(long id) {
		int index = WorkRequestId.slot(id);
		if (index >= this.slots.length) {
			return null;
		}
		ReceiveSlot slot = this.slots[index];
		return slot.end(WorkRequestId.generation(id)) ? slot : null;
	}

	void countReceived() {
		this.received.incrementAndGet();
	}

	/**
	 * Post a receive again. Does nothing once the window is stopped.
	 * @param slot the slot, not posted
	 * @throws RuntimeException of verbs if the queue pair refuses it
	 */
	void repost(ReceiveSlot slot) {
		this.lock.lock();
		try {
			post(slot);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void post(ReceiveSlot slot) {
		if (this.stopped) {
			return;
		}
		int generation = slot.take();
		try {
			RdmaBuffer buffer = slot.buffer();
			this.requests.clear()
				.add()
				.wrId(WorkRequestId.encode(WorkRequestKind.RECEIVE, slot.index(), generation))
				.addSge(buffer.region(), buffer.offset(), this.bufferSize);
			this.queuePair.postReceive(this.requests);
		}
		catch (RuntimeException ex) {
			slot.end(generation);
			throw ex;
		}
		this.postedCount++;
		this.posted = this.postedCount;
	}

	/**
	 * Post a receive again whose content was copied, unless the peer has sent too much
	 * that nobody took.
	 * @param slot the slot
	 */
	void repostUnlessFull(ReceiveSlot slot) {
		this.lock.lock();
		try {
			if (this.heldBytes > this.maxHeldBytes) {
				this.deferred.addLast(slot);
			}
			else {
				post(slot);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Keep a slot for a message that is now to be taken.
	 * @param slot the slot
	 * @param bytes how many bytes the message has outside of the slot's buffer
	 * @return whether it is kept, {@code false} if the window is closed
	 */
	boolean hold(ReceiveSlot slot, int bytes) {
		this.lock.lock();
		try {
			if (this.closed) {
				return false;
			}
			slot.held(true);
			this.heldBytes += bytes;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Let go of a slot whose message was taken.
	 * @param slot the slot
	 * @param bytes as it was held with
	 */
	void taken(ReceiveSlot slot, int bytes) {
		this.lock.lock();
		try {
			slot.held(false);
			this.heldBytes -= bytes;
			if (this.closed) {
				slot.buffer().release();
				return;
			}
			post(slot);
			while (this.heldBytes <= this.maxHeldBytes && !this.deferred.isEmpty()) {
				post(this.deferred.removeFirst());
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Post nothing more: the queue pair is going to the ERR state.
	 */
	void stop() {
		this.lock.lock();
		try {
			this.stopped = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Release the buffers, but those of messages that nobody took yet, which are released
	 * when they are taken. The queue pair must be destroyed.
	 */
	void close() {
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			this.stopped = true;
			this.closed = true;
			this.deferred.clear();
			for (ReceiveSlot slot : this.slots) {
				if (!slot.isHeld()) {
					slot.buffer().release();
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return how many receives were posted since the start.
	 * @return the number, modulo 2^32
	 */
	int posted() {
		return this.posted;
	}

	/**
	 * Return how many messages came since the start.
	 * @return the number, modulo 2^32
	 */
	int received() {
		return this.received.get();
	}

	/**
	 * Return how many receives are posted and wait for a message.
	 * @return the number
	 */
	int outstanding() {
		int count = 0;
		for (ReceiveSlot slot : this.slots) {
			if (ReceiveSlot.isPosted(slot.generation())) {
				count++;
			}
		}
		return count;
	}

}
