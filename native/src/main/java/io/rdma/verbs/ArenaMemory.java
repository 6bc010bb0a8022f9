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

package io.rdma.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.jspecify.annotations.Nullable;

/**
 * Off-heap memory in which a chain of work requests is written, each followed in the
 * chain by a pointer, each with its own part of a table of scatter/gather entries.
 * Pointers are written only here, as base plus offset; the base is what the device calls
 * the address of the memory.
 *
 * <p>
 * The regions that entries point into are kept reachable until the slot is used again, so
 * that their memory outlives whatever the device still copies from it.
 */
final class ArenaMemory {

	private final ByteBuffer memory;

	private final long base;

	private final int maxSge;

	private final int wrSize;

	private final int sgeStart;

	private final @Nullable MemoryRegion[] regions;

	ArenaMemory(ByteBuffer memory, long base, int wrSize, int sgListField, int capacity, int maxSge) {
		this.memory = memory;
		this.base = base;
		this.wrSize = wrSize;
		this.maxSge = maxSge;
		this.sgeStart = capacity * wrSize;
		this.regions = new MemoryRegion[capacity * maxSge];
		for (int i = 0; i < capacity; i++) {
			putLong(wrOffset(i) + sgListField, base + sgeOffset(i));
		}
	}

	static ByteBuffer allocate(int wrSize, int capacity, int maxSge) {
		if (capacity < 1 || capacity > (1 << 20)) {
			throw new IllegalArgumentException(
					"A chain holds 1 to 1048576 work requests, but " + capacity + " were asked for");
		}
		if (maxSge < 0 || maxSge > 256) {
			throw new IllegalArgumentException(
					"A work request holds 0 to 256 scatter/gather entries, but " + maxSge + " were asked for");
		}
		int size = Math.multiplyExact(capacity, wrSize + maxSge * StructLayouts.Sge.SIZE);
		return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
	}

	ByteBuffer memory() {
		return this.memory;
	}

	int wrOffset(int index) {
		return index * this.wrSize;
	}

	int sgeOffset(int index) {
		return this.sgeStart + index * this.maxSge * StructLayouts.Sge.SIZE;
	}

	int sgeStride() {
		return this.maxSge * StructLayouts.Sge.SIZE;
	}

	/**
	 * Begin a work request afresh and link it to the one before.
	 * @param index the index of the work request
	 * @param nextField where the link to the next one is
	 */
	void begin(int index, int nextField) {
		if (index > 0) {
			putLong(wrOffset(index - 1) + nextField, this.base + wrOffset(index));
		}
		int first = index * this.maxSge;
		for (int i = first; i < first + this.maxSge && this.regions[i] != null; i++) {
			this.regions[i] = null;
		}
	}

	void endAt(int index, int nextField) {
		putLong(wrOffset(index) + nextField, 0);
	}

	/**
	 * Write a scatter/gather entry.
	 * @param index the index of the work request
	 * @param count how many entries it has so far
	 * @param region the region
	 * @param offset where in it, from 0
	 * @param length how many bytes
	 * @return how many entries it has now
	 */
	int addSge(int index, int count, MemoryRegion region, long offset, int length) {
		if (offset < 0 || length < 0 || offset > region.length() - length) {
			throw new IndexOutOfBoundsException("Offset " + offset + " and length " + length
					+ " are outside the memory region of " + region.length() + " bytes");
		}
		if (!region.isOpen()) {
			throw new ResourceClosedException(region.toString());
		}
		if (length == 0) {
			// some devices read a length of 0 as 2^31 bytes: empty messages have no entry
			return count;
		}
		if (count == this.maxSge) {
			throw new IllegalStateException("The work request has room for " + this.maxSge
					+ " scatter/gather entries; allocate the chain with more");
		}
		int sge = sgeOffset(index) + count * StructLayouts.Sge.SIZE;
		putLong(sge + StructLayouts.Sge.ADDR, region.address() + offset);
		putInts(sge + StructLayouts.Sge.LENGTH, length, region.lkey());
		this.regions[index * this.maxSge + count] = region;
		return count + 1;
	}

	void putInts(int at, int first, int second) {
		StructLayouts.putInts(this.memory, at, first, second);
	}

	void putLong(int at, long value) {
		StructLayouts.LONG.set(this.memory, at, value);
	}

	void putInt(int at, int value) {
		StructLayouts.INT.set(this.memory, at, value);
	}

	int getInt(int at) {
		return (int) StructLayouts.INT.get(this.memory, at);
	}

	long getLong(int at) {
		return (long) StructLayouts.LONG.get(this.memory, at);
	}

}
