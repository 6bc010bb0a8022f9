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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * The queues that one thread polls, the channel that wakes it, and the thread itself, which
 * can be stopped and started while the queues stay. Thread-safe.
 */
@Slf4j
final class PollerLane implements AutoCloseable {

	private static final PolledQueue[] NO_QUEUES = new PolledQueue[0];

	private static final Duration WAIT = Duration.ofSeconds(1);

	private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);

	private static final Duration COMMAND_LIMIT = Duration.ofSeconds(10);

	private static final long COMMAND_CHECK_MILLIS = 100;

	private static final long FIRST_BACK_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int MAX_BACK_OFF_SHIFT = 7;

	private final String name;

	private final PollerMode mode;

	private final CompletionChannel channel;

	private final Queue<FutureTask<?>> commands = new ConcurrentLinkedQueue<>();

	private final Object modification = new Object();

	/** Held while the thread is started, and while something is done that it must not see. */
	private final Object starting = new Object();

	private volatile PolledQueue[] queues = NO_QUEUES;

	private volatile @Nullable Run run;

	private final AtomicLong polls = new AtomicLong();

	private final AtomicLong completions = new AtomicLong();

	private final AtomicLong waits = new AtomicLong();

	private final AtomicLong failures = new AtomicLong();

	private final ReportLimiter failureReports = new ReportLimiter(REPORT_INTERVAL);

	PollerLane(String name, PollerMode mode, DeviceContext context) {
		this.name = name;
		this.mode = mode;
		this.channel = context.createCompletionChannel();
	}

	/**
	 * Return the channel for new queues.
	 * @return the channel, {@code null} if queues need none
	 */
	@Nullable CompletionChannel channelForQueues() {
		return (this.mode != PollerMode.BUSY) ? this.channel : null;
	}

	PolledQueue[] queues() {
		return this.queues;
	}

	void add(PolledQueue queue) {
		synchronized (this.modification) {
			this.queues = ObjectUtils.addObjectToArray(this.queues, queue);
		}
		this.channel.wakeup();
	}

	/**
	 * Stop polling a queue and close it. That is done between two rounds of the thread,
	 * when none of the queue's events is on its way.
	 * @param queue the queue
	 */
	void close(PolledQueue queue) {
		FutureTask<?> command = new FutureTask<>(() -> {
			queue.close();
			remove(queue);
		}, null);
		execute(command);
	}

	private void remove(PolledQueue queue) {
		synchronized (this.modification) {
			PolledQueue[] before = this.queues;
			PolledQueue[] after = NO_QUEUES;
			for (PolledQueue other : before) {
				if (other != queue) {
					after = ObjectUtils.addObjectToArray(after, other);
				}
			}
			this.queues = after;
		}
	}

	private void execute(FutureTask<?> command) {
		this.commands.add(command);
		long deadline = System.nanoTime() + COMMAND_LIMIT.toNanos();
		boolean interrupted = false;
		try {
			while (true) {
				runUnlessThreadCan(command);
				try {
					command.get(COMMAND_CHECK_MILLIS, TimeUnit.MILLISECONDS);
					return;
				}
				catch (TimeoutException ex) {
					// The thread may have ended: look again
					checkDeadline(deadline, command);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		catch (ExecutionException ex) {
			throw rethrow(ex.getCause());
		}
		finally {
			this.commands.remove(command);
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void runUnlessThreadCan(FutureTask<?> command) {
		Run current = this.run;
		if (current != null && current.isCurrentThread()) {
			command.run();
			return;
		}
		synchronized (this.starting) {
			current = this.run;
			if (current == null || !current.isAlive()) {
				command.run();
			}
			else {
				this.channel.wakeup();
			}
		}
	}

	private void checkDeadline(long deadline, FutureTask<?> command) {
		if (System.nanoTime() - deadline > 0 && command.cancel(false)) {
			throw new IllegalStateException("Thread '" + this.name + "' did not close a completion queue within "
					+ COMMAND_LIMIT.toSeconds() + " s: it is held up by the receiver of a completion");
		}
	}

	private static RuntimeException rethrow(@Nullable Throwable cause) {
		if (cause instanceof Error error) {
			throw error;
		}
		throw (cause instanceof RuntimeException failure) ? failure : new IllegalStateException(cause);
	}

	/**
	 * Start the thread unless it runs.
	 */
	void start() {
		synchronized (this.starting) {
			Run current = this.run;
			if (current == null || !current.active || !current.isAlive()) {
				Run next = new Run();
				this.run = next;
				next.start();
			}
		}
	}

	/**
	 * Ask the thread to end, if there is one.
	 */
	void requestStop() {
		Run current = this.run;
		if (current != null) {
			current.active = false;
			this.channel.wakeup();
		}
	}

	/**
	 * Wait until the thread that was asked to end has ended.
	 * @param deadline the time to give up at, in terms of {@link System#nanoTime()}
	 */
	void awaitStop(long deadline) {
		Run current = this.run;
		if (current != null && !current.isCurrentThread()) {
			current.join(deadline);
		}
	}

	PollerThreadStatistics statistics() {
		Run current = this.run;
		long queueFailures = 0;
		PolledQueue[] snapshot = this.queues;
		for (PolledQueue queue : snapshot) {
			queueFailures += queue.failures();
		}
		return new PollerThreadStatistics(this.name, current != null && current.isAlive(), snapshot.length,
				this.polls.get(), this.completions.get(), this.waits.get(), this.failures.get() + queueFailures);
	}

	/**
	 * Close the queues that are left, and the channel. The thread must be stopped.
	 */
	@Override
	public void close() {
		for (PolledQueue queue : this.queues) {
			close(queue);
		}
		this.channel.close();
	}

	/**
	 * One life of the thread.
	 */
	private final class Run implements Runnable {

		private final RdmaThread thread;

		private final IdleTime idleTime = new IdleTime();

		private volatile boolean active = true;

		private int consecutiveFailures;

		Run() {
			this.thread = new RdmaThread(this, PollerLane.this.name);
		}

		void start() {
			this.thread.start();
		}

		boolean isAlive() {
			return this.thread.isAlive();
		}

		boolean isCurrentThread() {
			return this.thread == Thread.currentThread();
		}

		void join(long deadline) {
			long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
			try {
				this.thread.join(millis);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			if (isAlive()) {
				StackTraceElement[] stack = this.thread.getStackTrace();
				logger.warn("Thread '{}' was asked to end and has not yet: it is at {}", this.thread.getName(),
						(stack.length > 0) ? stack[0] : "its end");
			}
		}

		@Override
		public void run() {
			while (this.active) {
				try {
					round();
					this.consecutiveFailures = 0;
				}
				catch (Throwable ex) {
					survive(ex);
				}
			}
		}

		private void survive(Throwable cause) {
			increment(PollerLane.this.failures, 1);
			Reports.quietly(() -> report(cause));
			if (this.active) {
				int shift = Math.min(this.consecutiveFailures++, MAX_BACK_OFF_SHIFT);
				LockSupport.parkNanos(FIRST_BACK_OFF_NANOS << shift);
			}
		}

		private void report(Throwable cause) {
			long suppressed = PollerLane.this.failureReports.permit();
			if (suppressed >= 0) {
				logger.error("Thread '{}' goes on after a failure; {} more since the last report",
						this.thread.getName(), suppressed, cause);
			}
		}

		private void round() throws InterruptedException {
			runCommands();
			PolledQueue[] current = PollerLane.this.queues;
			if (poll(current)) {
				this.idleTime.reset();
			}
			else if (current.length > 0 && PollerLane.this.mode == PollerMode.BUSY) {
				IdleTime.pause();
			}
			else if (current.length == 0 || PollerLane.this.mode == PollerMode.EVENT || !this.idleTime.spend()) {
				awaitEvent(current);
			}
		}

		private void runCommands() {
			FutureTask<?> command = PollerLane.this.commands.poll();
			while (command != null) {
				command.run();
				command = PollerLane.this.commands.poll();
			}
		}

		/**
		 * Poll each queue once.
		 * @return whether there may be more: something was found, or another thread is at it
		 */
		private boolean poll(PolledQueue[] current) {
			boolean more = false;
			for (PolledQueue queue : current) {
				int count = queue.poll();
				if (count > 0) {
					increment(PollerLane.this.completions, count);
				}
				more |= (count != 0);
			}
			increment(PollerLane.this.polls, current.length);
			return more;
		}

		private void awaitEvent(PolledQueue[] current) throws InterruptedException {
			if (PollerLane.this.mode != PollerMode.BUSY) {
				for (PolledQueue queue : current) {
					queue.queue().arm();
				}
				// What came before the arming brings no event
				if (poll(current)) {
					return;
				}
			}
			increment(PollerLane.this.waits, 1);
			CompletionQueue told = PollerLane.this.channel.await(WAIT);
			if (told != null) {
				told.acknowledge(1);
			}
		}

		private void increment(AtomicLong counter, long by) {
			// Only this thread writes
			counter.lazySet(counter.getPlain() + by);
		}

	}

}
