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

package io.rdma.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Until when an operation may take: either a limit for the whole, or one for each step.
 */
final class TimeLimit {

	private static final Duration LONGEST = Duration.ofDays(365);

	private final long nanos;

	private final long end;

	private final boolean whole;

	private TimeLimit(Duration limit, boolean whole) {
		this.nanos = ((limit.compareTo(LONGEST) < 0) ? limit : LONGEST).toNanos();
		this.end = System.nanoTime() + this.nanos;
		this.whole = whole;
	}

	/**
	 * Start a time limit.
	 * @param timeout the limit for the whole, {@code null} for none
	 * @param step the limit for each step if there is none for the whole
	 * @return the time limit
	 */
	static TimeLimit start(@Nullable Duration timeout, Duration step) {
		return (timeout != null) ? new TimeLimit(timeout, true) : new TimeLimit(step, false);
	}

	/**
	 * Check a limit that a caller gave.
	 * @param timeout the limit
	 */
	static void check(@Nullable Duration timeout) {
		Assert.notNull(timeout, "'timeout' must not be null");
		Assert.isTrue(!timeout.isNegative() && !timeout.isZero(), () -> "'timeout' must be above zero, not " + timeout);
	}

	/**
	 * Return until when the step that starts now may take.
	 * @return the time, as of {@link System#nanoTime()}
	 */
	long deadline() {
		return this.whole ? this.end : System.nanoTime() + this.nanos;
	}

	/**
	 * Return how much time the step that starts now has.
	 * @return the time, zero if the limit has passed
	 */
	Duration remaining() {
		return Duration.ofNanos(this.whole ? Math.max(0, this.end - System.nanoTime()) : this.nanos);
	}

	/**
	 * Return whether the limit for the whole has passed.
	 * @return whether no step can start
	 */
	boolean isOver() {
		return this.whole && this.end - System.nanoTime() <= 0;
	}

	@Override
	public String toString() {
		return Duration.ofNanos(this.nanos).toMillis() + " ms";
	}

}
