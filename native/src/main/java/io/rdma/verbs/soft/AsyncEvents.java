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

package io.rdma.verbs.soft;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.verbs.AsyncEvent;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous events of a device context that nobody has taken yet. If nobody takes
 * any, the latest are lost, which is logged once. Thread-safe.
 */
@Slf4j
final class AsyncEvents {

	private static final int CAPACITY = 65_536;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Deque<AsyncEvent> events = new ArrayDeque<>();

	private boolean closed;

	private boolean losing;

	void raise(AsyncEvent event) {
		this.lock.lock();
		try {
			if (this.events.size() == CAPACITY) {
				if (!this.losing) {
					this.losing = true;
					logger.warn("Asynchronous events are lost from now on: {} were raised and not taken", CAPACITY);
				}
				return;
			}
			this.events.add(event);
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Nullable AsyncEvent await(long nanos) throws InterruptedException {
		long remaining = nanos;
		this.lock.lockInterruptibly();
		try {
			while (this.events.isEmpty() && !this.closed && remaining > 0) {
				remaining = this.changed.awaitNanos(remaining);
			}
			AsyncEvent event = this.events.poll();
			this.losing = this.losing && event == null;
			return event;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Forget the events of a resource that is gone.
	 * @param resource the resource
	 */
	void forget(Object resource) {
		this.lock.lock();
		try {
			this.events.removeIf((event) -> event.resource() == resource);
		}
		finally {
			this.lock.unlock();
		}
	}

	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.events.clear();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return a time to wait in nanoseconds.
	 * @param timeout the time
	 * @return the number, the largest there is if the time is longer than 292 years
	 */
	static long nanos(Duration timeout) {
		try {
			return timeout.toNanos();
		}
		catch (ArithmeticException ex) {
			return timeout.isNegative() ? 0 : Long.MAX_VALUE;
		}
	}

}
