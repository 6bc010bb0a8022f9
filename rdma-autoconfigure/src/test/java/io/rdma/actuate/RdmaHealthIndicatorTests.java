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
import java.time.ZoneOffset;
import java.util.Map;

import io.rdma.core.connection.ConnectionState;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.PortState;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;

/**
 * Tests for {@link RdmaHealthIndicator} and {@link RdmaPeersHealthIndicator}: the table
 * of statuses, line by line.
 */
class RdmaHealthIndicatorTests {

	private static final Duration GRACE = Duration.ofSeconds(30);

	private final RdmaBeans beans = new RdmaBeans();

	private @Nullable String fallback;

	@Test
	void whenAPeerWasNeverUsedThenItIsUnknownAndTheServiceIsUp() {
		this.beans.peers(RdmaBeans.peer("storage", false, ConnectionState.NEVER_USED, false, null));
		Health health = health(60);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(peer(health, "storage")).containsEntry("status", "UNKNOWN")
			.containsEntry("state", ConnectionState.NEVER_USED)
			.doesNotContainKeys("reason", "required");
		assertThat(peersHealth(60).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void whenAnOptionalPeerIsLostThenItIsUnknownWithTheReasonAndTheServiceIsUp() {
		this.beans.peers(RdmaBeans.peer("storage", false, ConnectionState.LOST, true, "connection reset"));
		Health health = health(60);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(peer(health, "storage")).containsEntry("status", "UNKNOWN")
			.containsEntry("reason", "connection reset");
		assertThat(peersHealth(60).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void whenTheSoftwareDeviceStandsInForAnotherThenTheReasonIsShownAndTheServiceIsUp() {
		assertThat(health(1).getDetails()).doesNotContainKey("fallback");
		this.fallback = "mlx5_0 (its port 1 is DOWN)";
		assertThat(health(1).getStatus()).isEqualTo(Status.UP);
		assertThat(health(1).getDetails()).containsEntry("fallback", "mlx5_0 (its port 1 is DOWN)");
	}

	@Test
	void whenAPeerIsReadyThenItIsUp() {
		this.beans.peers(RdmaBeans.peer("storage", true, ConnectionState.READY, true, null));
		assertThat(peer(health(60), "storage")).containsEntry("status", "UP")
			.containsEntry("required", true)
			.containsEntry("path", PathKind.SHARED_MEMORY);
		assertThat(peersHealth(60).getStatus()).isEqualTo(Status.UP);
	}

	@ParameterizedTest
	@EnumSource(names = { "NEVER_USED", "CONNECTING", "LOST", "CLOSED" })
	void whenARequiredPeerIsNotReadyThenTheServiceIsNotReadyOnceTheGraceIsOver(ConnectionState state) {
		this.beans.peers(RdmaBeans.peer("storage", true, state, false, "refused"));
		assertThat(peersHealth(29).getStatus()).isEqualTo(Status.UNKNOWN);
		assertThat(peersHealth(30).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		assertThat(peersHealth(30).getDetails().get("storage")).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsEntry("status", "OUT_OF_SERVICE")
			.containsEntry("reason", "refused");
		assertThat(health(30).getStatus()).isEqualTo(Status.UP);
	}

	@ParameterizedTest
	@EnumSource(names = { "CONNECTING", "LOST", "DRAINING" })
	void whenARequiredPeerIsLostThenTheServiceIsNotReadyAtOnce(ConnectionState state) {
		this.beans.peers(RdmaBeans.peer("storage", true, state, true, "connection reset"));
		assertThat(peersHealth(1).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		assertThat(health(1).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void whenOneOfTheRequiredPeersIsMissingThenTheServiceIsNotReady() {
		this.beans.peers(RdmaBeans.peer("a", true, ConnectionState.READY, true, null),
				RdmaBeans.peer("b", true, ConnectionState.LOST, true, null),
				RdmaBeans.peer("c", false, ConnectionState.LOST, true, null));
		Health health = peersHealth(1);
		assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		assertThat(health.getDetails()).containsOnlyKeys("a", "b");
	}

	@Test
	void whenConnectionsAreStoppedThenNoPeerIsMissed() {
		given(this.beans.connections.runningSince()).willReturn(null);
		this.beans.peers(RdmaBeans.peer("storage", true, ConnectionState.CLOSED, false, null));
		assertThat(peersHealth(60).getStatus()).isEqualTo(Status.UNKNOWN);
	}

	@Test
	void whenTheDeviceFailedThenTheServiceIsDown() {
		given(this.beans.monitor.deviceFatal()).willReturn(true);
		assertDown("the device failed");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ACTIVE")
	void whenThePortIsNotActiveThenTheServiceIsDown(PortState state) {
		given(this.beans.monitor.portState()).willReturn(state);
		assertDown("the port is " + state);
		assertThat(health(1).getDetails().get("port")).isEqualTo(Map.of("number", 1, "state", state));
	}

	@Test
	void whenACompletionQueueOverranThenTheServiceIsDown() {
		given(this.beans.monitor.completionQueueFailed()).willReturn(true);
		assertDown("a completion queue overran");
	}

	@Test
	void whenAPollerThreadIsDeadThenTheServiceIsDown() {
		this.beans.pollerThread(false);
		assertDown("a thread that polls completion queues is dead");
		assertThat(health(1).getDetails().get("pollerThreads")).isEqualTo(Map.of("rdma-poller-0", "dead"));
	}

	@Test
	void whenConnectionsAreDrainedThenTheServiceIsOutOfService() {
		given(this.beans.connections.isDraining()).willReturn(true);
		given(this.beans.connections.isRunning()).willReturn(false);
		assertThat(health(1).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		assertThat(health(1).getDetails()).containsEntry("reason", "connections are being drained");
	}

	@Test
	void whenConnectionsAreStoppedThenTheServiceIsOutOfService() {
		given(this.beans.connections.isRunning()).willReturn(false);
		assertThat(health(1).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
	}

	@Test
	void whenADeviceFailsWhileConnectionsAreDrainedThenThatCounts() {
		given(this.beans.connections.isDraining()).willReturn(true);
		given(this.beans.monitor.deviceFatal()).willReturn(true);
		assertDown("the device failed");
	}

	@Test
	void detailsShowDeviceQueuesAndPool() {
		Health health = health(1);
		assertThat(health.getDetails()).containsEntry("provider", "soft").containsEntry("device", "soft0");
		assertThat(health.getDetails().get("completionQueues")).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsEntry("group-1-send", Map.of("depth", 2, "outstanding", 3, "highWater", 5, "capacity", 256));
		assertThat(health.getDetails().get("memoryPool"))
			.isEqualTo(Map.of("used", 8192L, "heldBack", 4096L, "capacity", 1L << 20, "max", 4L << 20));
		assertThat(health.getDetails().get("pollerThreads")).isEqualTo(Map.of("rdma-poller-0", "alive"));
	}

	@Test
	void theDeviceIsNotAsked() {
		health(1);
		then(this.beans.endpoint.context()).should().device();
		then(this.beans.endpoint.context()).shouldHaveNoMoreInteractions();
	}

	private void assertDown(String reason) {
		Health health = health(1);
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("reason", reason);
	}

	private static Map<Object, Object> peer(Health health, String name) {
		Map<?, ?> peers = (Map<?, ?>) health.getDetails().get("peers");
		assertThat(peers).isNotNull();
		return Map.copyOf((Map<?, ?>) peers.get(name));
	}

	private Health health(long secondsAfterStart) {
		return check(new RdmaHealthIndicator(this.beans.choice(this.fallback), this.beans.endpoint, this.beans.monitor,
				this.beans.poller, this.beans.groups, this.beans.connections, this.beans.pool, GRACE,
				clock(secondsAfterStart))
			.health());
	}

	private Health peersHealth(long secondsAfterStart) {
		return check(new RdmaPeersHealthIndicator(this.beans.connections, GRACE, clock(secondsAfterStart)).health());
	}

	private static Health check(@Nullable Health health) {
		assertThat(health).isNotNull();
		return health;
	}

	private static Clock clock(long secondsAfterStart) {
		return Clock.fixed(RdmaBeans.START.plusSeconds(secondsAfterStart), ZoneOffset.UTC);
	}

}
