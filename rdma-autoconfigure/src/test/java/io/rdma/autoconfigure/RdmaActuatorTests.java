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

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rdma.actuate.RdmaDescriptor;
import io.rdma.actuate.RdmaEndpoint;
import io.rdma.actuate.RdmaHealthIndicator;
import io.rdma.actuate.RdmaMeters;
import io.rdma.core.RdmaTemplate;
import io.rdma.core.connection.ConnectionState;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.connection.RdmaServer;
import io.rdma.core.memory.LocalRegion;
import io.rdma.core.memory.RdmaRegions;
import io.rdma.testing.TestDevice;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.PortState;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.QueuePairState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Health, metrics and endpoint of a service that another one uses, with nothing replaced.
 */
class RdmaActuatorTests {

	private static final Duration LIMIT = TestDevice.PATIENCE;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, RdmaAutoConfiguration.class,
				RdmaTemplateAutoConfiguration.class, RdmaListenerAutoConfiguration.class,
				RdmaHealthContributorAutoConfiguration.class, RdmaMetricsAutoConfiguration.class,
				RdmaOperationMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
				EndpointAutoConfiguration.class, RdmaEndpointAutoConfiguration.class))
		.withPropertyValues("rdma.memory.pool-size=2MB", "spring.jmx.enabled=true",
				"management.endpoints.jmx.exposure.include=rdma")
		.withPropertyValues(TestDevice.settings());

	private final MeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void theEndpointShowsWhatRuns() {
		withConnection((server, client) -> {
			RdmaDescriptor descriptor = client.getBean(RdmaEndpoint.class).rdma();
			assertThat(descriptor.provider()).isEqualTo(TestDevice.kind());
			assertThat(descriptor.running()).isTrue();
			assertThat(descriptor.device().name()).isEqualTo(TestDevice.name());
			assertThat(descriptor.device().fatal()).isFalse();
			assertThat(descriptor.port().state()).isEqualTo(PortState.ACTIVE);
			assertThat(descriptor.port().gids()).extracting(RdmaDescriptor.GidDescriptor::index)
				.contains(descriptor.port().gidIndex());
			assertThat(descriptor.candidates()).filteredOn(RdmaDescriptor.CandidateDescriptor::chosen)
				.singleElement()
				.satisfies((candidate) -> {
					assertThat(candidate.name()).isEqualTo(TestDevice.name());
					assertThat(candidate.reason())
						.isEqualTo("the first with an ACTIVE port and name " + TestDevice.name());
					assertThat(candidate.gidIndex()).isEqualTo(descriptor.port().gidIndex());
				});
			assertThat(descriptor.protectionDomains()).singleElement()
				.satisfies((domain) -> assertThat(domain.queuePairs()).isEqualTo(1));
			assertThat(descriptor.memoryPool().capacityBytes()).isEqualTo(2 << 20);
			assertThat(descriptor.completionQueues()).hasSize(2);
			assertThat(descriptor.pollers().threads()).hasSize(1);
			assertThat(descriptor.queuePairs()).singleElement().satisfies((queuePair) -> {
				assertThat(queuePair.peer()).isEqualTo("storage");
				assertThat(queuePair.queuePairState()).isEqualTo(QueuePairState.RTS);
				assertThat(queuePair.path()).isEqualTo(TestDevice.isSoft() ? PathKind.PROCESS : PathKind.DEVICE);
				assertThat(queuePair.remoteRegions()).containsExactly("blobs");
			});
			assertThat(descriptor.peers()).singleElement()
				.satisfies((peer) -> assertThat(peer.state()).isEqualTo(ConnectionState.READY));
			assertThat(server.getBean(RdmaEndpoint.class).rdma().regions()).singleElement().satisfies((region) -> {
				assertThat(region.name()).isEqualTo("blobs");
				assertThat(region.length()).isEqualTo(64 << 10);
			});
		});
	}

	@Test
	void neitherEndpointNorHealthShowsAKeyOrAnAddress() {
		withConnection((server, client) -> {
			List<String> secrets = new ArrayList<>();
			for (LocalRegion region : server.getBean(RdmaRegions.class).all()) {
				MemoryRegion memory = region.memoryRegion();
				for (long secret : new long[] { memory.rkey(), memory.lkey(), memory.address() }) {
					secrets.add(Long.toString(secret));
					secrets.add(Long.toHexString(secret));
					secrets.add(Integer.toUnsignedString((int) secret));
				}
			}
			for (AssertableApplicationContext context : List.of(server, client)) {
				String endpoint = JsonMapper.shared().writeValueAsString(context.getBean(RdmaEndpoint.class).rdma());
				String health = JsonMapper.shared().writeValueAsString(health(context));
				assertThat(endpoint).contains("\"queuePairs\"").doesNotContainPattern("(?<!p)key\"");
				assertThat(tokens(endpoint)).doesNotContainAnyElementsOf(secrets);
				assertThat(health).contains("\"peers\"").doesNotContain("key\"", "127.0.0.1", "localhost");
				assertThat(tokens(health)).doesNotContainAnyElementsOf(secrets);
			}
		});
	}

	private static Set<String> tokens(String json) {
		return new HashSet<>(List.of(json.split("[^0-9a-zA-Z-]+")));
	}

	@Test
	void healthShowsThePeer() {
		withConnection((server, client) -> {
			assertThat(health(client).getStatus()).isEqualTo(Status.UP);
			assertThat(health(client).getDetails().toString()).contains("storage={status=UP, state=READY");
			// the server's side is READY a little after the client's
			Awaitility.await()
				.atMost(LIMIT)
				.untilAsserted(() -> assertThat(health(server).getDetails().toString())
					.contains("client={status=UP, state=READY"));
			server.getBean(RdmaConnections.class).stop();
			assertThat(health(server).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			Awaitility.await().atMost(LIMIT).untilAsserted(() -> {
				assertThat(health(client).getStatus()).isEqualTo(Status.UP);
				assertThat(health(client).getDetails().toString()).contains("storage={status=UNKNOWN")
					.contains("reason=");
			});
		});
	}

	@Test
	void metersShowWhatWasDone() {
		withConnection((server, client) -> {
			assertThat(this.registry.get("rdma.operations")
				.tags("peer", "storage", "kind", "write", "outcome", "success")
				.timer()
				.totalTime(TimeUnit.NANOSECONDS)).isPositive();
			assertThat(this.registry.get("rdma.operations.bytes")
				.tags("peer", "storage", "kind", "write")
				.counter()
				.count()).isEqualTo(100);
			Awaitility.await().atMost(LIMIT).untilAsserted(() -> {
				assertThat(gauge("rdma.queue.pair.state", "peer", "storage", "state", "rts")).isEqualTo(1);
				assertThat(gauge("rdma.connections", "state", "ready")).isEqualTo(1);
				assertThat(gauge("rdma.completion.queue.capacity", "group", "group-1", "queue", "send")).isPositive();
				assertThat(gauge("rdma.work.requests.outstanding", "peer", "storage")).isZero();
			});
			assertThat(this.registry.get("rdma.completions").tag("status", "SUCCESS").functionCounter().count())
				.isPositive();
			assertThat(gauge("rdma.memory.pool.capacity")).isEqualTo(2 << 20);
		});
		assertThat(this.registry.getMeters()).as("meters after the context was closed").isEmpty();
	}

	@Test
	void noTagHoldsAQueuePairNumber() {
		withConnection((server, client) -> {
			String number = Integer
				.toString(client.getBean(RdmaConnections.class).connections().get(0).queuePairNumber());
			assertThat(this.registry.getMeters()).flatExtracting((Meter meter) -> meter.getId().getTags())
				.extracting((tag) -> tag.getValue())
				.doesNotContain(number);
			assertThat(this.registry.getMeters()).extracting((Meter meter) -> meter.getId().getName())
				.isSubsetOf(List.of(RdmaMeters.values()).stream().map(RdmaMeters::getName).toList());
		});
	}

	private double gauge(String name, String... tags) {
		return this.registry.get(name).tags(tags).gauge().value();
	}

	private static Health health(AssertableApplicationContext context) {
		Health health = context.getBean(RdmaHealthIndicator.class).health();
		assertThat(health).isNotNull();
		return health;
	}

	private void withConnection(Assertion assertion) {
		this.runner
			.withPropertyValues("rdma.name=server", "rdma.server.port=0", "rdma.regions.blobs.size=64KB",
					"rdma.regions.blobs.access=remote-read,remote-write")
			.run((server) -> this.runner.withBean(MeterRegistry.class, () -> this.registry)
				.withPropertyValues("rdma.name=client",
						"rdma.peers.storage.address=127.0.0.1:" + server.getBean(RdmaServer.class).port())
				.run((client) -> {
					client.getBean(RdmaTemplate.class).write("storage", "blobs", 0, new byte[100]);
					// the side that accepts is ready a moment later
					Awaitility.await()
						.atMost(LIMIT)
						.untilAsserted(() -> assertThat(server.getBean(RdmaConnections.class).connections())
							.extracting(RdmaConnection::state)
							.containsExactly(ConnectionState.READY));
					assertion.check(server, client);
				}));
	}

	private interface Assertion {

		void check(AssertableApplicationContext server, AssertableApplicationContext client) throws Exception;

	}

}
