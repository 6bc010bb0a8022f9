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

package io.rdma.verbs.testing;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;

/**
 * Measures what an operation allocates, on the thread that does it and on those that work
 * for it. Not thread-safe.
 */
public final class AllocationMeter {

	private static final int WARM_UP_ROUNDS = 20;

	private static final int QUIET_ROUNDS = 4;

	private static final int MAX_WARM_UP_ROUNDS = 60;

	/** The compiler may allocate in one of them, operations would in each. */
	private static final int ATTEMPTS = 5;

	private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final List<Thread> watched;

	/**
	 * Create a meter.
	 * @param workers the threads that count beside the one that measures
	 */
	public AllocationMeter(Thread... workers) {
		this.watched = Stream.concat(Stream.of(Thread.currentThread()), Stream.of(workers)).toList();
	}

	/**
	 * Repeat an operation until the compiler, which allocates on the threads that call
	 * it, has nothing more to do; then measure, again if that was too early.
	 * @param operation the operation
	 * @param times how often it is measured
	 * @return the bytes that were allocated when it was the least
	 */
	public long bytesAllocatedBy(Runnable operation, int times) {
		int quiet = 0;
		for (int round = 0; round < MAX_WARM_UP_ROUNDS && quiet < QUIET_ROUNDS; round++) {
			quiet = (measure(operation, times / WARM_UP_ROUNDS) == 0) ? quiet + 1 : 0;
		}
		long least = Long.MAX_VALUE;
		for (int attempt = 0; attempt < ATTEMPTS && least > 0; attempt++) {
			least = Math.min(least, measure(operation, times));
		}
		return least;
	}

	private long measure(Runnable operation, int times) {
		long before = allocated();
		repeat(operation, times);
		return allocated() - before;
	}

	private long allocated() {
		long sum = 0;
		for (int i = 0; i < this.watched.size(); i++) {
			sum += this.threads.getThreadAllocatedBytes(this.watched.get(i).getId());
		}
		return sum;
	}

	private static void repeat(Runnable operation, int times) {
		for (int i = 0; i < times; i++) {
			operation.run();
		}
	}

}
