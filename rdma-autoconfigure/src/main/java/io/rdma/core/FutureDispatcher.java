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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.rdma.core.completion.RdmaThread;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Brings what depends on futures to the application executor. If that refuses, or has not
 * come to it within a second since all its threads are busy (perhaps waiting for this
 * very future by way of another one), a spare thread does it: nothing hangs for ever.
 */
@Slf4j
final class FutureDispatcher {

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final Duration CHECK_INTERVAL = Duration.ofMillis(250);

	private final Queue<Delivery> undelivered = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean watching = new AtomicBoolean();

	private final AtomicBoolean warned = new AtomicBoolean();

	private final Executor executor;

	private final ScheduledExecutorService timer;

	private final ThreadPoolExecutor spare;

	FutureDispatcher(Executor executor, ScheduledExecutorService timer) {
		this.executor = executor;
		this.timer = timer;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("rdma-future-");
		threads.setDaemon(true);
		// never shut down: its threads end by themselves, and late futures must end too
		this.spare = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(),
				threads);
	}

	/**
	 * Return the application executor.
	 * @return the executor
	 */
	Executor executor() {
		return this.executor;
	}

	/**
	 * Run a task on the application executor, soon and in any case. Never waits, and
	 * never runs the task on a thread of this library.
	 * @param task the task
	 */
	void dispatch(Runnable task) {
		Delivery delivery = new Delivery(task);
		try {
			this.executor.execute(delivery);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application executor refused a task", ex);
			this.spare.execute(delivery);
			return;
		}
		if (delivery.get() != null) {
			this.undelivered.add(delivery);
			watch();
		}
	}

	private void watch() {
		if (this.watching.compareAndSet(false, true)) {
			try {
				ScheduledFuture<?> unused = this.timer.schedule(this::check, CHECK_INTERVAL.toMillis(),
						TimeUnit.MILLISECONDS);
			}
			catch (RejectedExecutionException ex) {
				// the template is closed: no timer, so no patience either
				this.watching.set(false);
				drain(0);
			}
		}
	}

	private void check() {
		drain(PATIENCE.toNanos());
		this.watching.set(false);
		if (!this.undelivered.isEmpty()) {
			watch();
		}
	}

	private void drain(long patience) {
		long now = System.nanoTime();
		Delivery next = this.undelivered.peek();
		while (next != null && (next.get() == null || now - next.since >= patience)) {
			// only one thread drains at a time unless the timer is shut down
			if (this.undelivered.remove(next) && next.get() != null) {
				if (patience > 0 && this.warned.compareAndSet(false, true)) {
					logger.warn(
							"The application executor did not come to the completion of an RDMA operation within "
									+ "{} ms, so a spare thread did it. Give the executor more threads "
									+ "(spring.task.execution.pool.core-size) or do not wait on its threads",
							PATIENCE.toMillis());
				}
				this.spare.execute(next);
			}
			next = this.undelivered.peek();
		}
	}

	/**
	 * A task that is run once, by whoever comes first.
	 */
	private final class Delivery extends AtomicReference<@Nullable Runnable> implements Runnable {

		private final transient long since = System.nanoTime();

		private Delivery(Runnable task) {
			super(task);
		}

		@Override
		public void run() {
			if (Thread.currentThread() instanceof RdmaThread) {
				FutureDispatcher.this.spare.execute(this);
				return;
			}
			Runnable task = getAndSet(null);
			if (task != null) {
				task.run();
			}
		}

	}

}
