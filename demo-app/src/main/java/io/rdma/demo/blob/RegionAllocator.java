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

package io.rdma.demo.blob;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

import org.springframework.util.Assert;

/**
 * Hands out the blocks of a region. Safe for use by several threads.
 */
final class RegionAllocator {

	private final int blockSize;

	private final int blocks;

	private final BitSet used = new BitSet();

	/**
	 * Create an allocator.
	 * @param regionSize the size of the region in bytes
	 * @param blockSize the size of a block in bytes
	 */
	RegionAllocator(long regionSize, int blockSize) {
		Assert.isTrue(blockSize > 0, "'blockSize' must be positive");
		Assert.isTrue(regionSize >= blockSize,
				() -> "a region of " + regionSize + " bytes is smaller than one block of " + blockSize + " bytes");
		this.blockSize = blockSize;
		this.blocks = Math.toIntExact(regionSize / blockSize);
	}

	/**
	 * Return how many bytes the region can hold when it is empty.
	 * @return the number of bytes
	 */
	long capacity() {
		return (long) this.blocks * this.blockSize;
	}

	/**
	 * Return how many bytes are free now.
	 * @return the number of bytes
	 */
	synchronized long free() {
		return (long) (this.blocks - this.used.cardinality()) * this.blockSize;
	}

	/**
	 * Take enough blocks for some bytes, the first free ones, neighbours joined.
	 * @param bytes the number of bytes
	 * @return the extents in the order in which they are to be filled, empty for 0 bytes
	 * @throws RegionFullException if too few blocks are free
	 */
	synchronized List<Extent> allocate(long bytes) {
		long wanted = (bytes + this.blockSize - 1) / this.blockSize;
		if (wanted > this.blocks - this.used.cardinality()) {
			throw new RegionFullException(bytes, free());
		}
		List<Extent> extents = new ArrayList<>();
		int from = 0;
		while (wanted > 0) {
			int start = this.used.nextClearBit(from);
			int next = this.used.nextSetBit(start);
			int end = (int) Math.min((next < 0) ? this.blocks : next, start + wanted);
			this.used.set(start, end);
			extents.add(new Extent((long) start * this.blockSize, (long) (end - start) * this.blockSize));
			wanted -= end - start;
			from = end;
		}
		return extents;
	}

	/**
	 * Give extents back.
	 * @param extents what {@link #allocate(long)} returned
	 */
	synchronized void release(List<Extent> extents) {
		for (Extent extent : extents) {
			this.used.clear((int) (extent.offset() / this.blockSize), (int) (extent.end() / this.blockSize));
		}
	}

}
