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
