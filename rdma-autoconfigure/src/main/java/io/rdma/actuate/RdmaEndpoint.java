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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rdma.actuate.RdmaDescriptor.CandidateDescriptor;
import io.rdma.actuate.RdmaDescriptor.DeviceDescriptor;
import io.rdma.actuate.RdmaDescriptor.GidDescriptor;
import io.rdma.actuate.RdmaDescriptor.PollersDescriptor;
import io.rdma.actuate.RdmaDescriptor.PortDescriptor;
import io.rdma.actuate.RdmaDescriptor.ProtectionDomainDescriptor;
import io.rdma.actuate.RdmaDescriptor.RegionDescriptor;
import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.connection.ConnectionDetails;
import io.rdma.core.connection.DeviceChoice;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.memory.MemoryPoolStatistics;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.core.memory.RdmaRegions;
import io.rdma.verbs.DeviceAttributes;
import io.rdma.verbs.DeviceCandidate;
import io.rdma.verbs.DeviceCounter;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.PortAttributes;
import lombok.RequiredArgsConstructor;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint @Endpoint} that shows what runs: device, port and GIDs, the devices
 * that were passed over, protection domain, regions, completion queues, queue pairs with
 * their counters, peers, memory pool and pollers. Shows no key and no address of memory,
 * since who has both can use the memory.
 */
@Endpoint(id = "rdma")
@RequiredArgsConstructor
public final class RdmaEndpoint {

	private final DeviceChoice choice;

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
		MemoryPoolStatistics poolStatistics = this.pool.statistics();
		List<RegionDescriptor> regionDescriptors = this.regions.all()
			.stream()
			.map((region) -> new RegionDescriptor(region.name(), region.size(), region.access()))
			.toList();
		List<ConnectionDetails> queuePairs = this.connections.connections()
			.stream()
			.map(RdmaConnection::details)
			.toList();
		ProtectionDomainDescriptor protectionDomain = new ProtectionDomainDescriptor(
				this.endpoint.protectionDomain().isOpen(), regionDescriptors.size(), poolStatistics.slabs(),
				queuePairs.size());
		return new RdmaDescriptor(this.endpoint.deviceKind(), this.connections.isRunning(), device(), port(),
				candidates(), List.of(protectionDomain), regionDescriptors, poolStatistics, this.groups.statistics(),
				PollersDescriptor.of(this.poller.statistics()), queuePairs, this.connections.peers());
	}

	private DeviceDescriptor device() {
		DeviceInfo info = this.endpoint.context().device();
		DeviceAttributes attributes = this.endpoint.context().queryDevice();
		return new DeviceDescriptor(info.name(), info.netdev(), attributes.firmwareVersion(),
				this.monitor.deviceFatal(), attributes.atomicCapability(), attributes.maxQueuePairs(),
				attributes.maxQueuePairWorkRequests(), attributes.maxCompletionQueues(),
				attributes.maxCompletionQueueEntries(), attributes.maxMemoryRegions(), attributes.maxMemoryRegionSize(),
				this.monitor.counts(), counters());
	}

	private Map<String, Long> counters() {
		Map<String, Long> values = new LinkedHashMap<>();
		for (DeviceCounter counter : this.endpoint.context().counters()) {
			String name = (counter.reason() != null) ? counter.name() + "." + counter.reason() : counter.name();
			values.put(name, counter.value().getAsLong());
		}
		return values;
	}

	private PortDescriptor port() {
		int number = this.endpoint.port();
		PortAttributes attributes = this.endpoint.context().queryPort(number);
		List<GidDescriptor> gids = this.endpoint.context()
			.queryGidTable(number)
			.stream()
			.map(RdmaEndpoint::gid)
			.toList();
		return new PortDescriptor(number, attributes.state(), attributes.linkLayer(), attributes.activeMtu().bytes(),
				attributes.maxMtu().bytes(), attributes.maxMessageSize(), attributes.lid(), this.endpoint.gid().index(),
				gids);
	}

	private List<CandidateDescriptor> candidates() {
		return this.choice.candidates().stream().map(this::candidate).toList();
	}

	private CandidateDescriptor candidate(DeviceCandidate candidate) {
		boolean chosen = candidate.equals(this.choice.chosen());
		String reason = candidate.reason();
		if (reason == null) {
			reason = chosen ? this.choice.reason() : "another that can be used comes first";
		}
		GidEntry gid = candidate.gid();
		return new CandidateDescriptor(candidate.name(), chosen, reason, candidate.port(),
				(gid != null) ? gid.index() : null);
	}

	private static GidDescriptor gid(GidEntry entry) {
		return new GidDescriptor(entry.index(), entry.gid().toString(), entry.type().label(), entry.netdev());
	}

}
