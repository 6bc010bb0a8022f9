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
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueueKind;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.completion.PollerStatistics;
import io.rdma.core.completion.PollerThreadStatistics;
import io.rdma.core.completion.QueueStatistics;
import io.rdma.core.connection.ConnectionState;
import io.rdma.core.connection.DeviceChoice;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.PeerStatus;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.memory.MemoryPoolStatistics;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.DeviceCandidate;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceCounter;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.PortState;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.TransportType;
import org.jspecify.annotations.Nullable;

import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * What health and metrics read, in states that real beans cannot be brought into at will.
 */
final class RdmaBeans {

	static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

	final DeviceCandidate device = new DeviceCandidate("soft0", 1,
			new GidEntry(1, new Gid(0, 0xffff_7f00_0001L), GidType.ROCE_V2, "lo"), null, null);

	final LocalEndpoint endpoint;

	final DeviceEventMonitor monitor = mock(DeviceEventMonitor.class);

	final CompletionQueuePoller poller = mock(CompletionQueuePoller.class);

	final CompletionQueueGroups groups = mock(CompletionQueueGroups.class);

	final RdmaConnections connections = mock(RdmaConnections.class);

	final RdmaMemoryPool pool = mock(RdmaMemoryPool.class);

	private final DeviceContext context = mock(DeviceContext.class);

	RdmaBeans() {
		given(this.context.device()).willReturn(new DeviceInfo("soft0", 1, TransportType.INFINIBAND, "lo", -1));
		this.endpoint = new LocalEndpoint("soft", this.context, mock(ProtectionDomain.class), 1,
				new GidEntry(1, new Gid(0, 0xffff_7f00_0001L), GidType.ROCE_V2, "lo"));
		counters(new DeviceCounter("packets.sent", null, "Sent.", () -> 1),
				new DeviceCounter("packets.unsent", null, "Not sent.", () -> 0),
				new DeviceCounter("packets.received", null, "Received.", () -> 2),
				new DeviceCounter("packets.retransmitted", null, "Sent again.", () -> 3),
				new DeviceCounter("packets.dropped", "icrc", "Corrupt.", () -> 4));
		given(this.monitor.portState()).willReturn(PortState.ACTIVE);
		given(this.monitor.counts()).willReturn(Map.of());
		pollerThread(true);
		given(this.groups.statistics()).willReturn(List.of(queue("group-1", CompletionQueueKind.SEND, 3),
				queue("group-1", CompletionQueueKind.RECEIVE, 64)));
		given(this.connections.isRunning()).willReturn(true);
		given(this.connections.runningSince()).willReturn(START);
		given(this.connections.peers()).willReturn(List.of());
		given(this.connections.connections()).willReturn(List.of());
		given(this.pool.statistics())
			.willReturn(new MemoryPoolStatistics(1 << 20, 4 << 20, 8192, 1 << 19, 16384, 4096, 1 << 20, 1, 7, 5, 2, 1));
	}

	static QueueStatistics queue(String group, CompletionQueueKind kind, int outstanding) {
		return new QueueStatistics(group + "-" + kind.name().toLowerCase(Locale.ROOT), group, kind, 256, 154,
				outstanding, 2, 5, 1);
	}

	DeviceChoice choice(@Nullable String fallback) {
		return new DeviceChoice("soft", this.device, "the first with an ACTIVE port", List.of(this.device), fallback);
	}

	void pollerThread(boolean alive) {
		Map<CompletionStatus, Long> completions = new EnumMap<>(CompletionStatus.class);
		completions.put(CompletionStatus.SUCCESS, 41L);
		completions.put(CompletionStatus.WR_FLUSH_ERR, 3L);
		given(this.poller.statistics()).willReturn(new PollerStatistics(true, completions, 6, 0, 0,
				List.of(new PollerThreadStatistics("rdma-poller-0", alive, 2, 100, 44, 3, 0))));
	}

	void counters(DeviceCounter... counters) {
		given(this.context.counters()).willReturn(List.of(counters));
	}

	void peers(PeerStatus... peers) {
		given(this.connections.peers()).willReturn(List.of(peers));
	}

	static PeerStatus peer(String name, boolean required, ConnectionState state, boolean wasReady,
			@Nullable String reason) {
		QueuePairState queuePairState = switch (state) {
			case READY, DRAINING -> QueuePairState.RTS;
			case CONNECTING -> QueuePairState.INIT;
			case NEVER_USED, LOST, CLOSED -> null;
		};
		return new PeerStatus(name, "127.0.0.1:18515", required, false, state, queuePairState,
				(queuePairState != null) ? PathKind.SHARED_MEMORY : null, START, reason, 1, 4, wasReady);
	}

}
