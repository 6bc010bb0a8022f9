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

package io.rdma.verbs.soft.shm;

import java.io.IOException;

import io.rdma.verbs.HostMemory;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Shared memory that messages are copied to and from if their own memory is not shared.
 * It grows to what is needed, and what is large goes when it is not needed any more. Not
 * thread-safe.
 */
@RequiredArgsConstructor
final class StagingArea {

	/** What is returned if there is no room before something is released. */
	static final long FULL = -1;

	private static final long MIN_SIZE = 256 << 10;

	/** What is larger is not kept, where it can be given back. */
	private static final long MAX_KEPT = 32 << 20;

	private static final int ALIGNMENT = 64;

	private final SharedMemory shared;

	/** Where the piece of each slot of the ring ends, 0 if it has none. */
	private final long[] ends;

	private @Nullable SharedFile file;

	/** Like a ring: bytes from here on are in use. */
	private long head;

	/** Up to here. */
	private long tail;

	/**
	 * Find room for a message.
	 * @param slot the slot of the ring that it belongs to
	 * @param length how many bytes
	 * @return where in {@link #memory()}, or {@link #FULL}
	 * @throws IOException if there can be no room
	 */
	long place(int slot, long length) throws IOException {
		long needed = (length + ALIGNMENT - 1) & -ALIGNMENT;
		SharedFile current = this.file;
		if (current == null || needed > current.mapping().memory().length()) {
			if (this.head != this.tail) {
				return FULL;
			}
			current = grow(needed);
		}
		if (this.head == this.tail) {
			// nothing is in use, so what is needed fits at the start
			this.head = 0;
			this.tail = 0;
		}
		long size = current.mapping().memory().length();
		long start = this.tail;
		long untilEnd = size - start % size;
		if (untilEnd < needed) {
			start += untilEnd;
		}
		if (start + needed - this.head > size) {
			return FULL;
		}
		this.tail = start + needed;
		this.ends[slot] = this.tail;
		return start % size;
	}

	private SharedFile grow(long needed) throws IOException {
		close();
		long size = Math.max(MIN_SIZE, Long.highestOneBit(needed - 1) << 1);
		SharedFile grown = this.shared.createFile(size);
		grown.tell();
		this.file = grown;
		return grown;
	}

	/**
	 * Release the room of a slot, if it has any. Slots are released in the order in which
	 * they were given room.
	 * @param slot the slot
	 */
	void release(int slot) {
		long end = this.ends[slot];
		if (end == 0) {
			return;
		}
		this.ends[slot] = 0;
		this.head = end;
		SharedFile current = this.file;
		if (this.head == this.tail && current != null && current.mapping().memory().length() > MAX_KEPT
				&& FileMapping.isReleasable()) {
			close();
		}
	}

	SharedFile file() {
		SharedFile current = this.file;
		if (current == null) {
			throw new IllegalStateException("There is no room yet");
		}
		return current;
	}

	HostMemory memory() {
		return file().mapping().memory();
	}

	void close() {
		SharedFile current = this.file;
		this.file = null;
		this.head = 0;
		this.tail = 0;
		if (current != null) {
			this.shared.discard(current);
		}
	}

}
