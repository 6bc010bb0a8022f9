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

import io.rdma.verbs.DeviceContext;

/**
 * Polls completion queues on one or more threads and gives each completion to its queue
 * pair. Can be started and stopped any number of times; the queues stay. Thread-safe.
 */
public final class CompletionQueuePoller implements AutoCloseable {

	private final CompletionDispatcher dispatcher = new CompletionDispatcher();

	/**
	 * Create a poller that is not started.
	 * @param context the device context of all its queues
	 * @param mode how its threads wait
	 * @param threads how many threads, at least 1
	 * @param batchSize how many completions one poll can bring, at least 1
	 */
	public CompletionQueuePoller(DeviceContext context, PollerMode mode, int threads, int batchSize) {
	}

	/**
	 * Return where queue pairs register for their completions.
	 * @return the dispatcher
	 */
	public CompletionDispatcher dispatcher() {
		return this.dispatcher;
	}

	/**
	 * Start the threads. Starting twice is harmless.
	 */
	public void start() {
	}

	/**
	 * Stop the threads and wait, for a bounded time, until they ended. Stopping twice is
	 * harmless.
	 */
	public void stop() {
	}

	/**
	 * Return whether it is started.
	 * @return whether it is started
	 */
	public boolean isRunning() {
		return false;
	}

	/**
	 * Poll each queue that no other thread polls at the moment once, on the calling thread,
	 * and hand out what is found. For callers that wait for an operation: its completion
	 * needs no other thread then. Never waits.
	 * @return whether there was anything
	 */
	public boolean assist() {
		return false;
	}

	/**
	 * Return what it did.
	 * @return the statistics
	 */
	public PollerStatistics statistics() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Stop and close the queues that are left.
	 */
	@Override
	public void close() {
	}

}
