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

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rdma.core.completion.CompletionQueueKind;
import io.rdma.core.connection.ConnectionEvent;
import io.rdma.core.connection.ConnectionListener;
import io.rdma.core.connection.ConnectionState;
import io.rdma.core.connection.OperationKind;
import io.rdma.core.connection.PeerStatus;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceCounter;
import io.rdma.verbs.soft.SoftProvider;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RdmaMetrics}.
 */
class RdmaMetricsTests {

	private final RdmaBeans beans = new RdmaBeans();

	private final MeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void showsThePool() {
		bind();
		assertThat(gauge("rdma.memory.pool.used")).isEqualTo(8192);
		assertThat(gauge("rdma.memory.pool.high.water")).isEqualTo(16384);
		assertThat(gauge("rdma.memory.pool.capacity")).isEqualTo(1 << 20);
		assertThat(gauge("rdma.memory.pool.max")).isEqualTo(4 << 20);
		assertThat(gauge("rdma.memory.pool.held.back")).isEqualTo(4096);
		assertThat(gauge("rdma.memory.pool.pinned")).isEqualTo(1 << 20);
		assertThat(counter("rdma.memory.pool.acquired")).isEqualTo(7);
		assertThat(counter("rdma.memory.pool.timeouts")).isEqualTo(2);
		assertThat(counter("rdma.memory.pool.leaks")).isEqualTo(1);
		assertThat(this.registry.get("rdma.memory.pool.used").gauge().getId().getBaseUnit()).isEqualTo("bytes");
	}

	@Test
	void showsCompletions() {
		given(this.beans.monitor.counts()).willReturn(Map.of(AsyncEventType.PORT_ERR, 2L));
		bind();
		assertThat(counter("rdma.completions", "status", "SUCCESS")).isEqualTo(41);
		assertThat(counter("rdma.completions", "status", "WR_FLUSH_ERR")).isEqualTo(3);
		assertThat(counter("rdma.completions", "status", "REM_ACCESS_ERR")).isZero();
		assertThat(counter("rdma.completions.stray")).isEqualTo(6);
		assertThat(gauge("rdma.poller.threads")).isEqualTo(1);
		assertThat(counter("rdma.device.events", "type", "PORT_ERR")).isEqualTo(2);
		assertThat(counter("rdma.device.events", "type", "CQ_ERR")).isZero();
	}

	@Test
	void showsCompletionQueues() {
		bind();
		String[] tags = { "group", "group-1", "queue", "send" };
		assertThat(gauge("rdma.completion.queue.depth", tags)).isEqualTo(2);
		assertThat(gauge("rdma.completion.queue.outstanding", tags)).isEqualTo(3);
		assertThat(gauge("rdma.completion.queue.high.water", tags)).isEqualTo(5);
		assertThat(gauge("rdma.completion.queue.capacity", tags)).isEqualTo(256);
		assertThat(gauge("rdma.completion.queue.outstanding", "group", "group-1", "queue", "receive")).isEqualTo(64);
	}

	@Test
	void showsPeers() {
		this.beans.peers(RdmaBeans.peer("storage", false, ConnectionState.READY, true, null),
				RdmaBeans.peer("backup", false, ConnectionState.LOST, true, "gone"));
		RdmaConnection connection = mock(RdmaConnection.class);
		given(connection.peer()).willReturn("storage");
		given(connection.outstanding()).willReturn(11);
		given(this.beans.connections.connections()).willReturn(List.of(connection));
		bind();
		assertThat(gauge("rdma.queue.pair.state", "peer", "storage", "state", "rts")).isEqualTo(1);
		assertThat(gauge("rdma.queue.pair.state", "peer", "storage", "state", "err")).isZero();
		assertThat(gauge("rdma.queue.pair.state", "peer", "backup", "state", "rts")).isZero();
		assertThat(gauge("rdma.connections", "state", "ready")).isEqualTo(1);
		assertThat(gauge("rdma.connections", "state", "lost")).isEqualTo(1);
		assertThat(gauge("rdma.connections", "state", "never-used")).isZero();
		assertThat(gauge("rdma.work.requests.outstanding", "peer", "storage")).isEqualTo(11);
		assertThat(counter("rdma.connections.reconnects", "peer", "storage")).isEqualTo(4);
	}

	@Test
	void metersOfPeersAndQueuesComeAndGoWithThem() {
		bind();
		assertThat(this.registry.find("rdma.queue.pair.state").meters()).isEmpty();
		this.beans.peers(RdmaBeans.peer("storage", false, ConnectionState.CONNECTING, false, null));
		given(this.beans.groups.statistics())
			.willReturn(List.of(RdmaBeans.queue("group-2", CompletionQueueKind.SHARED, 1)));
		change();
		assertThat(this.registry.find("rdma.queue.pair.state").tag("peer", "storage").meters()).hasSize(7);
		assertThat(this.registry.find("rdma.completion.queue.depth").tag("group", "group-2").meters()).hasSize(1);
		assertThat(this.registry.find("rdma.completion.queue.depth").tag("group", "group-1").meters()).isEmpty();
		this.beans.peers();
		change();
		assertThat(this.registry.find("rdma.queue.pair.state").meters()).isEmpty();
	}

	@Test
	void showsWhatTheDeviceCounts() {
		AtomicLong sent = new AtomicLong(41);
		this.beans.counters(new DeviceCounter("packets.sent", null, "Sent.", sent::get),
				new DeviceCounter("packets.dropped", "icrc", "Corrupt.", () -> 3),
				new DeviceCounter("packets.dropped", "psn", "Unexpected.", () -> 5));
		bind();
		System.gc();
		sent.set(42);
		assertThat(counter("rdma.device.packets.sent")).isEqualTo(42);
		assertThat(counter("rdma.device.packets.dropped", "reason", "icrc")).isEqualTo(3);
		assertThat(counter("rdma.device.packets.dropped", "reason", "psn")).isEqualTo(5);
	}

	@Test
	void showsAllThatTheSoftwareDeviceCounts() {
		try (DeviceContext device = new SoftProvider().open(SoftProvider.DEVICE_NAME)) {
			assertThat(device.counters()).isNotEmpty()
				.allSatisfy((counter) -> assertThat(RdmaMeters.of(counter)).as(counter.name()).isNotNull());
		}
	}

	@Test
	void whenTheDeviceStartsToCountThenItsMetersAppear() {
		this.beans.counters();
		bind();
		this.beans.counters(new DeviceCounter("packets.sent", null, "Sent.", () -> 7));
		change();
		change();
		assertThat(counter("rdma.device.packets.sent")).isEqualTo(7);
	}

	@Test
	void whenTheDeviceCountsNothingThenItHasNoMeters() {
		this.beans.counters();
		bind();
		assertThat(this.registry.find("rdma.device.packets.sent").meters()).isEmpty();
	}

	@Test
	void tagsAreBounded() {
		this.beans.peers(IntStream.range(0, 500)
			.mapToObj((i) -> RdmaBeans.peer("inbound-" + i, false, ConnectionState.READY, true, null))
			.toArray(PeerStatus[]::new));
		given(this.beans.groups.statistics()).willReturn(IntStream.range(0, 500)
			.mapToObj((i) -> RdmaBeans.queue("group-" + i, CompletionQueueKind.SEND, 1))
			.toList());
		bind();
		assertThat(this.registry.find("rdma.work.requests.outstanding").meters()).hasSize(101);
		assertThat(this.registry.find("rdma.completion.queue.depth").meters()).hasSize(65);
		assertThat(gauge("rdma.queue.pair.state", "peer", "other", "state", "rts")).isEqualTo(400);
		assertThat(gauge("rdma.completion.queue.outstanding", "group", "other", "queue", "send")).isEqualTo(436);
	}

	@Test
	void everyMeterIsDocumentedWithItsTags() {
		this.beans.peers(RdmaBeans.peer("storage", false, ConnectionState.READY, true, null));
		bind();
		new MicrometerOperationMetrics(this.registry, List.of()).recorded("storage", OperationKind.WRITE, "success", 10,
				10);
		for (RdmaMeters documented : RdmaMeters.values()) {
			assertThat(this.registry.find(documented.getName()).meters()).as(documented.getName())
				.isNotEmpty()
				.allSatisfy((meter) -> assertMatches(meter, documented));
		}
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.isSubsetOf(Arrays.stream(RdmaMeters.values()).map(RdmaMeters::getName).toList());
	}

	private static void assertMatches(Meter meter, RdmaMeters documented) {
		assertThat(meter.getId().getType()).isEqualTo(documented.getType());
		assertThat(meter.getId().getDescription()).isEqualTo(documented.description());
		if (documented.getType() != Meter.Type.TIMER) {
			assertThat(meter.getId().getBaseUnit()).isEqualTo(documented.getBaseUnit());
		}
		assertThat(meter.getId().getTags()).extracting((tag) -> tag.getKey())
			.containsExactlyInAnyOrder(
					Arrays.stream(documented.getKeyNames()).map((key) -> key.asString()).toArray(String[]::new));
	}

	@Test
	void closingRemovesTheMeters() {
		this.beans.peers(RdmaBeans.peer("storage", false, ConnectionState.READY, true, null));
		RdmaMetrics metrics = bind();
		metrics.bindTo(this.registry);
		metrics.close();
		assertThat(this.registry.getMeters()).isEmpty();
		then(this.beans.connections).should().removeListener(any());
	}

	@Test
	void whenClosedThenALateEventAddsNothing() {
		RdmaMetrics metrics = bind();
		ConnectionListener listener = listener();
		metrics.close();
		listener.onConnectionEvent(event());
		assertThat(this.registry.getMeters()).isEmpty();
	}

	private RdmaMetrics bind() {
		RdmaMetrics metrics = new RdmaMetrics(this.beans.endpoint, this.beans.connections, this.beans.poller,
				this.beans.groups, this.beans.pool, this.beans.monitor, List.of());
		metrics.bindTo(this.registry);
		return metrics;
	}

	private void change() {
		listener().onConnectionEvent(event());
	}

	private ConnectionListener listener() {
		ArgumentCaptor<ConnectionListener> listener = ArgumentCaptor.forClass(ConnectionListener.class);
		then(this.beans.connections).should().addListener(listener.capture());
		return listener.getValue();
	}

	private static ConnectionEvent event() {
		return new ConnectionEvent("storage", null, ConnectionState.CONNECTING, ConnectionState.READY, null, null,
				null);
	}

	private double gauge(String name, String... tags) {
		return this.registry.get(name).tags(tags).gauge().value();
	}

	private double counter(String name, String... tags) {
		return this.registry.get(name).tags(tags).functionCounter().count();
	}

}
