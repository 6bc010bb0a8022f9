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

import io.rdma.verbs.Errno;
import io.rdma.verbs.Refusal;
import io.rdma.verbs.StructLayouts;
import io.rdma.verbs.StructLayouts.RecvWr;
import io.rdma.verbs.StructLayouts.Sge;
import org.jspecify.annotations.Nullable;

/**
 * The receives that were posted and not yet taken, as a ring of copies. It serves a queue
 * pair or, as a shared receive queue, several. Thread-safe.
 */
final class ReceiveQueue {

	private static final int INITIAL_SLOTS = 16;

	private static final int WR_ID = 0;

	private static final int COUNT = 8;

	private static final int ENTRIES = 16;

	private final ShortLock lock = new ShortLock();

	private final int capacity;

	private final int maxEntries;

	private final int slotSize;

	/** Runs when fewer receives are left than the limit. */
	private final Runnable belowLimit;

	private ByteBuffer ring;

	private int slots;

	private long head;

	private long tail;

	private boolean accepting;

	private int limit;

	ReceiveQueue(int capacity, int maxEntries, boolean accepting, Runnable belowLimit) {
		this.capacity = capacity;
		this.maxEntries = maxEntries;
		this.slotSize = ENTRIES + maxEntries * Sge.SIZE;
		this.accepting = accepting;
		this.belowLimit = belowLimit;
		this.slots = Math.min(INITIAL_SLOTS, capacity + 1);
		this.ring = allocate(this.slots);
	}

	private ByteBuffer allocate(int count) {
		return ByteBuffer.allocateDirect(Math.multiplyExact(count, this.slotSize)).order(ByteOrder.nativeOrder());
	}

	int maxEntries() {
		return this.maxEntries;
	}

	int capacity() {
		return this.capacity;
	}

	/**
	 * Take receives from now on.
	 */
	void accept() {
		this.lock.lock();
		try {
			this.accepting = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Forget all receives, and take none from now on.
	 */
	void reset() {
		this.lock.lock();
		try {
			this.accepting = false;
			this.head = this.tail;
		}
		finally {
			this.lock.unlock();
		}
	}

	void armLimit(int newLimit) {
		this.lock.lock();
		try {
			this.limit = newLimit;
		}
		finally {
			this.lock.unlock();
		}
	}

	long post(ByteBuffer memory, int sgeOffset, int sgeStride, int count) {
		this.lock.lock();
		try {
			for (int i = 0; i < count; i++) {
				Errno refused = add(memory, i * RecvWr.SIZE, sgeOffset + i * sgeStride);
				if (refused != null) {
					return Refusal.of(refused, i);
				}
			}
			return Refusal.NONE;
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable Errno add(ByteBuffer memory, int at, int entries) {
		int entryCount = (int) StructLayouts.INT.get(memory, at + RecvWr.NUM_SGE);
		if (!this.accepting || entryCount > this.maxEntries) {
			return Errno.EINVAL;
		}
		int size = (int) (this.tail - this.head);
		if (size == this.capacity) {
			return Errno.ENOMEM;
		}
		if (size == this.slots) {
			grow();
		}
		int slot = slot(this.tail);
		StructLayouts.LONG.set(this.ring, slot + WR_ID, (long) StructLayouts.LONG.get(memory, at + RecvWr.WR_ID));
		StructLayouts.INT.set(this.ring, slot + COUNT, entryCount);
		for (int i = 0; i < entryCount * Sge.SIZE; i += Long.BYTES) {
			StructLayouts.LONG.set(this.ring, slot + ENTRIES + i, (long) StructLayouts.LONG.get(memory, entries + i));
		}
		this.tail++;
		return null;
	}

	/**
	 * Take the oldest receive.
	 * @param into what it is copied to
	 * @return whether there was one
	 */
	boolean take(ReceiveRequest into) {
		boolean below;
		this.lock.lock();
		try {
			if (this.head == this.tail) {
				return false;
			}
			int slot = slot(this.head);
			int entryCount = (int) StructLayouts.INT.get(this.ring, slot + COUNT);
			into.start((long) StructLayouts.LONG.get(this.ring, slot + WR_ID));
			for (int i = 0; i < entryCount; i++) {
				int entry = slot + ENTRIES + i * Sge.SIZE;
				into.add((long) StructLayouts.LONG.get(this.ring, entry + Sge.ADDR),
						(int) StructLayouts.INT.get(this.ring, entry + Sge.LENGTH),
						(int) StructLayouts.INT.get(this.ring, entry + Sge.LKEY));
			}
			this.head++;
			below = this.tail - this.head < this.limit;
			if (below) {
				this.limit = 0;
			}
		}
		finally {
			this.lock.unlock();
		}
		if (below) {
			this.belowLimit.run();
		}
		return true;
	}

	private int slot(long position) {
		return (int) (position & (this.slots - 1)) * this.slotSize;
	}

	private void grow() {
		ByteBuffer larger = allocate(this.slots * 2);
		int count = (int) (this.tail - this.head);
		for (int i = 0; i < count; i++) {
			larger.put(i * this.slotSize, this.ring, slot(this.head + i), this.slotSize);
		}
		this.ring = larger;
		this.slots *= 2;
		this.head = 0;
		this.tail = count;
	}

}
