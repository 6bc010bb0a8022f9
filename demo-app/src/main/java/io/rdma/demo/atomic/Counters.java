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

package io.rdma.demo.atomic;

import io.rdma.core.RdmaOperations;
import io.rdma.demo.support.RemoteProperties;
import lombok.RequiredArgsConstructor;

import org.springframework.stereotype.Component;

/**
 * Counters in a region of a peer: words of 8 bytes, found by their number from 0 on.
 */
@Component
@RequiredArgsConstructor
public class Counters {

	private final RdmaOperations rdma;

	private final RemoteProperties remote;

	/**
	 * Return how many counters there are.
	 * @return the number
	 */
	public long size() {
		return this.rdma.execute(this.remote.peer(), (connection) -> connection.region(this.remote.counters()).length())
				/ Long.BYTES;
	}

	/**
	 * Return the value of a counter. Adding 0 reads it in order with all other atomic
	 * operations, which a plain READ need not do.
	 * @param number the number of the counter
	 * @return its value
	 */
	public long get(long number) {
		return add(number, 0);
	}

	/**
	 * Add to a counter.
	 * @param number the number of the counter
	 * @param delta what to add
	 * @return its value before
	 */
	public long add(long number, long delta) {
		return this.rdma.fetchAndAdd(this.remote.peer(), this.remote.counters(), offset(number), delta);
	}

	/**
	 * Set a counter, if nobody else did.
	 * @param number the number of the counter
	 * @param expected the value that it must have
	 * @param value its new value
	 * @return whether it had the expected value and has the new one
	 */
	public boolean compareAndSet(long number, long expected, long value) {
		return this.rdma.compareAndSwap(this.remote.peer(), this.remote.counters(), offset(number), expected,
				value) == expected;
	}

	private static long offset(long number) {
		return Math.multiplyExact(number, Long.BYTES);
	}

}
