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

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets one report through in an interval and counts the others. Thread-safe, takes no
 * lock.
 */
final class ReportLimiter {

	private final long intervalNanos;

	private final AtomicLong next = new AtomicLong(System.nanoTime());

	private final AtomicLong suppressed = new AtomicLong();

	ReportLimiter(Duration interval) {
		this.intervalNanos = interval.toNanos();
	}

	/**
	 * Ask whether to report now.
	 * @return how many were suppressed since the last report, -1 if this one is too
	 */
	long permit() {
		long now = System.nanoTime();
		long due = this.next.get();
		if (now - due >= 0 && this.next.compareAndSet(due, now + this.intervalNanos)) {
			return this.suppressed.getAndSet(0);
		}
		this.suppressed.incrementAndGet();
		return -1;
	}

}
