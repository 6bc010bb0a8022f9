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
import java.util.BitSet;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BuddyAllocator}.
 */
class BuddyAllocatorTests {

	@Test
	void orderIsThatOfTheSmallestBlockThatFits() {
		assertThat(BuddyAllocator.orderOf(1)).isZero();
		assertThat(BuddyAllocator.orderOf(2)).isEqualTo(1);
		assertThat(BuddyAllocator.orderOf(3)).isEqualTo(2);
		assertThat(BuddyAllocator.orderOf(4)).isEqualTo(2);
		assertThat(BuddyAllocator.orderOf(5)).isEqualTo(3);
	}

	@Test
	void whenAllIsGivenBackThenTheWholeIsFreeAgain() {
		BuddyAllocator allocator = new BuddyAllocator(16);
		List<Integer> units = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			units.add(allocator.allocate(0));
		}
		assertThat(units).doesNotHaveDuplicates().allMatch((unit) -> unit >= 0 && unit < 16);
		assertThat(allocator.allocate(0)).isEqualTo(-1);
		assertThat(allocator.largestFreeOrder()).isEqualTo(-1);
		units.forEach((unit) -> allocator.free(unit, 0));
		assertThat(allocator.largestFreeOrder()).isEqualTo(4);
		assertThat(allocator.allocate(4)).isZero();
	}

	@Test
	void whenSmallBlockIsTakenThenTheSmallestFreeBlockIsSplit() {
		BuddyAllocator allocator = new BuddyAllocator(16);
		int first = allocator.allocate(0);
		allocator.allocate(0);
		allocator.allocate(1);
		allocator.free(first, 0);
		assertThat(allocator.allocate(0)).isEqualTo(first);
		assertThat(allocator.largestFreeOrder()).isEqualTo(3);
	}

	@Test
	void whenUnitsAreNoPowerOfTwoThenAllOfThemCanBeTakenAndNoneBeyond() {
		BuddyAllocator allocator = new BuddyAllocator(25);
		assertThat(allocator.largestFreeOrder()).isEqualTo(4);
		assertThat(allocator.allocate(4)).isZero();
		assertThat(allocator.allocate(3)).isEqualTo(16);
		assertThat(allocator.allocate(0)).isEqualTo(24);
		assertThat(allocator.allocate(0)).isEqualTo(-1);
		allocator.free(24, 0);
		assertThat(allocator.largestFreeOrder()).isZero();
	}

	@Test
	void whenBlockIsFreedTwiceThenItIsRefused() {
		BuddyAllocator allocator = new BuddyAllocator(4);
		int unit = allocator.allocate(1);
		allocator.free(unit, 1);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> allocator.free(unit, 1))
			.withMessageContaining("free already");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 31, 64, 100, 1023 })
	void whenBlocksComeAndGoAtRandomThenNoneOverlapAndNothingIsLost(int units) {
		Random random = new Random(units);
		BuddyAllocator allocator = new BuddyAllocator(units);
		BitSet taken = new BitSet(units);
		List<int[]> blocks = new ArrayList<>();
		int largest = allocator.largestFreeOrder();
		for (int step = 0; step < 20_000; step++) {
			if (random.nextBoolean()) {
				int order = random.nextInt(largest + 1);
				int expected = allocator.largestFreeOrder();
				int unit = allocator.allocate(order);
				assertThat(unit >= 0).isEqualTo(expected >= order);
				if (unit >= 0) {
					int end = unit + (1 << order);
					assertThat(end).isLessThanOrEqualTo(units);
					assertThat(taken.get(unit, end).isEmpty()).isTrue();
					taken.set(unit, end);
					blocks.add(new int[] { unit, order });
				}
			}
			else if (!blocks.isEmpty()) {
				int[] block = blocks.remove(random.nextInt(blocks.size()));
				taken.clear(block[0], block[0] + (1 << block[1]));
				allocator.free(block[0], block[1]);
			}
		}
		blocks.forEach((block) -> allocator.free(block[0], block[1]));
		assertThat(allocator.largestFreeOrder()).isEqualTo(largest);
		for (int unit = 0; unit < units; unit++) {
			assertThat(allocator.allocate(0)).isNotNegative();
		}
		assertThat(allocator.allocate(0)).isEqualTo(-1);
	}

}
