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

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.completion.PollerStatistics;
import io.rdma.core.completion.QueueStatistics;
import io.rdma.core.connection.DeviceChoice;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.PeerStatus;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.memory.MemoryPoolStatistics;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.verbs.PortState;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * {@link HealthIndicator} for RDMA: whether this service's own side works.
 * <ul>
 * <li>DOWN: the device failed, the port is down, a completion queue overran, or a thread
 * that polls is dead.</li>
 * <li>OUT_OF_SERVICE: connections are being drained or are stopped.</li>
 * <li>UP: otherwise, whatever the peers do. They are among the details.</li>
 * </ul>
 * That a required peer is missing shows in {@link RdmaPeersHealthIndicator}, which is in
 * the readiness group only: restarting this service would not bring the peer back. Reads
 * what is known already and asks neither device nor peer, so it never waits. Shows no key
 * and no address.
 */
public final class RdmaHealthIndicator extends AbstractHealthIndicator {

	private final DeviceChoice choice;

	private final LocalEndpoint endpoint;

	private final DeviceEventMonitor monitor;

	private final CompletionQueuePoller poller;

	private final CompletionQueueGroups groups;

	private final RdmaConnections connections;

	private final RdmaMemoryPool pool;

	private final Duration startupGrace;

	private final Clock clock;

	/**
	 * Create an indicator.
	 * @param choice which device was chosen
	 * @param endpoint the device and where on it
	 * @param monitor what is known of the device's health
	 * @param poller polls the completion queues
	 * @param groups the completion queues
	 * @param connections the connections
	 * @param pool the memory pool
	 * @param startupGrace how long after start a required peer need not be connected yet
	 */
	public RdmaHealthIndicator(DeviceChoice choice, LocalEndpoint endpoint, DeviceEventMonitor monitor,
			CompletionQueuePoller poller, CompletionQueueGroups groups, RdmaConnections connections,
			RdmaMemoryPool pool, Duration startupGrace) {
		this(choice, endpoint, monitor, poller, groups, connections, pool, startupGrace, Clock.systemUTC());
	}

	RdmaHealthIndicator(DeviceChoice choice, LocalEndpoint endpoint, DeviceEventMonitor monitor,
			CompletionQueuePoller poller, CompletionQueueGroups groups, RdmaConnections connections,
			RdmaMemoryPool pool, Duration startupGrace, Clock clock) {
		super("RDMA health check failed");
		this.choice = choice;
		this.endpoint = endpoint;
		this.monitor = monitor;
		this.poller = poller;
		this.groups = groups;
		this.connections = connections;
		this.pool = pool;
		this.startupGrace = startupGrace;
		this.clock = clock;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		PollerStatistics pollerStatistics = this.poller.statistics();
		PortState portState = this.monitor.portState();
		String problem = problem(portState, pollerStatistics);
		if (problem != null) {
			builder.down().withDetail("reason", problem);
		}
		else if (this.connections.isDraining()) {
			builder.outOfService().withDetail("reason", "connections are being drained");
		}
		else if (!this.connections.isRunning()) {
			builder.outOfService().withDetail("reason", "connections are stopped");
		}
		else {
			builder.up();
		}
		builder.withDetail("provider", this.endpoint.deviceKind());
		builder.withDetail("device", this.endpoint.context().device().name());
		if (this.choice.fallback() != null) {
			builder.withDetail("fallback", this.choice.fallback());
		}
		builder.withDetail("port", port(portState));
		builder.withDetail("peers", peers());
		builder.withDetail("completionQueues", completionQueues(this.groups.statistics()));
		builder.withDetail("memoryPool", memoryPool(this.pool.statistics()));
		builder.withDetail("pollerThreads", pollerThreads(pollerStatistics));
	}

	private @Nullable String problem(PortState portState, PollerStatistics pollerStatistics) {
		if (this.monitor.deviceFatal()) {
			return "the device failed";
		}
		if (portState != PortState.ACTIVE) {
			return "the port is " + portState;
		}
		if (this.monitor.completionQueueFailed()) {
			return "a completion queue overran";
		}
		return pollerStatistics.hasDeadThread() ? "a thread that polls completion queues is dead" : null;
	}

	private Map<String, Object> port(PortState state) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("number", this.endpoint.port());
		details.put("state", state);
		return details;
	}

	private Map<String, Object> peers() {
		Instant now = this.clock.instant();
		Map<String, Object> details = new LinkedHashMap<>();
		for (PeerStatus peer : this.connections.peers()) {
			Status status = PeerHealth.of(peer, this.connections.runningSince(), this.startupGrace, now);
			details.put(peer.name(), peer(peer, status));
		}
		return details;
	}

	static Map<String, Object> peer(PeerStatus peer, Status status) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("status", status.getCode());
		details.put("state", peer.state());
		details.put("since", peer.since());
		if (peer.queuePairState() != null) {
			details.put("queuePairState", peer.queuePairState());
		}
		if (peer.path() != null) {
			details.put("path", peer.path());
		}
		if (peer.required()) {
			details.put("required", true);
		}
		if (peer.reason() != null) {
			details.put("reason", peer.reason());
		}
		return details;
	}

	private static Map<String, Object> completionQueues(List<QueueStatistics> queues) {
		Map<String, Object> details = new LinkedHashMap<>();
		for (QueueStatistics queue : queues) {
			Map<String, Object> entry = new LinkedHashMap<>();
			entry.put("depth", queue.depth());
			entry.put("outstanding", queue.outstanding());
			entry.put("highWater", queue.highWater());
			entry.put("capacity", queue.capacity());
			details.put(queue.name(), entry);
		}
		return details;
	}

	private static Map<String, Object> memoryPool(MemoryPoolStatistics statistics) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("used", statistics.usedBytes());
		details.put("heldBack", statistics.heldBackBytes());
		details.put("capacity", statistics.capacityBytes());
		details.put("max", statistics.maxBytes());
		return details;
	}

	private static Map<String, Object> pollerThreads(PollerStatistics statistics) {
		Map<String, Object> details = new LinkedHashMap<>();
		statistics.threads().forEach((thread) -> details.put(thread.name(), thread.alive() ? "alive" : "dead"));
		return details;
	}

}
