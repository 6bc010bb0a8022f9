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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StagingArea}.
 */
class StagingAreaTests {

	private static final int SLOTS = 16;

	private static final int MIN_SIZE = 256 << 10;

	private final SharedMemory memory = new SharedMemory(SharedMemoryOptions.defaults());

	private final StagingArea area = new StagingArea(this.memory, new long[SLOTS]);

	@AfterEach
	void close() {
		this.area.close();
		this.memory.close();
	}

	@Test
	void whenFullThenThereIsRoomOnceTheOldestIsReleased() throws IOException {
		assertThat(this.area.place(0, MIN_SIZE / 2)).isZero();
		assertThat(this.area.place(1, MIN_SIZE / 2)).isEqualTo(MIN_SIZE / 2);
		assertThat(this.area.place(2, 1)).isEqualTo(StagingArea.FULL);
		this.area.release(0);
		assertThat(this.area.place(2, 1)).isZero();
	}

	@Test
	void whenMessageIsLargerThenAreaGrowsOnceNothingIsInIt() throws IOException {
		this.area.place(0, 100);
		long small = this.area.file().id();
		assertThat(this.area.place(1, MIN_SIZE + 1)).isEqualTo(StagingArea.FULL);
		this.area.release(0);
		assertThat(this.area.place(1, MIN_SIZE + 1)).isZero();
		assertThat(this.area.memory().length()).isEqualTo(2 * MIN_SIZE);
		assertThat(this.area.file().id()).isNotEqualTo(small);
	}

	@Test
	void whenVeryLargeMessageIsGoneThenItsMemoryIsGivenBack() throws IOException {
		long size = 64 << 20;
		this.area.place(0, size);
		long large = this.area.file().id();
		this.area.release(0);
		this.area.place(1, 1);
		assertThat(this.area.file().id()).isNotEqualTo(large);
		assertThat(this.area.memory().length()).isEqualTo(MIN_SIZE);
	}

	@Test
	@EnabledIf("io.rdma.verbs.jni.NativeBuild#isThere") // which gives memory back at once
	void whenVeryLargeMessageIsGoneThenItCountsNoMore() throws IOException {
		// at most, since what others left may be collected meanwhile
		long before = SharedFiles.countedBytes();
		this.area.place(0, 64 << 20);
		assertThat(SharedFiles.countedBytes()).isGreaterThanOrEqualTo(64 << 20);
		this.area.release(0);
		assertThat(SharedFiles.countedBytes()).isLessThanOrEqualTo(before);
	}

	@Test
	void whenUsedLikeARingThenPiecesDoNotOverlap() throws IOException {
		Random random = new Random(1);
		Deque<long[]> used = new ArrayDeque<>();
		int next = 0;
		for (int i = 0; i < 20_000; i++) {
			int length = 1 + random.nextInt(100_000);
			long at = (used.size() < SLOTS) ? this.area.place(next % SLOTS, length) : StagingArea.FULL;
			if (at == StagingArea.FULL) {
				assertThat(used).isNotEmpty();
				this.area.release((int) used.removeFirst()[2]);
				continue;
			}
			assertThat(at).isNotNegative().isLessThanOrEqualTo(this.area.memory().length() - length);
			assertThat(used).noneMatch((piece) -> piece[0] < at + length && at < piece[0] + piece[1]);
			used.addLast(new long[] { at, length, next % SLOTS });
			next++;
		}
	}

}
