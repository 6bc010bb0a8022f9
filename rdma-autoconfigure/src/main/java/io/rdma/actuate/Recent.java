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

package io.rdma.actuate;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Keeps a value for a moment, so that the many meters of one scrape share it.
 * Thread-safe.
 *
 * @param <T> the type of the value
 */
final class Recent<T> implements Supplier<T> {

	private static final long MAX_AGE_NANOS = 100_000_000;

	private final Supplier<T> source;

	private volatile @Nullable Reading<T> last;

	Recent(Supplier<T> source) {
		this.source = source;
	}

	@Override
	public T get() {
		long now = System.nanoTime();
		Reading<T> reading = this.last;
		if (reading == null || now - reading.nanos() > MAX_AGE_NANOS) {
			reading = new Reading<>(this.source.get(), now);
			this.last = reading;
		}
		return reading.value();
	}

	/**
	 * Forget the value, since it is known to have changed.
	 */
	void clear() {
		this.last = null;
	}

	/**
	 * A value and when it was read.
	 */
	private record Reading<T>(T value, long nanos) {
	}

}
