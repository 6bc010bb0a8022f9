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

import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.DeviceContext;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * The queues that one thread polls, the channel that wakes it, and the thread itself,
 * which can be stopped and started while the queues stay. Thread-safe.
 */
final class PollerLane implements AutoCloseable {

	private static final PolledQueue[] NO_QUEUES = new PolledQueue[0];

	private static final Duration COMMAND_LIMIT = Duration.ofSeconds(10);

	private static final long COMMAND_CHECK_MILLIS = 100;

	private final String name;

	private final PollerMode mode;

	private final CompletionChannel channel;

	private final Queue<FutureTask<?>> commands = new ConcurrentLinkedQueue<>();

	private final Object modification = new Object();

	/**
	 * Held while the thread is started, and while something is done that it must not see.
	 */
	private final Object starting = new Object();

	private volatile PolledQueue[] queues = NO_QUEUES;

	private volatile @Nullable PollerThread thread;

	private final PollerCounters counters = new PollerCounters();

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

	PollerMode mode() {
		return this.mode;
	}

	CompletionChannel channel() {
		return this.channel;
	}

	PollerCounters counters() {
		return this.counters;
	}

	PolledQueue[] queues() {
		return this.queues;
	}

	/**
	 * Do what others asked this lane's thread to do.
	 */
	void runCommands() {
		FutureTask<?> command = this.commands.poll();
		while (command != null) {
			command.run();
			command = this.commands.poll();
		}
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
		PollerThread current = this.thread;
		if (current != null && current.isCurrentThread()) {
			command.run();
			return;
		}
		synchronized (this.starting) {
			current = this.thread;
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
			PollerThread current = this.thread;
			if (current == null || !current.isActive() || !current.isAlive()) {
				PollerThread next = new PollerThread(this, this.name);
				this.thread = next;
				next.start();
			}
		}
	}

	/**
	 * Ask the thread to end, if there is one.
	 */
	void requestStop() {
		PollerThread current = this.thread;
		if (current != null) {
			current.requestStop();
			this.channel.wakeup();
		}
	}

	/**
	 * Wait until the thread that was asked to end has ended.
	 * @param deadline the time to give up at, in terms of {@link System#nanoTime()}
	 */
	void awaitStop(long deadline) {
		PollerThread current = this.thread;
		if (current != null && !current.isCurrentThread()) {
			current.awaitEnd(deadline);
		}
	}

	PollerThreadStatistics statistics() {
		PollerThread current = this.thread;
		return this.counters.statistics(this.name, current != null && current.isAlive(), this.queues);
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

}
