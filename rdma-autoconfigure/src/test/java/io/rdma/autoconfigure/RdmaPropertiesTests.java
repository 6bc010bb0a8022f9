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

package io.rdma.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rdma.autoconfigure.RdmaProperties.Region.Access;
import io.rdma.core.completion.CompletionQueueLayout;
import io.rdma.core.completion.PollerMode;
import io.rdma.core.connection.ConnectionSettings;
import io.rdma.core.connection.PeerDefinition;
import io.rdma.core.memory.RegionDefinition;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.PathMtu;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RdmaProperties} and {@link RdmaSettings}.
 */
class RdmaPropertiesTests {

	@Test
	void bindsWhatTheDocumentationShows() throws IOException {
		List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("sample",
				new ClassPathResource("sample.yaml", getClass()));
		RdmaProperties properties = new Binder(ConfigurationPropertySources.from(sources))
			.bind("rdma", RdmaProperties.class)
			.get();
		assertThat(properties.getDevice().getName()).isEqualTo("mlx5_0");
		assertThat(properties.getMemory().getPoolSize()).isEqualTo(DataSize.ofMegabytes(256));
		assertThat(properties.getServer().getPort()).isEqualTo(18515);
		assertThat(properties.getRegions()).containsOnlyKeys("blobs", "counters");
		assertThat(properties.getRegions()).hasEntrySatisfying("blobs",
				(region) -> assertThat(region.getAccess()).containsExactly(Access.REMOTE_READ, Access.REMOTE_WRITE));
		RdmaSettings settings = new RdmaSettings(properties);
		assertThat(settings.regions()).isEqualTo(Map.of("blobs",
				new RegionDefinition(512 << 20, Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)), "counters",
				new RegionDefinition(4096, Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC))));
		assertThat(settings.peers()).containsExactly(new PeerDefinition("storage", "storage-1", 18515, false, false));
		new RdmaPropertiesChecks(properties, new MemoryLimits(Long.MAX_VALUE, Long.MAX_VALUE)).check();
	}

	@Test
	void defaultsAreThoseOfTheDesign() {
		RdmaProperties properties = new RdmaProperties();
		assertThat(properties.isEnabled()).isTrue();
		assertThat(properties.getProvider()).isEqualTo(RdmaProperties.Provider.AUTO);
		assertThat(properties.getServer().getPort()).isNull();
		assertThat(properties.getServer().getAddress()).isNull();
		assertThat(properties.getCompletionQueue().getLayout()).isEqualTo(CompletionQueueLayout.SPLIT);
		assertThat(properties.getCompletionQueue().getPoller().getMode()).isEqualTo(PollerMode.ADAPTIVE);
		assertThat(properties.getConnection().getStartupGrace()).isEqualTo(Duration.ofSeconds(30));
		assertThat(properties.getTemplate().getTimeout()).isEqualTo(Duration.ofSeconds(5));
		ConnectionSettings settings = new RdmaSettings(properties).connections();
		assertThat(settings.timeout()).isEqualTo(14);
		assertThat(settings.retryCount()).isEqualTo(6);
		assertThat(settings.rnrRetryCount()).isEqualTo(6);
		assertThat(settings.minRnrTimer()).isEqualTo(12);
		assertThat(settings.drainTimeout()).isEqualTo(Duration.ofSeconds(5));
		assertThat(settings.mtu()).isNull();
		new RdmaPropertiesChecks(properties, new MemoryLimits(Long.MAX_VALUE, Long.MAX_VALUE)).check();
	}

	@Test
	void defaultsEqualThoseOfConnectionSettings() {
		assertThat(new RdmaSettings(new RdmaProperties()).connections()).usingRecursiveComparison()
			.isEqualTo(ConnectionSettings.defaults());
	}

	@Test
	void everySettingOfAConnectionIsPassedOn() {
		RdmaProperties properties = bind(Map.ofEntries(Map.entry("rdma.queue-pair.send-depth", "17"),
				Map.entry("rdma.queue-pair.receive-depth", "18"),
				Map.entry("rdma.queue-pair.receive-buffer-size", "16KB"),
				Map.entry("rdma.queue-pair.max-inline-data", "32B"), Map.entry("rdma.queue-pair.timeout", "13"),
				Map.entry("rdma.queue-pair.retry-count", "5"), Map.entry("rdma.queue-pair.rnr-retry-count", "4"),
				Map.entry("rdma.queue-pair.min-rnr-timer", "11"), Map.entry("rdma.queue-pair.max-rd-atomic", "3"),
				Map.entry("rdma.queue-pair.path-mtu", "1KB"), Map.entry("rdma.queue-pair.traffic-class", "106"),
				Map.entry("rdma.queue-pair.service-level", "2"), Map.entry("rdma.queue-pair.pkey-index", "1"),
				Map.entry("rdma.queue-pair.hop-limit", "9"), Map.entry("rdma.connection.setup-timeout", "3s"),
				Map.entry("rdma.connection.recovery.initial-interval", "300ms"),
				Map.entry("rdma.connection.recovery.max-interval", "7s"),
				Map.entry("rdma.template.drain-timeout", "2s"), Map.entry("rdma.template.max-message-size", "1MB"),
				Map.entry("rdma.server.max-handshakes", "8"), Map.entry("rdma.server.max-connections", "9")));
		assertThat(new RdmaSettings(properties).connections()).usingRecursiveComparison()
			.isEqualTo(ConnectionSettings.builder()
				.sendDepth(17)
				.receiveDepth(18)
				.receiveBufferSize(16 << 10)
				.maxInline(32)
				.timeout(13)
				.retryCount(5)
				.rnrRetryCount(4)
				.minRnrTimer(11)
				.maxRdAtomic(3)
				.mtu(PathMtu.MTU_1024)
				.trafficClass(106)
				.serviceLevel(2)
				.pkeyIndex(1)
				.hopLimit(9)
				.setupTimeout(Duration.ofSeconds(3))
				.recoveryDelay(Duration.ofMillis(300))
				.maxRecoveryDelay(Duration.ofSeconds(7))
				.drainTimeout(Duration.ofSeconds(2))
				.maxMessageSize(1 << 20)
				.maxHandshakes(8)
				.maxInboundConnections(9)
				.build());
	}

	@Test
	void bindsAPeer() throws IOException {
		RdmaProperties properties = bind(Map.of("rdma.peers.near.address", "[::1]:18515", "rdma.peers.near.connect",
				"eager", "rdma.peers.far.address", "10.0.0.1:1", "rdma.peers.far.required", "true",
				"rdma.server.address", "127.0.0.1"));
		assertThat(new RdmaSettings(properties).peers()).containsExactlyInAnyOrder(
				new PeerDefinition("near", "::1", 18515, false, true),
				new PeerDefinition("far", "10.0.0.1", 1, true, true));
		assertThat(properties.getServer().getAddress())
			.isEqualTo(InetAddress.getByAddress(new byte[] { 127, 0, 0, 1 }));
	}

	@Test
	void aSlabFollowsASmallPool() {
		assertThat(slabSize(Map.of("rdma.memory.pool-size", "1GB"))).isEqualTo(DataSize.ofMegabytes(16));
		assertThat(slabSize(Map.of("rdma.memory.pool-size", "3MB"))).isEqualTo(DataSize.ofMegabytes(2));
		assertThat(slabSize(Map.of("rdma.memory.pool-size", "4KB"))).isEqualTo(DataSize.ofKilobytes(4));
		assertThat(slabSize(Map.of("rdma.memory.slab-size", "1MB"))).isEqualTo(DataSize.ofMegabytes(1));
	}

	private static DataSize slabSize(Map<String, String> properties) {
		return new RdmaSettings(bind(properties)).slabSize();
	}

	private static RdmaProperties bind(Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bind("rdma", RdmaProperties.class).get();
	}

}
