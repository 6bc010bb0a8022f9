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

import java.util.List;

/**
 * Decides which connections share which completion queues, and makes each queue so deep that
 * it cannot overrun. Thread-safe.
 */
public final class CompletionQueueGroups implements AutoCloseable {

	/**
	 * Create groups. Queues are made when a connection needs them.
	 * @param poller polls all queues
	 * @param layout which connections share queues
	 * @param connectionsPerGroup how many connections share a group at most
	 * ({@code rdma.completion-queue.connections-per-group})
	 * @param maxGroups how many groups there can be
	 * ({@code rdma.completion-queue.max-groups})
	 */
	public CompletionQueueGroups(CompletionQueuePoller poller, CompletionQueueLayout layout, int connectionsPerGroup,
			int maxGroups) {
	}

	/**
	 * Find room for a connection, in a group that exists or in a new one.
	 * @param demand what it needs
	 * @return its place, to be closed when its queue pair is destroyed
	 * @throws io.rdma.core.exception.RdmaConfigurationException if no group has room and
	 * there can be no more, or if the demand exceeds what the device can do
	 */
	public CompletionQueueLease assign(CompletionQueueDemand demand) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return how full the queues are. Never waits.
	 * @return the statistics of each queue
	 */
	public List<QueueStatistics> statistics() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Close all queues. All connections must be closed.
	 */
	@Override
	public void close() {
	}

}
