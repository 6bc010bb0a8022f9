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

import io.rdma.verbs.HostMemory;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.SendFlag;
import io.rdma.verbs.StructLayouts;
import io.rdma.verbs.StructLayouts.SendWr;
import io.rdma.verbs.StructLayouts.Sge;

/**
 * The sends that wait to be carried out, as a ring of copies: each a
 * {@code struct ibv_send_wr}, behind it its scatter/gather entries or its inline payload.
 * The ring grows as far as the capacity granted when it is needed, since most requests
 * are carried out while they are posted. Guarded by the lock of the requester.
 */
final class SendQueue {

	private static final int INITIAL_SLOTS = 16;

	/** The field that links a chain means nothing here: it holds the inline length. */
	static final int INLINE_LENGTH = SendWr.NEXT;

	/** Behind the request: the PSN of its first packet and how many packets it has. */
	private static final int FIRST_PSN = SendWr.SIZE;

	private static final int PACKETS = FIRST_PSN + Integer.BYTES;

	private static final int PAYLOAD = PACKETS + Integer.BYTES;

	private final int capacity;

	private final int slotSize;

	private ByteBuffer ring;

	private HostMemory ringMemory;

	private int slots;

	private long head;

	private long tail;

	SendQueue(QueuePairCapabilities granted) {
		this.capacity = granted.maxSendWorkRequests();
		int payload = Math.max(granted.maxSendScatterGather() * Sge.SIZE, granted.maxInlineData());
		this.slotSize = (PAYLOAD + payload + Long.BYTES - 1) & -Long.BYTES;
		this.slots = Math.min(INITIAL_SLOTS, this.capacity + 1);
		this.ring = allocate(this.slots);
		this.ringMemory = HostMemory.of(this.ring);
	}

	private ByteBuffer allocate(int count) {
		return ByteBuffer.allocateDirect(Math.multiplyExact(count, this.slotSize)).order(ByteOrder.nativeOrder());
	}

	int capacity() {
		return this.capacity;
	}

	int size() {
		return (int) (this.tail - this.head);
	}

	boolean isEmpty() {
		return this.tail == this.head;
	}

	/**
	 * Append a copy of a request.
	 * @param request the request, which does not stand in this queue
	 */
	void add(SendRequest request) {
		if (size() == this.slots) {
			grow();
		}
		int slot = slot(this.tail);
		int payload = slot + PAYLOAD;
		this.ring.put(slot, request.memory(), request.at(), SendWr.SIZE);
		boolean copied = request.isInline() && request.findSource();
		if (copied) {
			request.segments().gatherTo(this.ringMemory, payload);
			StructLayouts.LONG.set(this.ring, slot + INLINE_LENGTH, request.length());
		}
		else {
			this.ring.put(payload, request.memory(), request.payload(), request.entryCount() * Sge.SIZE);
			// an inline payload that is gone already is found missing when its turn comes
			int flags = (int) StructLayouts.INT.get(this.ring, slot + SendWr.SEND_FLAGS);
			StructLayouts.INT.set(this.ring, slot + SendWr.SEND_FLAGS, flags & ~SendFlag.INLINE.bit());
		}
		request.release();
		this.tail++;
	}

	/**
	 * Look at the oldest request.
	 * @param view the view to look through
	 */
	void head(SendRequest view) {
		view(this.head, view);
	}

	/**
	 * Look at a request.
	 * @param position its position, from {@link #oldest()} to before {@link #end()}
	 * @param view the view to look through
	 */
	void view(long position, SendRequest view) {
		int slot = slot(position);
		view.view(this.ring, slot, slot + PAYLOAD, this.ringMemory);
	}

	/** The position of the oldest request. Positions only grow. */
	long oldest() {
		return this.head;
	}

	/** The position after the youngest request. */
	long end() {
		return this.tail;
	}

	/**
	 * Note which packets a request has.
	 * @param position the position of the request
	 * @param firstPsn the PSN of the first
	 * @param packets how many
	 */
	void stamp(long position, int firstPsn, int packets) {
		StructLayouts.INT.set(this.ring, slot(position) + FIRST_PSN, firstPsn);
		StructLayouts.INT.set(this.ring, slot(position) + PACKETS, packets);
	}

	int firstPsn(long position) {
		return (int) StructLayouts.INT.get(this.ring, slot(position) + FIRST_PSN);
	}

	int packets(long position) {
		return (int) StructLayouts.INT.get(this.ring, slot(position) + PACKETS);
	}

	/**
	 * Remove the oldest request. What stands in its slot stays until something is added.
	 */
	void remove() {
		this.head++;
	}

	void clear() {
		this.head = this.tail;
	}

	private int slot(long position) {
		return (int) (position & (this.slots - 1)) * this.slotSize;
	}

	private void grow() {
		ByteBuffer larger = allocate(this.slots * 2);
		for (long position = this.head; position < this.tail; position++) {
			larger.put((int) (position & (this.slots * 2 - 1)) * this.slotSize, this.ring, slot(position),
					this.slotSize);
		}
		this.ring = larger;
		this.ringMemory = HostMemory.of(larger);
		this.slots *= 2;
	}

}
