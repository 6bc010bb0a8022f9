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

package io.rdma.verbs.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that start together and must all end in time.
 */
final class Workers implements AutoCloseable {

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final CountDownLatch start = new CountDownLatch(1);

	private final List<Future<?>> futures = new ArrayList<>();

	/**
	 * Add threads that wait for the start.
	 * @param count how many
	 * @param work what each does with its number
	 * @return this
	 */
	Workers add(int count, IntConsumer work) {
		for (int i = 0; i < count; i++) {
			int number = i;
			this.futures.add(this.executor.submit(() -> {
				this.start.await();
				work.accept(number);
				return null;
			}));
		}
		return this;
	}

	/**
	 * Let all start.
	 */
	void start() {
		this.start.countDown();
	}

	/**
	 * Wait until all have ended.
	 * @return what they threw
	 * @throws InterruptedException if the thread was interrupted
	 */
	List<Throwable> failures() throws InterruptedException {
		start();
		List<Throwable> failures = new ArrayList<>();
		for (Future<?> future : this.futures) {
			try {
				future.get(CompletionReader.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (ExecutionException ex) {
				failures.add((ex.getCause() != null) ? ex.getCause() : ex);
			}
			catch (TimeoutException ex) {
				failures.add(new AssertionError("A thread did not end within " + CompletionReader.PATIENCE, ex));
			}
		}
		return failures;
	}

	/**
	 * Wait until all have ended with no exception.
	 * @throws InterruptedException if the thread was interrupted
	 */
	void join() throws InterruptedException {
		assertThat(failures()).isEmpty();
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
