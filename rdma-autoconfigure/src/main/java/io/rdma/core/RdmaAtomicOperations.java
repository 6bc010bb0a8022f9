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
import java.util.concurrent.CompletableFuture;

import io.rdma.core.exception.RdmaException;

/**
 * Atomic operations on words of 8 bytes in regions of a peer, whose processor takes no
 * part in them. On most devices they are atomic among each other only: the owner of the
 * region changes such a word by these operations too, never by its processor. Bounds,
 * access rights and alignment are checked on this side before anything is posted. What is
 * said at {@link RdmaOperations} about time limits, futures and threads holds here.
 *
 * @see RdmaOperations
 */
public interface RdmaAtomicOperations {

	/**
	 * Compare 8 bytes of a region of a peer with a value and, if they are equal, exchange
	 * them, atomically. The swap happened if the returned value is the expected one. The
	 * word is in the byte order of the machines.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param expected the value to compare with
	 * @param newValue the value to put there if it is equal
	 * @return the value before the operation
	 * @throws RdmaException if it did not succeed
	 */
	long compareAndSwap(String peer, String region, long offset, long expected, long newValue);

	/**
	 * Compare 8 bytes of a region of a peer with a value and, if they are equal, exchange
	 * them, atomically.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param expected the value to compare with
	 * @param newValue the value to put there if it is equal
	 * @param timeout the time limit for the whole call, above zero
	 * @return the value before the operation
	 * @throws RdmaException if it did not succeed
	 */
	long compareAndSwap(String peer, String region, long offset, long expected, long newValue, Duration timeout);

	/**
	 * Compare and exchange 8 bytes of a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param expected the value to compare with
	 * @param newValue the value to put there if it is equal
	 * @return a future of the value before the operation
	 */
	CompletableFuture<Long> compareAndSwapAsync(String peer, String region, long offset, long expected, long newValue);

	/**
	 * Compare and exchange 8 bytes of a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param expected the value to compare with
	 * @param newValue the value to put there if it is equal
	 * @param timeout the time limit for the whole call, above zero
	 * @return a future of the value before the operation
	 */
	CompletableFuture<Long> compareAndSwapAsync(String peer, String region, long offset, long expected, long newValue,
			Duration timeout);

	/**
	 * Add to 8 bytes of a region of a peer, atomically. The sum wraps around. The word is
	 * in the byte order of the machines.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param delta what to add
	 * @return the value before the operation
	 * @throws RdmaException if it did not succeed
	 */
	long fetchAndAdd(String peer, String region, long offset, long delta);

	/**
	 * Add to 8 bytes of a region of a peer, atomically.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param delta what to add
	 * @param timeout the time limit for the whole call, above zero
	 * @return the value before the operation
	 * @throws RdmaException if it did not succeed
	 */
	long fetchAndAdd(String peer, String region, long offset, long delta, Duration timeout);

	/**
	 * Add to 8 bytes of a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param delta what to add
	 * @return a future of the value before the operation
	 */
	CompletableFuture<Long> fetchAndAddAsync(String peer, String region, long offset, long delta);

	/**
	 * Add to 8 bytes of a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param delta what to add
	 * @param timeout the time limit for the whole call, above zero
	 * @return a future of the value before the operation
	 */
	CompletableFuture<Long> fetchAndAddAsync(String peer, String region, long offset, long delta, Duration timeout);

}
