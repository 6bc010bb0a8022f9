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

import java.nio.ByteBuffer;

import io.rdma.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

/**
 * A part of a slab within which blocks are joined: all of it, or 1 GiB of a larger one,
 * since no view can cross a multiple of that. Not thread-safe.
 */
final class MemoryChunk {

	/** The largest chunk in bytes. */
	static final long MAX_SIZE = 1L << 30;

	private final MemoryRegion region;

	private final long start;

	private final int unitShift;

	private final BuddyAllocator blocks;

	/** The place in the list of {@link FreeMemory}. */
	@Nullable MemoryChunk previous;

	/** The place in the list of {@link FreeMemory}. */
	@Nullable MemoryChunk next;

	/** The list of {@link FreeMemory} that it is in, -1 if in none. */
	int list = -1;

	/**
	 * Create a chunk.
	 * @param region the slab
	 * @param start where in the slab it starts
	 * @param length how many bytes, a multiple of the unit
	 * @param unitShift the binary logarithm of the unit in bytes
	 */
	MemoryChunk(MemoryRegion region, long start, long length, int unitShift) {
		this.region = region;
		this.start = start;
		this.unitShift = unitShift;
		this.blocks = new BuddyAllocator((int) (length >>> unitShift));
	}

	MemoryRegion region() {
		return this.region;
	}

	int largestFreeOrder() {
		return this.blocks.largestFreeOrder();
	}

	int allocate(int order) {
		return this.blocks.allocate(order);
	}

	void free(int unit, int order) {
		this.blocks.free(unit, order);
	}

	long offsetOf(int unit) {
		return this.start + ((long) unit << this.unitShift);
	}

	ByteBuffer view(int unit, int length) {
		return this.region.buffer(offsetOf(unit), length);
	}

}
