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

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

import io.rdma.verbs.CompletionQueue;

/**
 * A connection's place in its completion queues. Thread-safe.
 */
public final class CompletionQueueLease implements AutoCloseable {

	private final CompletionQueueGroups groups;

	private final CompletionQueueGroup group;

	private final CompletionQueueDemand demand;

	private final AtomicBoolean closed = new AtomicBoolean();

	private volatile IntSupplier outstandingSends = () -> 0;

	private volatile IntSupplier outstandingReceives = () -> 0;

	CompletionQueueLease(CompletionQueueGroups groups, CompletionQueueGroup group, CompletionQueueDemand demand) {
		this.groups = groups;
		this.group = group;
		this.demand = demand;
	}

	/**
	 * Return where the connection's sends complete.
	 * @return the queue
	 */
	public CompletionQueue sendQueue() {
		return this.group.sends().queue();
	}

	/**
	 * Return where the connection's receives complete.
	 * @return the queue, which may be the same
	 */
	public CompletionQueue receiveQueue() {
		return this.group.receives().queue();
	}

	/**
	 * Return the name of the group.
	 * @return the name
	 */
	public String group() {
		return this.group.name();
	}

	CompletionQueueDemand demand() {
		return this.demand;
	}

	/**
	 * Set how to find out what the connection has outstanding. Asked for statistics only,
	 * from any thread; must not wait.
	 * @param sends gives the number of sends that can still complete
	 * @param receives gives the number of receives that can still complete
	 */
	public void outstanding(IntSupplier sends, IntSupplier receives) {
		this.outstandingSends = sends;
		this.outstandingReceives = receives;
	}

	int outstanding(CompletionQueueKind kind) {
		return switch (kind) {
			case SEND -> this.outstandingSends.getAsInt();
			case RECEIVE -> this.outstandingReceives.getAsInt();
			case SHARED -> this.outstandingSends.getAsInt() + this.outstandingReceives.getAsInt();
		};
	}

	/**
	 * Poll the queues of this connection as {@link CompletionQueuePoller#assist()} polls
	 * all.
	 * @return whether there was anything
	 */
	public boolean assist() {
		return this.groups.poller().assist(this.group.sends(), this.group.receives());
	}

	/**
	 * Give the place back, after the queue pair was destroyed. What it left in the queues
	 * is taken out first, since it would take up the place of the next connection.
	 * Closing twice is harmless.
	 * @throws IllegalStateException if it is called inside a completion callback, or if
	 * another thread holds the queues up; it can be tried again then
	 */
	@Override
	public void close() {
		if (RdmaThreads.isInCompletion()) {
			throw new IllegalStateException("A place in completion queues cannot be given back inside a completion "
					+ "callback; do it on another thread");
		}
		if (this.closed.compareAndSet(false, true)) {
			try {
				this.group.drain();
			}
			catch (RuntimeException ex) {
				// The place may still be taken up
				this.closed.set(false);
				throw ex;
			}
			this.groups.release(this, this.group);
		}
	}

}
