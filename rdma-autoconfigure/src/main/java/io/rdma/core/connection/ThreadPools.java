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

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rdma.core.completion.RdmaThread;
import lombok.extern.slf4j.Slf4j;

/**
 * Small pools of this library's threads, which end when they have nothing to do.
 */
@Slf4j
final class ThreadPools {

	private static final long KEEP_ALIVE_SECONDS = 10;

	private static final long END_MILLIS = 5000;

	private ThreadPools() {
	}

	/**
	 * Create a pool.
	 * @param name the start of the names of its threads
	 * @param threads how many threads at most
	 * @param queue how many tasks can wait
	 * @return the pool
	 */
	static ThreadPoolExecutor create(String name, int threads, int queue) {
		AtomicInteger number = new AtomicInteger();
		ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(queue), (task) -> new RdmaThread(task, name + number.incrementAndGet()));
		pool.allowCoreThreadTimeOut(true);
		return pool;
	}

	/**
	 * Wait, for a bounded time, until a pool that was shut down has ended.
	 * @param pool the pool
	 */
	static void awaitEnd(ThreadPoolExecutor pool) {
		try {
			if (!pool.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
				logger.warn("{} threads of connections did not end in time", pool.getActiveCount());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
