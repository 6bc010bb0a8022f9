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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rdma.verbs.MemoryRegion;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a pool: its slabs, what of them is free, and what is handed out. Used
 * under the pool's lock.
 */
@RequiredArgsConstructor
final class PoolMemory {

	private final RdmaMemoryPool pool;

	private final PoolLayout layout;

	private final List<MemoryRegion> slabs = new ArrayList<>();

	private final FreeMemory free = new FreeMemory();

	/** Head of the list of what is handed out. */
	private @Nullable BufferLease outstanding;

	private int outstandingCount;

	private long capacity;

	private long used;

	private long highWater;

	private long acquired;

	private long released;

	private long leaks;

	void add(MemoryRegion slab) {
		this.slabs.add(slab);
		this.capacity += slab.length();
		for (long start = 0; start < slab.length(); start += MemoryChunk.MAX_SIZE) {
			long length = Math.min(MemoryChunk.MAX_SIZE, slab.length() - start);
			this.free.add(new MemoryChunk(slab, start, length, this.layout.unitShift()));
		}
	}

	/**
	 * Return the size of the slab to register next.
	 * @return the number of bytes, 0 if the pool is as large as it gets
	 */
	long nextSlab() {
		return this.layout.nextSlab(this.capacity);
	}

	boolean isExhausted() {
		return this.free.largestOrder() < 0;
	}

	/**
	 * Take a block.
	 * @param order its order
	 * @return the block, {@code null} if none of that order is free
	 */
	@Nullable BufferLease take(int order) {
		MemoryChunk chunk = this.free.find(order);
		if (chunk == null) {
			return null;
		}
		int size = this.layout.unit() << order;
		BufferLease lease = new BufferLease(this.pool, chunk, chunk.allocate(order), order, size);
		this.free.relist(chunk);
		link(lease);
		this.acquired++;
		this.used += size;
		this.highWater = Math.max(this.highWater, this.used);
		return lease;
	}

	/**
	 * Take a block back.
	 * @param lease the block
	 * @param leaked whether it was dropped without being released
	 */
	void giveBack(BufferLease lease, boolean leaked) {
		unlink(lease);
		this.used -= lease.capacity();
		this.released++;
		if (leaked) {
			this.leaks++;
		}
		lease.chunk().free(lease.unit(), lease.order());
		this.free.relist(lease.chunk());
	}

	private void link(BufferLease lease) {
		BufferLease head = this.outstanding;
		lease.next = head;
		if (head != null) {
			head.previous = lease;
		}
		this.outstanding = lease;
		this.outstandingCount++;
	}

	private void unlink(BufferLease lease) {
		if (lease.previous != null) {
			lease.previous.next = lease.next;
		}
		else {
			this.outstanding = lease.next;
		}
		if (lease.next != null) {
			lease.next.previous = lease.previous;
		}
		lease.previous = null;
		lease.next = null;
		this.outstandingCount--;
	}

	int outstandingCount() {
		return this.outstandingCount;
	}

	/**
	 * Return where what is handed out was taken.
	 * @return for example {@code 2 at com.example.Snapshots.publish(Snapshots.java:42)}
	 */
	String describePlaces() {
		Map<String, Integer> places = new TreeMap<>();
		int unknown = 0;
		for (BufferLease lease = this.outstanding; lease != null; lease = lease.next) {
			AllocationPlace place = lease.place();
			if (place != null) {
				places.merge(place.caller(), 1, Integer::sum);
			}
			else {
				unknown++;
			}
		}
		List<String> texts = new ArrayList<>();
		places.forEach((place, count) -> texts.add(count + " at " + place));
		if (unknown > 0) {
			texts.add(unknown + " where it was not recorded (rdma.memory.leak-sampling records all if it is 1)");
		}
		return String.join(", ", texts);
	}

	String describeUse() {
		return "%s of %s are used in %d buffers".formatted(MemorySize.describe(this.used),
				MemorySize.describe(this.capacity), this.outstandingCount);
	}

	long capacity() {
		return this.capacity;
	}

	long used() {
		return this.used;
	}

	int slabCount() {
		return this.slabs.size();
	}

	List<MemoryRegion> slabs() {
		return List.copyOf(this.slabs);
	}

	/**
	 * Forget the slabs that are deregistered.
	 */
	void removeClosedSlabs() {
		this.slabs.removeIf((slab) -> !slab.isOpen());
		this.capacity = this.slabs.stream().mapToLong(MemoryRegion::length).sum();
	}

	MemoryPoolStatistics statistics(long heldBack, long timeouts) {
		long pinned = this.slabs.stream().filter(MemoryRegion::isOpen).mapToLong(MemoryRegion::length).sum();
		return new MemoryPoolStatistics(this.capacity, this.layout.maxSize(), this.used,
				Math.max(0, this.capacity - this.used), this.highWater, heldBack, pinned, this.slabs.size(),
				this.acquired, this.released, timeouts, this.leaks);
	}

}
