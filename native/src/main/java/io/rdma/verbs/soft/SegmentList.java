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
import java.util.Arrays;

import io.rdma.verbs.HostMemory;
import io.rdma.verbs.soft.shm.MemoryFaults;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of memory that together make one message: what is left of a scatter/gather list
 * once keys and bounds are checked. Not thread-safe.
 */
final class SegmentList {

	private final @Nullable HostMemory[] memories;

	private final long[] offsets;

	private final long[] lengths;

	private int count;

	/** Whether some of the memory can be gone when it is used. */
	private boolean truncatable;

	SegmentList(int capacity) {
		this.memories = new HostMemory[capacity];
		this.offsets = new long[capacity];
		this.lengths = new long[capacity];
	}

	/**
	 * Empty the list. It may keep memory reachable until {@link #forget()}.
	 */
	void clear() {
		this.count = 0;
	}

	/**
	 * Empty the list and let go of all memory.
	 */
	void forget() {
		Arrays.fill(this.memories, null);
		this.count = 0;
	}

	void add(HostMemory memory, long offset, long length) {
		if (this.memories[this.count] != memory) {
			// the same memory is used again and again, and not to store it again is
			// faster
			this.memories[this.count] = memory;
		}
		this.offsets[this.count] = offset;
		this.lengths[this.count] = length;
		this.count++;
	}

	/**
	 * Say whether somebody else can take the memory away. If so, the methods that copy
	 * throw an {@link InternalError} before they return, and not later.
	 * @param isTruncatable whether it can be gone
	 */
	void truncatable(boolean isTruncatable) {
		this.truncatable = isTruncatable;
	}

	private void settle() {
		if (this.truncatable) {
			MemoryFaults.settle();
		}
	}

	int count() {
		return this.count;
	}

	@SuppressWarnings("NullAway") // filled below count
	HostMemory memory(int index) {
		return this.memories[index];
	}

	long offset(int index) {
		return this.offsets[index];
	}

	long length(int index) {
		return this.lengths[index];
	}

	/**
	 * Copy all pieces, one after the other, into one run of memory.
	 * @param target the memory
	 * @param targetOffset where in it
	 */
	void gatherTo(HostMemory target, long targetOffset) {
		long to = targetOffset;
		for (int i = 0; i < this.count; i++) {
			memory(i).copyTo(this.offsets[i], target, to, this.lengths[i]);
			to += this.lengths[i];
		}
		settle();
	}

	/**
	 * Fill the pieces, one after the other, from one run of memory.
	 * @param source the memory
	 * @param sourceOffset where in it
	 * @param length how many bytes, at most what the pieces hold
	 */
	void scatterFrom(HostMemory source, long sourceOffset, long length) {
		long from = sourceOffset;
		long remaining = length;
		for (int i = 0; i < this.count && remaining > 0; i++) {
			long part = Math.min(remaining, this.lengths[i]);
			source.copyTo(from, memory(i), this.offsets[i], part);
			from += part;
			remaining -= part;
		}
		settle();
	}

	/**
	 * Copy all pieces into those of another list, which hold at least as much.
	 * @param target the other list
	 */
	void copyTo(SegmentList target) {
		int to = 0;
		long filled = 0;
		for (int from = 0; from < this.count; from++) {
			long taken = 0;
			while (taken < this.lengths[from]) {
				long part = Math.min(this.lengths[from] - taken, target.lengths[to] - filled);
				memory(from).copyTo(this.offsets[from] + taken, target.memory(to), target.offsets[to] + filled, part);
				taken += part;
				filled += part;
				if (filled == target.lengths[to]) {
					to++;
					filled = 0;
				}
			}
		}
		settle();
	}

	/**
	 * Copy a part of the message that the pieces make into a buffer.
	 * @param from where in the message it starts
	 * @param target the buffer
	 * @param index where in the buffer
	 * @param length how many bytes; the message has them
	 */
	void gather(long from, ByteBuffer target, int index, int length) {
		copy(from, target, index, length, false);
	}

	/**
	 * Fill a part of the message that the pieces make from a buffer.
	 * @param from where in the message it starts
	 * @param source the buffer
	 * @param index where in the buffer
	 * @param length how many bytes; the message has room for them
	 */
	void scatter(long from, ByteBuffer source, int index, int length) {
		copy(from, source, index, length, true);
	}

	private void copy(long from, ByteBuffer buffer, int index, int length, boolean intoPieces) {
		long skip = from;
		int done = 0;
		for (int i = 0; done < length; i++) {
			if (skip >= this.lengths[i]) {
				skip -= this.lengths[i];
				continue;
			}
			int part = (int) Math.min(length - done, this.lengths[i] - skip);
			long offset = this.offsets[i] + skip;
			if (intoPieces) {
				memory(i).put(offset, buffer, index + done, part);
			}
			else {
				memory(i).get(offset, buffer, index + done, part);
			}
			done += part;
			skip = 0;
		}
	}

}
