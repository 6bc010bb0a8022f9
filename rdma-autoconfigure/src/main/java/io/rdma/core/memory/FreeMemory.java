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

import org.jspecify.annotations.Nullable;

/**
 * All chunks, listed by the order of their largest free block, so that the best one is
 * found at once however many there are. Not thread-safe.
 */
final class FreeMemory {

	private final @Nullable MemoryChunk[] lists = new MemoryChunk[Integer.SIZE];

	/** A bit for each list that is not empty. */
	private int filled;

	void add(MemoryChunk chunk) {
		relist(chunk);
	}

	/**
	 * Return a chunk to take a block from, the one that has the least to spare.
	 * @param order the order of the block
	 * @return the chunk, {@code null} if no block of that order is free
	 */
	@Nullable MemoryChunk find(int order) {
		int candidates = this.filled & (-1 << order);
		return (candidates != 0) ? this.lists[Integer.numberOfTrailingZeros(candidates)] : null;
	}

	/**
	 * Return the order of the largest free block.
	 * @return the order, -1 if nothing is free
	 */
	int largestOrder() {
		return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(this.filled);
	}

	/**
	 * Note that a block was taken from a chunk or given back to it.
	 * @param chunk the chunk
	 */
	void relist(MemoryChunk chunk) {
		int list = chunk.largestFreeOrder();
		if (list == chunk.list) {
			return;
		}
		unlink(chunk);
		if (list >= 0) {
			link(chunk, list);
		}
	}

	private void link(MemoryChunk chunk, int list) {
		MemoryChunk head = this.lists[list];
		chunk.list = list;
		chunk.next = head;
		if (head != null) {
			head.previous = chunk;
		}
		this.lists[list] = chunk;
		this.filled |= 1 << list;
	}

	private void unlink(MemoryChunk chunk) {
		if (chunk.list < 0) {
			return;
		}
		if (chunk.previous != null) {
			chunk.previous.next = chunk.next;
		}
		else {
			this.lists[chunk.list] = chunk.next;
		}
		if (chunk.next != null) {
			chunk.next.previous = chunk.previous;
		}
		if (this.lists[chunk.list] == null) {
			this.filled &= ~(1 << chunk.list);
		}
		chunk.list = -1;
		chunk.previous = null;
		chunk.next = null;
	}

}
