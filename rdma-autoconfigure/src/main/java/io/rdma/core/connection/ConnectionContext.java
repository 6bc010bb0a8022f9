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

import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.memory.RdmaMemoryPool;

/**
 * What all connections of a service share.
 *
 * @param endpoint the device and where on it
 * @param settings the settings
 * @param pool where receive buffers come from
 * @param poller polls the completion queues
 * @param groups assigns completion queues
 * @param metrics takes the measures of operations
 * @param memory what connections tell each other through
 * @param owner is told what happens
 */
record ConnectionContext(LocalEndpoint endpoint, ConnectionSettings settings, RdmaMemoryPool pool,
		CompletionQueuePoller poller, CompletionQueueGroups groups, OperationMetrics metrics, ControlMemory memory,
		ConnectionOwner owner) {
}
