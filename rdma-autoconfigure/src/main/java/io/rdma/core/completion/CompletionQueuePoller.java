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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
import lombok.extern.slf4j.Slf4j;

import org.springframework.util.Assert;

/**
 * Polls completion queues on one or more threads and gives each completion to its queue
 * pair. Can be started and stopped any number of times; the queues stay. Thread-safe.
 * <p>
 * The threads are named {@code rdma-poller-1} and so on. Nothing that a receiver of
 * completions throws ends them.
 */
@Slf4j
public final class CompletionQueuePoller implements AutoCloseable {

	private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

	private final CompletionDispatcher dispatcher = new CompletionDispatcher();

	private final LongAdder assisted = new LongAdder();

	private final Object lifecycle = new Object();

	private final DeviceContext context;

	private final PollerMode mode;

	private final int batchSize;

	private final List<PollerLane> lanes;

	private volatile boolean running;

	private volatile boolean closed;

	/**
	 * Create a poller that is not started.
	 * @param context the device context of all its queues
	 * @param mode how its threads wait
	 * @param threads how many threads, at least 1
	 * @param batchSize how many completions one poll can bring, at least 1
	 */
	public CompletionQueuePoller(DeviceContext context, PollerMode mode, int threads, int batchSize) {
		Assert.notNull(context, "'context' must not be null");
		Assert.notNull(mode, "'mode' must not be null");
		Assert.isTrue(threads >= 1, () -> "'threads' must be at least 1, but is " + threads);
		Assert.isTrue(batchSize >= 1, () -> "'batchSize' must be at least 1, but is " + batchSize);
		this.context = context;
		this.mode = mode;
		this.batchSize = batchSize;
		this.lanes = createLanes(context, mode, threads);
	}

	private static List<PollerLane> createLanes(DeviceContext context, PollerMode mode, int threads) {
		List<PollerLane> lanes = new ArrayList<>();
		try {
			for (int i = 1; i <= threads; i++) {
				lanes.add(new PollerLane("rdma-poller-" + i, mode, context));
			}
			return List.copyOf(lanes);
		}
		catch (RuntimeException | Error ex) {
			lanes.forEach(PollerLane::close);
			throw ex;
		}
	}

	/**
	 * Return where queue pairs register for their completions.
	 * @return the dispatcher
	 */
	public CompletionDispatcher dispatcher() {
		return this.dispatcher;
	}

	DeviceContext context() {
		return this.context;
	}

	/**
	 * Start the threads. Starting twice is harmless, and starts a thread again that died.
	 * @throws IllegalStateException if the poller is closed
	 */
	public void start() {
		synchronized (this.lifecycle) {
			Assert.state(!this.closed, "The completion queue poller is closed");
			this.lanes.forEach(PollerLane::start);
			this.running = true;
		}
	}

	/**
	 * Stop the threads and wait, for 5 s at most, until they ended. Queues stay, and
	 * waiting callers can still {@link #assist()}. Stopping twice is harmless.
	 */
	public void stop() {
		synchronized (this.lifecycle) {
			this.running = false;
			this.lanes.forEach(PollerLane::requestStop);
			long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
			this.lanes.forEach((lane) -> lane.awaitStop(deadline));
		}
	}

	/**
	 * Return whether it is started.
	 * @return whether it is started
	 */
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Poll each queue that no other thread polls at the moment once, on the calling
	 * thread, and hand out what is found. For callers that wait for an operation: its
	 * completion needs no other thread then. Never waits and throws nothing.
	 * @return whether there was anything
	 */
	public boolean assist() {
		int found = 0;
		for (PollerLane lane : this.lanes) {
			for (PolledQueue queue : lane.queues()) {
				found += Math.max(0, queue.poll());
			}
		}
		return assisted(found);
	}

	private boolean assisted(int found) {
		if (found == 0) {
			return false;
		}
		this.assisted.add(found);
		return true;
	}

	/**
	 * Poll some queues as {@link #assist()} does with all.
	 * @param first a queue
	 * @param second another, or the same
	 * @return whether there was anything
	 */
	boolean assist(PolledQueue first, PolledQueue second) {
		int found = Math.max(0, first.poll());
		if (second != first) {
			found += Math.max(0, second.poll());
		}
		return assisted(found);
	}

	/**
	 * Create a queue and poll it from now on, on the thread that has the fewest.
	 * @param name the name, for statistics
	 * @param capacity how many completions it must hold at least
	 * @return the queue
	 */
	PolledQueue createQueue(String name, int capacity) {
		synchronized (this.lifecycle) {
			Assert.state(!this.closed, "The completion queue poller is closed");
			PollerLane lane = this.lanes.stream()
				.min(Comparator.comparingInt((candidate) -> candidate.queues().length))
				.orElseThrow();
			CompletionQueue queue = this.context.createCompletionQueue(capacity, lane.channelForQueues());
			PolledQueue polled = new PolledQueue(name, queue, this.context.allocateWorkCompletions(this.batchSize),
					this.dispatcher);
			lane.add(polled);
			return polled;
		}
	}

	/**
	 * Stop polling a queue and close it.
	 * @param queue the queue
	 */
	void closeQueue(PolledQueue queue) {
		for (PollerLane lane : this.lanes) {
			if (List.of(lane.queues()).contains(queue)) {
				lane.close(queue);
			}
		}
	}

	/**
	 * Return what it did. Never waits.
	 * @return the statistics
	 */
	public PollerStatistics statistics() {
		return new PollerStatistics(this.running, this.dispatcher.completions(), this.dispatcher.strays(),
				this.dispatcher.failures(), this.assisted.sum(),
				this.lanes.stream().map(PollerLane::statistics).toList());
	}

	/**
	 * Stop, and close the queues that are left. Closing twice is harmless.
	 * @throws io.rdma.verbs.VerbsException if a queue is still used by a queue pair
	 */
	@Override
	public void close() {
		stop();
		synchronized (this.lifecycle) {
			this.closed = true;
			this.lanes.forEach(PollerLane::close);
		}
	}

	@Override
	public String toString() {
		return "completion queue poller (" + this.mode + ", " + this.lanes.size() + " threads)";
	}

}
