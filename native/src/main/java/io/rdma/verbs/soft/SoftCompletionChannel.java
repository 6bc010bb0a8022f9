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

import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsResource;
import org.jspecify.annotations.Nullable;

/**
 * A completion channel: a queue of events, each the completion queue that it tells of.
 */
final class SoftCompletionChannel extends VerbsResource implements CompletionChannel {

	private final SoftDeviceContext context;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Deque<SoftCompletionQueue> events = new ArrayDeque<>();

	private boolean woken;

	SoftCompletionChannel(SoftDeviceContext context) {
		super(context);
		this.context = context;
	}

	SoftDeviceContext context() {
		return this.context;
	}

	void tell(SoftCompletionQueue queue) {
		this.lock.lock();
		try {
			this.events.add(queue);
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public @Nullable CompletionQueue await(Duration timeout) throws InterruptedException {
		long remaining = AsyncEvents.nanos(timeout);
		this.lock.lockInterruptibly();
		try {
			while (true) {
				if (!isOpen()) {
					throw new ResourceClosedException(describe());
				}
				SoftCompletionQueue queue = this.events.poll();
				if (queue != null) {
					queue.handedOut();
					return queue;
				}
				if (this.woken || remaining <= 0) {
					this.woken = false;
					return null;
				}
				remaining = this.changed.awaitNanos(remaining);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void wakeup() {
		this.lock.lock();
		try {
			this.woken = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Forget the events of a completion queue that is gone.
	 * @param queue the completion queue
	 */
	void forget(SoftCompletionQueue queue) {
		this.lock.lock();
		try {
			this.events.removeIf((event) -> event == queue);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	protected String describe() {
		return "completion channel";
	}

	@Override
	protected String destroyVerb() {
		return "ibv_destroy_comp_channel";
	}

	@Override
	protected void destroy() {
		this.lock.lock();
		try {
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

}
