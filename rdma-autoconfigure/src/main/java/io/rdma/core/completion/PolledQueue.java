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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.WorkCompletions;
import lombok.extern.slf4j.Slf4j;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * A completion queue with the room for one batch of its completions, which one thread at
 * a time uses. Thread-safe.
 */
@Slf4j
final class PolledQueue {

	/** What {@link #poll()} returns if another thread is at it. */
	static final int BUSY = -1;

	private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);

	private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

	private final String name;

	private final CompletionQueue queue;

	private final WorkCompletions batch;

	private final CompletionDispatcher dispatcher;

	private final AtomicBoolean busy = new AtomicBoolean();

	private final LongAdder failures = new LongAdder();

	private final ReportLimiter failureReports = new ReportLimiter(REPORT_INTERVAL);

	/** How many completions were found since the queue was last empty. */
	private int found;

	private volatile int depth;

	private volatile int highWater;

	private volatile boolean closed;

	PolledQueue(String name, CompletionQueue queue, WorkCompletions batch, CompletionDispatcher dispatcher) {
		this.name = name;
		this.queue = queue;
		this.batch = batch;
		this.dispatcher = dispatcher;
	}

	String name() {
		return this.name;
	}

	CompletionQueue queue() {
		return this.queue;
	}

	/**
	 * Return how many completions the last poll that emptied the queue found.
	 * @return the number
	 */
	int depth() {
		return this.depth;
	}

	int highWater() {
		return this.highWater;
	}

	long failures() {
		return this.failures.sum();
	}

	/**
	 * Poll once and hand out what is found. Throws nothing.
	 * @return how many completions there were, {@link #BUSY} if another thread is at it
	 */
	int poll() {
		if (this.closed) {
			return 0;
		}
		if (this.busy.get() || !this.busy.compareAndSet(false, true)) {
			return BUSY;
		}
		try {
			// Closing takes the flag too
			return this.closed ? 0 : pollAndDispatch();
		}
		catch (Throwable ex) {
			failed("polled", ex);
			return 0;
		}
		finally {
			this.busy.set(false);
		}
	}

	private int pollAndDispatch() {
		int count = this.queue.poll(this.batch);
		if (count > 0) {
			boolean entered = RdmaThreads.enterCompletion();
			try {
				this.dispatcher.dispatch(this.batch);
			}
			finally {
				if (entered) {
					RdmaThreads.exitCompletion();
				}
			}
		}
		account(count);
		return count;
	}

	private void account(int count) {
		this.found += count;
		if (this.found > this.highWater) {
			this.highWater = this.found;
		}
		if (count < this.batch.capacity()) {
			if (this.depth != this.found) {
				this.depth = this.found;
			}
			this.found = 0;
		}
	}

	/**
	 * Ask for an event when the next completion arrives. Throws nothing, so that a queue
	 * that cannot be armed does not hold up others.
	 */
	void arm() {
		try {
			this.queue.arm();
		}
		catch (Throwable ex) {
			failed("armed", ex);
		}
	}

	private void failed(String what, Throwable cause) {
		this.failures.increment();
		long suppressed = this.failureReports.permit();
		if (suppressed >= 0) {
			Reports.quietly(() -> logger.error("Completion queue {} cannot be {}; {} more since the last report",
					this.name, what, suppressed, cause));
		}
	}

	/**
	 * Poll until the queue was seen empty.
	 * @throws IllegalStateException if it never was, within a time limit
	 */
	void drain() {
		long deadline = System.nanoTime() + CLOSE_LIMIT.toNanos();
		IdleStrategy idle = new BackoffIdleStrategy();
		int count = BUSY;
		while (!this.closed && (count == BUSY || count == this.batch.capacity())) {
			count = poll();
			if (count == BUSY) {
				checkDeadline(deadline, "emptied");
				idle.idle();
			}
		}
	}

	/**
	 * Close the queue, if need be after waiting for the thread that polls it.
	 */
	void close() {
		if (RdmaThreads.isInCompletion()) {
			throw new IllegalStateException("Completion queue " + this.name
					+ " cannot be closed inside a completion callback; close it on another thread");
		}
		long deadline = System.nanoTime() + CLOSE_LIMIT.toNanos();
		IdleStrategy idle = new BackoffIdleStrategy();
		while (!this.busy.compareAndSet(false, true)) {
			checkDeadline(deadline, "closed");
			idle.idle();
		}
		try {
			this.queue.close();
			this.closed = true;
		}
		finally {
			this.busy.set(false);
		}
	}

	private void checkDeadline(long deadline, String what) {
		if (System.nanoTime() - deadline > 0) {
			throw new IllegalStateException("Completion queue " + this.name + " cannot be " + what
					+ ": another thread has been handing out its completions for " + CLOSE_LIMIT.toSeconds() + " s");
		}
	}

	@Override
	public String toString() {
		return "completion queue " + this.name;
	}

}
