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

package io.rdma.core.connection;

import java.util.List;
import java.util.concurrent.Executor;

import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.core.memory.RdmaRegions;
import org.jspecify.annotations.Nullable;

/**
 * What {@link RdmaConnections} was told when it was built.
 *
 * @param endpoint the device and where on it
 * @param pool where receive buffers come from
 * @param poller polls the completion queues
 * @param groups assigns completion queues
 * @param applicationExecutor runs listeners
 * @param name our own name
 * @param settings the settings
 * @param peers the peers
 * @param regions the regions that peers may use
 * @param metrics takes the measures of operations
 * @param monitor is told of events of the device
 * @param trust decides about peers
 */
record ConnectionsConfiguration(LocalEndpoint endpoint, RdmaMemoryPool pool, CompletionQueuePoller poller,
		CompletionQueueGroups groups, Executor applicationExecutor, String name, ConnectionSettings settings,
		List<PeerDefinition> peers, @Nullable RdmaRegions regions, OperationMetrics metrics,
		@Nullable DeviceEventMonitor monitor, PeerTrust trust) {
}
