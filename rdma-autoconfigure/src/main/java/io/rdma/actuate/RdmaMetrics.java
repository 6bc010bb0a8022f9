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

import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.completion.PollerStatistics;
import io.rdma.core.completion.QueueStatistics;
import io.rdma.core.connection.ConnectionListener;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.PeerStatus;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.memory.MemoryPoolStatistics;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.verbs.DeviceContext;

/**
 * {@link MeterBinder} for what runs: device, queue pairs, completion queues, connections
 * and the memory pool. Nothing is counted for it: meters read what the parts count for
 * themselves. Meters of peers and of completion queues come and go with them.
 * Thread-safe.
 */
public final class RdmaMetrics implements MeterBinder, AutoCloseable {

	private static final int OTHER_PEERS = 100;

	private static final int GROUPS = 64;

	private final RdmaConnections connections;

	private final Sources sources;

	private final BoundedNames peerNames;

	private final BoundedNames groupNames = new BoundedNames(List.of(), GROUPS);

	private final Queue<RdmaMeterBinding> bindings = new ConcurrentLinkedQueue<>();

	private final ConnectionListener listener = (event) -> refresh();

	/**
	 * Create metrics.
	 * @param endpoint the device
	 * @param connections the connections
	 * @param poller polls the completion queues
	 * @param groups the completion queues
	 * @param pool the memory pool
	 * @param monitor what is known of the device
	 * @param peers the names of the peers that are configured
	 */
	public RdmaMetrics(LocalEndpoint endpoint, RdmaConnections connections, CompletionQueuePoller poller,
			CompletionQueueGroups groups, RdmaMemoryPool pool, DeviceEventMonitor monitor, Collection<String> peers) {
		this.connections = connections;
		this.sources = new Sources(new Recent<>(connections::peers), new Recent<>(connections::connections),
				new Recent<>(groups::statistics), new Recent<>(poller::statistics), new Recent<>(pool::statistics),
				monitor, endpoint.context());
		this.peerNames = new BoundedNames(peers, OTHER_PEERS);
		connections.addListener(this.listener);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		RdmaMeterBinding binding = new RdmaMeterBinding(registry, this.sources, this.peerNames, this.groupNames);
		binding.bind();
		this.bindings.add(binding);
	}

	private void refresh() {
		this.sources.clear();
		this.bindings.forEach(RdmaMeterBinding::refresh);
	}

	/**
	 * Remove the meters.
	 */
	@Override
	public void close() {
		this.connections.removeListener(this.listener);
		for (RdmaMeterBinding binding = this.bindings.poll(); binding != null; binding = this.bindings.poll()) {
			binding.close();
		}
	}

	/**
	 * What meters read.
	 */
	record Sources(Recent<List<PeerStatus>> peers, Recent<List<RdmaConnection>> connections,
			Recent<List<QueueStatistics>> queues, Recent<PollerStatistics> poller, Recent<MemoryPoolStatistics> pool,
			DeviceEventMonitor monitor, DeviceContext device) {

		void clear() {
			this.peers.clear();
			this.connections.clear();
			this.queues.clear();
		}

	}

}
