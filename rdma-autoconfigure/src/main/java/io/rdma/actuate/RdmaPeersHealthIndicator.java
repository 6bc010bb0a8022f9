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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rdma.core.connection.PeerStatus;
import io.rdma.core.connection.RdmaConnections;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * {@link HealthIndicator} that tells whether the required peers are there.
 * <ul>
 * <li>OUT_OF_SERVICE: one was lost, or is not READY when the time of grace after start is
 * over.</li>
 * <li>UNKNOWN: one is not READY yet.</li>
 * <li>UP: all are READY, or none is required.</li>
 * </ul>
 * It belongs in the readiness group only, where {@link ReadinessHealthEndpointGroups}
 * puts it: the service should get no requests without the peer, but restarting it would
 * not help. Never waits.
 */
public final class RdmaPeersHealthIndicator extends AbstractHealthIndicator {

	/**
	 * Name of the contributor.
	 */
	public static final String NAME = "rdmaPeers";

	private final RdmaConnections connections;

	private final Duration startupGrace;

	private final Clock clock;

	/**
	 * Create an indicator.
	 * @param connections the connections
	 * @param startupGrace how long after start a required peer need not be connected yet
	 */
	public RdmaPeersHealthIndicator(RdmaConnections connections, Duration startupGrace) {
		this(connections, startupGrace, Clock.systemUTC());
	}

	RdmaPeersHealthIndicator(RdmaConnections connections, Duration startupGrace, Clock clock) {
		super("RDMA peers health check failed");
		this.connections = connections;
		this.startupGrace = startupGrace;
		this.clock = clock;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Instant now = this.clock.instant();
		List<Status> statuses = new ArrayList<>();
		Map<String, Object> details = new LinkedHashMap<>();
		for (PeerStatus peer : this.connections.peers()) {
			if (peer.required()) {
				Status status = PeerHealth.of(peer, this.connections.runningSince(), this.startupGrace, now);
				statuses.add(status);
				details.put(peer.name(), RdmaHealthIndicator.peer(peer, status));
			}
		}
		builder.status(worst(statuses)).withDetails(details);
	}

	private static Status worst(List<Status> statuses) {
		if (statuses.contains(Status.OUT_OF_SERVICE)) {
			return Status.OUT_OF_SERVICE;
		}
		return statuses.contains(Status.UNKNOWN) ? Status.UNKNOWN : Status.UP;
	}

}
