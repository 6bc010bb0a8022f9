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

package io.rdma.core.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CreditAccount}, {@link CreditWord} and {@link SendTable}.
 */
class FlowControlTests {

	@Test
	void whenWordWasNeverWrittenThenItIsNotValid() {
		assertThat(CreditWord.isValid(0)).isFalse();
	}

	@Test
	void whenWordIsReadHalfWrittenThenItIsNotValid() {
		long before = CreditWord.encode(0x0000_00ff);
		long after = CreditWord.encode(0x0000_0100);
		for (int bytes = 1; bytes < Long.BYTES; bytes++) {
			long mask = -1L >>> (8 * bytes);
			long torn = (before & mask) | (after & ~mask);
			assertThat(torn == before || torn == after || !CreditWord.isValid(torn)).isTrue();
			torn = (after & mask) | (before & ~mask);
			assertThat(torn == before || torn == after || !CreditWord.isValid(torn)).isTrue();
		}
	}

	@Test
	void whenWordIsWrittenThenItsCountIsRead() {
		for (int count : new int[] { 0, 1, 64, -1, Integer.MIN_VALUE }) {
			assertThat(CreditWord.isValid(CreditWord.encode(count))).isTrue();
			assertThat(CreditWord.count(CreditWord.encode(count))).isEqualTo(count);
		}
	}

	@Test
	void whenCreditsAreGrantedThenTheyCanBeTakenOnce() {
		CreditAccount account = new CreditAccount(4);
		assertThat(account.tryTake(1, 0)).isFalse();
		assertThat(account.grant(4)).isTrue();
		assertThat(account.grant(4)).isFalse();
		assertThat(account.tryTake(3, 1)).isTrue();
		assertThat(account.tryTake(1, 1)).isFalse();
		assertThat(account.tryTake(1, 0)).isTrue();
		assertThat(account.available()).isZero();
		account.giveBack(2);
		assertThat(account.available()).isEqualTo(2);
	}

	@Test
	void whenGrantIsOldOrImpossibleThenItIsIgnored() {
		CreditAccount account = new CreditAccount(4);
		account.grant(4);
		assertThat(account.grant(3)).isFalse();
		assertThat(account.grant(9)).isFalse();
		assertThat(account.grant(-100)).isFalse();
		assertThat(account.grant(8)).isTrue();
	}

	@Test
	void whenCountsWrapThenNothingIsLost() {
		CreditAccount account = new CreditAccount(1 << 20);
		int granted = 0;
		for (int i = 0; i < 5000; i++) {
			granted += 1 << 20;
			assertThat(account.grant(granted)).isTrue();
			assertThat(account.tryTake(1 << 20, 0)).isTrue();
			assertThat(account.available()).isZero();
		}
	}

	@Test
	void whenSlotsAreTakenByManyThreadsThenNoneIsGivenTwice() throws Exception {
		SendTable table = new SendTable(5, Integer.MAX_VALUE - 10);
		Set<Integer> inUse = ConcurrentHashMap.newKeySet();
		AtomicBoolean twice = new AtomicBoolean();
		ExecutorService executor = Executors.newFixedThreadPool(8);
		List<Future<?>> futures = new ArrayList<>();
		for (int thread = 0; thread < 8; thread++) {
			futures.add(executor.submit(() -> {
				for (int i = 0; i < 5000; i++) {
					assertThat(table.tryReserve(10_000_000_000L)).isTrue();
					SendSlot slot = table.pop();
					int generation = slot.take(null);
					twice.compareAndSet(false, !inUse.add(slot.index()));
					inUse.remove(slot.index());
					assertThat(slot.end(generation)).isTrue();
					table.giveBack(slot);
				}
				return null;
			}));
		}
		for (Future<?> future : futures) {
			future.get(60, TimeUnit.SECONDS);
		}
		executor.shutdown();
		assertThat(twice).isFalse();
		assertThat(table.isIdle()).isTrue();
		assertThat(table.highWater()).isBetween(1, 5);
	}

	@Test
	void whenUseOfASlotIsOverThenItsCompletionFitsNoMore() {
		SendTable table = new SendTable(1, 6);
		assertThat(table.tryReserve(1)).isTrue();
		assertThat(table.tryReserve(1)).isFalse();
		SendSlot slot = table.pop();
		int first = slot.take(null);
		assertThat(table.inUse()).isEqualTo(1);
		assertThat(slot.end(first + 2)).isFalse();
		assertThat(slot.end(first)).isTrue();
		assertThat(slot.end(first)).isFalse();
		assertThat(slot.end(first + 1)).isFalse();
		table.giveBack(slot);
		assertThat(table.tryReserve(1)).isTrue();
		assertThat(table.pop().take(null)).isEqualTo(first + 2);
	}

}
