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

import java.time.Duration;
import java.util.function.UnaryOperator;

import io.rdma.core.connection.ConnectionSettings.ConnectionSettingsBuilder;
import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ConnectionSettings} and {@link PeerDefinition}.
 */
class ConnectionSettingsTests {

	private static void assertRefused(String property, UnaryOperator<ConnectionSettingsBuilder> change) {
		assertThatExceptionOfType(RdmaConfigurationException.class)
			.isThrownBy(() -> change.apply(ConnectionSettings.builder()).build())
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(property));
	}

	@Test
	void shouldHaveTheDefaultsOfTheDesign() {
		ConnectionSettings settings = ConnectionSettings.defaults();
		assertThat(settings.timeout()).isEqualTo(14);
		assertThat(settings.retryCount()).isEqualTo(6);
		assertThat(settings.rnrRetryCount()).isEqualTo(6);
		assertThat(settings.minRnrTimer()).isEqualTo(12);
		assertThat(settings.drainTimeout()).isEqualTo(Duration.ofSeconds(5));
		assertThat(settings.recoveryDelay()).isEqualTo(Duration.ofSeconds(1));
		assertThat(settings.maxRecoveryDelay()).isEqualTo(Duration.ofSeconds(30));
		assertThat(settings.mtu()).isNull();
		assertThat(settings.toBuilder().sendDepth(7).build().sendDepth()).isEqualTo(7);
	}

	@Test
	void whenValueIsOutOfRangeThenTheSettingIsNamed() {
		assertRefused("rdma.queue-pair.send-depth", (builder) -> builder.sendDepth(0));
		assertRefused("rdma.queue-pair.receive-depth", (builder) -> builder.receiveDepth(1));
		assertRefused("rdma.queue-pair.receive-buffer-size", (builder) -> builder.receiveBufferSize(255));
		assertRefused("rdma.queue-pair.max-inline-data", (builder) -> builder.maxInline(-1));
		assertRefused("rdma.template.max-message-size", (builder) -> builder.maxMessageSize(0));
		assertRefused("rdma.queue-pair.timeout", (builder) -> builder.timeout(32));
		assertRefused("rdma.queue-pair.retry-count", (builder) -> builder.retryCount(8));
		assertRefused("rdma.queue-pair.rnr-retry-count", (builder) -> builder.rnrRetryCount(-1));
		assertRefused("rdma.queue-pair.min-rnr-timer", (builder) -> builder.minRnrTimer(32));
		assertRefused("rdma.queue-pair.max-rd-atomic", (builder) -> builder.maxRdAtomic(0));
		assertRefused("rdma.queue-pair.traffic-class", (builder) -> builder.trafficClass(256));
		assertRefused("rdma.queue-pair.service-level", (builder) -> builder.serviceLevel(16));
		assertRefused("rdma.queue-pair.pkey-index", (builder) -> builder.pkeyIndex(65536));
		assertRefused("rdma.queue-pair.hop-limit", (builder) -> builder.hopLimit(0));
		assertRefused("rdma.connection.setup-timeout", (builder) -> builder.setupTimeout(Duration.ZERO));
		assertRefused("rdma.template.drain-timeout", (builder) -> builder.drainTimeout(Duration.ofHours(1)));
		assertRefused("rdma.connection.recovery.initial-interval", (builder) -> builder.recoveryDelay(Duration.ZERO));
		assertRefused("rdma.connection.recovery.max-interval",
				(builder) -> builder.maxRecoveryDelay(Duration.ofMillis(1)));
		assertRefused("rdma.server.max-handshakes", (builder) -> builder.maxHandshakes(0));
		assertRefused("rdma.server.max-connections", (builder) -> builder.maxInboundConnections(0));
	}

	@Test
	void whenDeviceCannotDoItThenStartNamesTheSetting() {
		try (TestService service = TestService.create("service",
				(options) -> options.settings.receiveBufferSize(16 << 20).receiveDepth(2))) {
			assertThatExceptionOfType(RdmaConfigurationException.class).isThrownBy(service.connections::start)
				.withMessageContaining("rdma.queue-pair.receive-buffer-size")
				.withMessageContaining("largest buffer of the pool");
		}
		try (TestService service = TestService.create("service", (options) -> options.settings.pkeyIndex(65535))) {
			assertThatExceptionOfType(RdmaException.class).isThrownBy(service.connections::start)
				.withMessageContaining("rdma.queue-pair.pkey-index");
		}
	}

	@Test
	void whenPeerIsIncompleteThenItIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new PeerDefinition(" ", "localhost", 1));
		assertThatIllegalArgumentException().isThrownBy(() -> new PeerDefinition("peer", "", 1));
		assertThatIllegalArgumentException().isThrownBy(() -> new PeerDefinition("peer", "localhost", 0));
		assertThat(new PeerDefinition("peer", "::1", 18515).address()).isEqualTo("[::1]:18515");
	}

}
