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

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The outstanding operations of a connection: as many as the configured depth, however
 * many the device would take. Taking and giving back a slot allocates nothing and takes
 * no lock. Thread-safe.
 */
final class SendTable {

	private static final long INDEX_MASK = 0xffff_ffffL;

	private static final int NONE = -1;

	/** More permits than there can be waiters: wakes them all. */
	private static final int EVERYONE = 1 << 24;

	private final SendSlot[] slots;

	private final Semaphore permits;

	/** The free slots as a stack: what each stands on. */
	private final AtomicIntegerArray below;

	/**
	 * The top of the stack, with a count above it that tells two times of the same top
	 * apart.
	 */
	private final AtomicLong top = new AtomicLong(INDEX_MASK);

	private volatile int highWater;

	/**
	 * Create a table.
	 * @param depth how many slots
	 * @param generation where the generations start
	 */
	SendTable(int depth, int generation) {
		this.slots = new SendSlot[depth];
		this.below = new AtomicIntegerArray(depth);
		this.permits = new Semaphore(depth);
		for (int i = depth - 1; i >= 0; i--) {
			this.slots[i] = new SendSlot(i, generation);
			push(i);
		}
	}

	int depth() {
		return this.slots.length;
	}

	SendSlot slot(int index) {
		return this.slots[index];
	}

	/**
	 * Reserve slots, which {@link #pop()} then gives.
	 * @param count how many
	 * @return whether they are reserved
	 */
	boolean tryReserve(int count) {
		// those who wait go first
		return !this.permits.hasQueuedThreads() && this.permits.tryAcquire(count);
	}

	/**
	 * Reserve one slot, waiting for it.
	 * @param nanos how long to wait at most
	 * @return whether it is reserved
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean tryReserve(long nanos) throws InterruptedException {
		return this.permits.tryAcquire(nanos, TimeUnit.NANOSECONDS);
	}

	void unreserve(int count) {
		this.permits.release(count);
	}

	/**
	 * Take a slot that is reserved.
	 * @return the slot
	 */
	SendSlot pop() {
		while (true) {
			long current = this.top.get();
			int index = (int) current;
			if (index == NONE) {
				throw new IllegalStateException("No slot is free, though one was reserved");
			}
			if (this.top.compareAndSet(current, next(current, this.below.get(index)))) {
				int used = this.slots.length - this.permits.availablePermits();
				if (used > this.highWater && used <= this.slots.length) {
					this.highWater = used;
				}
				return this.slots[index];
			}
		}
	}

	/**
	 * Give back a slot whose use was ended.
	 * @param slot the slot
	 */
	void giveBack(SendSlot slot) {
		slot.clear();
		push(slot.index());
		this.permits.release();
	}

	private void push(int index) {
		while (true) {
			long current = this.top.get();
			this.below.set(index, (int) current);
			if (this.top.compareAndSet(current, next(current, index))) {
				return;
			}
		}
	}

	private static long next(long current, int index) {
		return (((current >>> Integer.SIZE) + 1) << Integer.SIZE) | (index & INDEX_MASK);
	}

	/**
	 * Wake all who wait for a slot. They must find out for themselves that there is none.
	 */
	void wakeAll() {
		this.permits.release(EVERYONE);
	}

	int inUse() {
		int count = 0;
		for (SendSlot slot : this.slots) {
			if (SendSlot.isInUse(slot.generation())) {
				count++;
			}
		}
		return count;
	}

	boolean isIdle() {
		return this.permits.availablePermits() >= this.slots.length && inUse() == 0;
	}

	int highWater() {
		return this.highWater;
	}

	void forEachInUse(Consumer<SendSlot> action) {
		for (SendSlot slot : this.slots) {
			if (SendSlot.isInUse(slot.generation())) {
				action.accept(slot);
			}
		}
	}

}
