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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ShortLock}.
 */
class ShortLockTests {

	private final ShortLock lock = new ShortLock();

	private long counter;

	@Test
	void whenTakenThenNobodyElseGetsIt() {
		assertThat(this.lock.tryLock()).isTrue();
		assertThat(this.lock.tryLock()).isFalse();
		this.lock.unlock();
		assertThat(this.lock.tryLock()).isTrue();
	}

	@Test
	void whenManyThreadsCountUnderItThenNoneIsLost() throws InterruptedException {
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			threads.add(new Thread(() -> {
				for (int k = 0; k < 20_000; k++) {
					this.lock.lock();
					this.counter++;
					this.lock.unlock();
				}
			}));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(this.counter).isEqualTo(160_000);
	}

	@Test
	void whenHeldForLongThenWaiterGetsItAfterwardsThoughInterrupted() throws InterruptedException {
		this.lock.lock();
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch got = new CountDownLatch(1);
		Thread waiter = new Thread(() -> {
			started.countDown();
			this.lock.lock();
			got.countDown();
			this.lock.unlock();
		});
		waiter.start();
		started.await();
		waiter.interrupt();
		assertThat(got.await(20, TimeUnit.MILLISECONDS)).isFalse();
		this.lock.unlock();
		assertThat(got.await(10, TimeUnit.SECONDS)).isTrue();
		waiter.join();
	}

}
