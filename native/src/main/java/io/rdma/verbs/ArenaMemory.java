package io.rdma.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

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

	ArenaMemory(ByteBuffer memory, long base, int wrSize, int capacity, int maxSge) {
		this.memory = memory;
		this.base = base;
		this.wrSize = wrSize;
		this.maxSge = maxSge;
		this.sgeStart = capacity * wrSize;
		this.regions = new MemoryRegion[capacity * maxSge];
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
	 * @param size how many bytes of it are cleared: those after them are read only where
	 * the opcode says so, and then they were set with it
	 * @param nextField where the link to the next one is
	 * @param sgListField where the pointer to the scatter/gather entries is
	 */
	void clear(int index, int size, int nextField, int sgListField) {
		int wr = wrOffset(index);
		for (int i = 0; i < size; i += Long.BYTES) {
			putLong(wr + i, 0);
		}
		putLong(wr + sgListField, this.base + sgeOffset(index));
		if (index > 0) {
			putLong(wrOffset(index - 1) + nextField, this.base + wr);
		}
		Arrays.fill(this.regions, index * this.maxSge, (index + 1) * this.maxSge, null);
	}

	void endAt(int index, int nextField) {
		putLong(wrOffset(index) + nextField, 0);
	}

	void addSge(int index, int numSgeField, MemoryRegion region, long offset, int length) {
		if (offset < 0 || length < 0 || offset > region.length() - length) {
			throw new IndexOutOfBoundsException("Offset " + offset + " and length " + length
					+ " are outside the memory region of " + region.length() + " bytes");
		}
		if (!region.isOpen()) {
			throw new ResourceClosedException(region.toString());
		}
		if (length == 0) {
			// some devices read a length of 0 as 2^31 bytes: empty messages have no entry
			return;
		}
		int count = getInt(wrOffset(index) + numSgeField);
		if (count == this.maxSge) {
			throw new IllegalStateException("The work request has room for " + this.maxSge
					+ " scatter/gather entries; allocate the chain with more");
		}
		int sge = sgeOffset(index) + count * StructLayouts.Sge.SIZE;
		putLong(sge + StructLayouts.Sge.ADDR, region.address() + offset);
		putInt(sge + StructLayouts.Sge.LENGTH, length);
		putInt(sge + StructLayouts.Sge.LKEY, region.lkey());
		putInt(wrOffset(index) + numSgeField, count + 1);
		this.regions[index * this.maxSge + count] = region;
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
