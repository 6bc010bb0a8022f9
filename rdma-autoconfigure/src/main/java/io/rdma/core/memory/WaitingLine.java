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

package io.rdma.core.memory;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait for a buffer, in order. While the first cannot be served, a bounded
 * number of others go ahead of it; then all wait until it is served. Used under the
 * pool's lock.
 */
@RequiredArgsConstructor
final class WaitingLine {

	private static final int MAX_OVERTAKEN = 32;

	private final PoolMemory memory;

	private final LinkedHashSet<Waiter> waiters = new LinkedHashSet<>();

	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	/**
	 * Take a block for a thread that is not in the line.
	 * @param order the order
	 * @return the block, {@code null} if there is none or it must not go ahead
	 */
	@Nullable BufferLease take(int order) {
		Waiter first = this.waiters.isEmpty() ? null : this.waiters.iterator().next();
		if (first == null) {
			return this.memory.take(order);
		}
		BufferLease lease = (first.overtaken < MAX_OVERTAKEN) ? this.memory.take(order) : null;
		if (lease != null) {
			first.overtaken++;
		}
		return lease;
	}

	/**
	 * Put the current thread at the end.
	 * @param order the order of the block that it needs
	 * @return its place, in which the block will be found
	 */
	Waiter join(int order) {
		Waiter waiter = new Waiter(order);
		this.waiters.add(waiter);
		return waiter;
	}

	/**
	 * Leave the line.
	 * @param waiter the place
	 * @return whether it was still in the line
	 */
	boolean leave(Waiter waiter) {
		return this.waiters.remove(waiter);
	}

	/**
	 * Give what is free to those who wait.
	 * @return whom to wake once the lock is released
	 */
	List<Waiter> serve() {
		if (this.waiters.isEmpty()) {
			return List.of();
		}
		List<Waiter> served = new ArrayList<>();
		Waiter first = null;
		Iterator<Waiter> iterator = this.waiters.iterator();
		while (iterator.hasNext() && !this.memory.isExhausted()) {
			Waiter waiter = iterator.next();
			BufferLease lease = this.memory.take(waiter.order);
			if (lease != null) {
				iterator.remove();
				waiter.lease = lease;
				served.add(waiter);
				if (first != null) {
					first.overtaken++;
				}
			}
			else if (first == null) {
				first = waiter;
			}
			if (first != null && first.overtaken >= MAX_OVERTAKEN) {
				break;
			}
		}
		return served;
	}

	/**
	 * Send everybody away with nothing.
	 * @return whom to wake
	 */
	List<Waiter> clear() {
		List<Waiter> rejected = List.copyOf(this.waiters);
		this.waiters.clear();
		return rejected;
	}

	static void wake(List<Waiter> waiters) {
		waiters.forEach((waiter) -> LockSupport.unpark(waiter.thread));
	}

	/**
	 * The place of a thread in the line. Guarded by the pool's lock, except that the
	 * block is read without.
	 */
	@RequiredArgsConstructor
	static final class Waiter {

		private final Thread thread = Thread.currentThread();

		private final int order;

		private int overtaken;

		private volatile @Nullable BufferLease lease;

		@Nullable BufferLease lease() {
			return this.lease;
		}

	}

}
