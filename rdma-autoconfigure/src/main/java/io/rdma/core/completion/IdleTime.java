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

import java.util.concurrent.TimeUnit;

/**
 * How long a thread goes on polling empty queues before it waits for an event: it spins,
 * then yields. With few processors it yields only, since whoever would bring work needs
 * one. For one thread.
 */
@SuppressWarnings("ThreadPriorityCheck") // Nothing depends on what a yield does
final class IdleTime {

	private static final boolean SPIN = Runtime.getRuntime().availableProcessors() >= 4;

	private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	private static final long YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

	private boolean idle;

	private long since;

	/**
	 * Note that there was work.
	 */
	void reset() {
		this.idle = false;
	}

	/**
	 * Spend a moment.
	 * @return whether to poll again, {@code false} if it is time to wait for an event
	 */
	boolean spend() {
		if (!this.idle) {
			this.idle = true;
			this.since = System.nanoTime();
		}
		long elapsed = System.nanoTime() - this.since;
		if (SPIN && elapsed < SPIN_NANOS) {
			Thread.onSpinWait();
			return true;
		}
		if (elapsed < YIELD_NANOS) {
			Thread.yield();
			return true;
		}
		return false;
	}

	/**
	 * Spend a moment in a loop that never waits.
	 */
	static void pause() {
		if (SPIN) {
			Thread.onSpinWait();
		}
		else {
			Thread.yield();
		}
	}

}
