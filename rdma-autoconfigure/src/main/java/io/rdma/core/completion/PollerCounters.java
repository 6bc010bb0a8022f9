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

package io.rdma.core.completion;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What one poller thread counts. Written by that thread only, read by any.
 */
final class PollerCounters {

	private final AtomicLong polls = new AtomicLong();

	private final AtomicLong completions = new AtomicLong();

	private final AtomicLong waits = new AtomicLong();

	private final AtomicLong failures = new AtomicLong();

	private static void increment(AtomicLong counter, long by) {
		// With one writer there is nothing to compete with
		counter.lazySet(counter.getPlain() + by);
	}

	void polled(int queues, int found) {
		increment(this.polls, queues);
		if (found > 0) {
			increment(this.completions, found);
		}
	}

	void waited() {
		increment(this.waits, 1);
	}

	void failed() {
		increment(this.failures, 1);
	}

	PollerThreadStatistics statistics(String name, boolean alive, PolledQueue[] queues) {
		long queueFailures = 0;
		for (PolledQueue queue : queues) {
			queueFailures += queue.failures();
		}
		return new PollerThreadStatistics(name, alive, queues.length, this.polls.get(), this.completions.get(),
				this.waits.get(), this.failures.get() + queueFailures);
	}

}
