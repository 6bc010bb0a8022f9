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

import org.springframework.util.Assert;

/**
 * Divides a run of equal units into blocks of 1, 2, 4, 8 and so on of them, and joins
 * blocks that are given back. The number of units need not be a power of two. Knows
 * numbers only, not memory. Not thread-safe.
 */
final class BuddyAllocator {

	/**
	 * A binary tree in an array, the root at 1 and the children of n at 2n and 2n + 1.
	 * Each entry is 1 + the order of the largest free block below it, 0 if there is none.
	 * What is below an allocated block stays as it was, so that freeing needs no descent.
	 */
	private final byte[] tree;

	private final int rootOrder;

	/**
	 * Create an allocator with all units free.
	 * @param units how many units, 1 to 2^29
	 */
	BuddyAllocator(int units) {
		Assert.isTrue(units >= 1 && units <= (1 << 29), () -> units + " units cannot be divided");
		this.rootOrder = orderOf(units);
		int leaves = 1 << this.rootOrder;
		this.tree = new byte[2 * leaves];
		for (int unit = 0; unit < units; unit++) {
			this.tree[leaves + unit] = 1;
		}
		int order = 0;
		for (int first = leaves / 2; first >= 1; first /= 2) {
			order++;
			for (int node = first; node < 2 * first; node++) {
				this.tree[node] = joined(node, order);
			}
		}
	}

	/**
	 * Return the order of the smallest block that has some units.
	 * @param units how many units, at least 1
	 * @return the order, where a block has 2^order units
	 */
	static int orderOf(int units) {
		return Integer.SIZE - Integer.numberOfLeadingZeros(units - 1);
	}

	/**
	 * Return the order of the largest free block.
	 * @return the order, -1 if there is none
	 */
	int largestFreeOrder() {
		return this.tree[1] - 1;
	}

	/**
	 * Take a block, from the smallest free one that is large enough.
	 * @param order the order
	 * @return the number of its first unit, -1 if there is none
	 */
	int allocate(int order) {
		if (this.tree[1] <= order) {
			return -1;
		}
		int node = 1;
		for (int level = this.rootOrder; level > order; level--) {
			int left = this.tree[2 * node];
			int right = this.tree[2 * node + 1];
			boolean toTheLeft = left > order && (left <= right || right <= order);
			node = toTheLeft ? 2 * node : 2 * node + 1;
		}
		this.tree[node] = 0;
		update(node, order);
		return (node << order) - (1 << this.rootOrder);
	}

	/**
	 * Give a block back.
	 * @param unit the number of its first unit
	 * @param order the order
	 */
	void free(int unit, int order) {
		int node = ((1 << this.rootOrder) + unit) >> order;
		Assert.state(this.tree[node] == 0, () -> "Block of order " + order + " at unit " + unit + " is free already");
		this.tree[node] = (byte) (order + 1);
		update(node, order);
	}

	private void update(int node, int order) {
		int level = order;
		for (int parent = node / 2; parent >= 1; parent /= 2) {
			level++;
			byte value = joined(parent, level);
			if (this.tree[parent] == value) {
				return;
			}
			this.tree[parent] = value;
		}
	}

	private byte joined(int node, int order) {
		byte left = this.tree[2 * node];
		byte right = this.tree[2 * node + 1];
		return (left == order && right == order) ? (byte) (order + 1) : (byte) Math.max(left, right);
	}

}
