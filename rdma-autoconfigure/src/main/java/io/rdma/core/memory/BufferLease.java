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

package io.rdma.core.memory;

import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * The pool's side of an {@link RdmaBuffer}: all that is needed to take the memory back,
 * without the buffer itself, which may have been dropped.
 */
final class BufferLease implements Runnable {

	private final RdmaMemoryPool pool;

	private final MemoryChunk chunk;

	private final int unit;

	private final int order;

	private final int capacity;

	private final AtomicInteger references = new AtomicInteger(1);

	private volatile @Nullable AllocationPlace place;

	/** The place in the pool's list of what is handed out, guarded by the pool's lock. */
	@Nullable BufferLease previous;

	/** The place in the pool's list of what is handed out, guarded by the pool's lock. */
	@Nullable BufferLease next;

	BufferLease(RdmaMemoryPool pool, MemoryChunk chunk, int unit, int order, int capacity) {
		this.pool = pool;
		this.chunk = chunk;
		this.unit = unit;
		this.order = order;
		this.capacity = capacity;
	}

	RdmaMemoryPool pool() {
		return this.pool;
	}

	MemoryChunk chunk() {
		return this.chunk;
	}

	int unit() {
		return this.unit;
	}

	int order() {
		return this.order;
	}

	int capacity() {
		return this.capacity;
	}

	@Nullable AllocationPlace place() {
		return this.place;
	}

	void place(AllocationPlace place) {
		this.place = place;
	}

	int references() {
		return this.references.get();
	}

	/**
	 * Add a reference.
	 * @return whether there was one before
	 */
	boolean retain() {
		int count;
		do {
			count = this.references.get();
			if (count <= 0) {
				return false;
			}
		}
		while (!this.references.compareAndSet(count, Math.addExact(count, 1)));
		return true;
	}

	/**
	 * Drop a reference.
	 * @return how many are left, -1 if there was none
	 */
	int release() {
		int count;
		do {
			count = this.references.get();
			if (count <= 0) {
				return -1;
			}
		}
		while (!this.references.compareAndSet(count, count - 1));
		return count - 1;
	}

	/**
	 * Give the memory back: called once, by the last release or, if there was none, after
	 * the buffer became unreachable.
	 */
	@Override
	public void run() {
		boolean leaked = this.references.getAndSet(0) > 0;
		this.pool.giveBack(this, leaked);
	}

}
