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


package io.rdma.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.completion.PollerStatistics;
import io.rdma.core.completion.PollerThreadStatistics;
import io.rdma.core.completion.QueueStatistics;
import io.rdma.core.connection.ConnectionDetails;
import io.rdma.core.connection.ConnectionState;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.PeerStatus;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.memory.LocalRegion;
import io.rdma.core.memory.MemoryPoolStatistics;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.core.memory.RdmaRegions;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.AtomicCapability;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.DeviceAttributes;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.LinkLayer;
import io.rdma.verbs.PortAttributes;
import io.rdma.verbs.PortState;
import io.rdma.verbs.QueuePairState;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint @Endpoint} that shows what runs: device, port and GIDs, protection domain,
 * regions, completion queues, queue pairs with their counters, peers, memory pool and
 * pollers. Shows no key and no address of memory, since who has both can use the memory.
 */
@Endpoint(id = "rdma")
@RequiredArgsConstructor
public class RdmaEndpoint {

	private final LocalEndpoint endpoint;

	private final DeviceEventMonitor monitor;

	private final RdmaMemoryPool pool;

	private final RdmaRegions regions;

	private final CompletionQueuePoller poller;

	private final CompletionQueueGroups groups;

	private final RdmaConnections connections;

	/**
	 * Return what runs.
	 * @return the description
	 */
	@ReadOperation
	public RdmaDescriptor rdma() {
		return new RdmaDescriptor(this.endpoint.deviceKind(), device(), port(), protectionDomain(),
				this.regions.all().stream().map(RegionDescriptor::of).toList(),
				MemoryPoolDescriptor.of(this.pool.statistics()), this.groups.statistics(), PollerDescriptor.of(this.poller.statistics()),
				this.connections.connections().stream().map(RdmaConnection::details).toList(),
				this.connections.peers());
	}

}
