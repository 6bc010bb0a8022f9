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

import io.rdma.core.exception.RdmaConfigurationException;

/**
 * The sizes of a pool, checked against each other.
 *
 * @param unit the size of the smallest buffer, a power of two
 * @param slabSize the size of one registration, a multiple of the unit
 * @param initialSize how much is registered at start, a multiple of the unit
 * @param maxSize how far the pool grows, a multiple of the unit
 */
record PoolLayout(int unit, long slabSize, long initialSize, long maxSize) {

	static final String POOL_SIZE = "rdma.memory.pool-size";

	static final String MAX_POOL_SIZE = "rdma.memory.max-pool-size";

	static final String SLAB_SIZE = "rdma.memory.slab-size";

	static final String MIN_BUFFER_SIZE = "rdma.memory.min-buffer-size";

	private static final int SMALLEST_UNIT = 64;

	PoolLayout {
		if (unit < SMALLEST_UNIT || unit > MemoryChunk.MAX_SIZE || Integer.bitCount(unit) != 1) {
			throw new RdmaConfigurationException(MIN_BUFFER_SIZE, MemorySize.describe(unit),
					"the smallest buffer must be a power of two from 64B to 1GB", "Use for example 4KB.");
		}
		if (initialSize < unit) {
			throw new RdmaConfigurationException(POOL_SIZE, MemorySize.describe(initialSize),
					"the pool is smaller than one buffer, which has " + MemorySize.describe(unit),
					"Make it larger, or make " + MIN_BUFFER_SIZE + " smaller.");
		}
		if (maxSize < initialSize) {
			throw new RdmaConfigurationException(MAX_POOL_SIZE, MemorySize.describe(maxSize),
					"it is less than " + POOL_SIZE + ", which is " + MemorySize.describe(initialSize),
					"Make it at least as large, or remove it so that the pool does not grow.");
		}
		if (slabSize < unit) {
			throw new RdmaConfigurationException(SLAB_SIZE, MemorySize.describe(slabSize),
					"a slab is smaller than one buffer, which has " + MemorySize.describe(unit),
					"Make it larger, or make " + MIN_BUFFER_SIZE + " smaller.");
		}
		if (slabSize > maxSize) {
			throw new RdmaConfigurationException(SLAB_SIZE, MemorySize.describe(slabSize),
					"a slab is larger than the pool, which has at most " + MemorySize.describe(maxSize),
					"Make it smaller, or make " + POOL_SIZE + " larger.");
		}
		slabSize -= slabSize % unit;
		initialSize -= initialSize % unit;
		maxSize -= maxSize % unit;
	}

	/**
	 * Return the size of the slab to register next.
	 * @param capacity how much is registered
	 * @return the number of bytes, 0 if the pool is as large as it gets
	 */
	long nextSlab(long capacity) {
		long goal = (capacity < this.initialSize) ? this.initialSize : this.maxSize;
		return Math.min(this.slabSize, goal - capacity);
	}

	/**
	 * Return the size of the largest buffer that a slab of this pool will ever hold.
	 * @return the number of bytes, a power of two
	 */
	int maxBufferSize() {
		long largest = Math.max(Math.min(this.slabSize, this.initialSize),
				Math.min(this.slabSize, this.maxSize - this.initialSize));
		return (int) Long.highestOneBit(Math.min(largest, MemoryChunk.MAX_SIZE));
	}

	/**
	 * Return the order of the smallest block that holds some bytes.
	 * @param bytes how many bytes, 0 to {@link #maxBufferSize()}
	 * @return the order, where a block has 2^order units
	 */
	int orderOf(int bytes) {
		return BuddyAllocator.orderOf(Math.max(1, (int) (((long) bytes + this.unit - 1) / this.unit)));
	}

	int unitShift() {
		return Integer.numberOfTrailingZeros(this.unit);
	}

}
