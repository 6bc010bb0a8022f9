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

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.rdma.actuate.RdmaHealthIndicator;
import io.rdma.actuate.RdmaPeersHealthIndicator;
import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.completion.PollerStatistics;
import io.rdma.core.connection.ConnectionState;
import io.rdma.core.connection.DeviceChoice;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.PeerStatus;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.memory.MemoryPoolStatistics;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.verbs.DeviceCandidate;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import io.rdma.verbs.PortState;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.TransportType;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RdmaHealthContributorAutoConfiguration} with Boot's health endpoint.
 */
class RdmaHealthContributorAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withPropertyValues("management.endpoints.web.exposure.include=health",
				"management.endpoint.health.show-details=always")
		.withConfiguration(AutoConfigurations.of(RdmaHealthContributorAutoConfiguration.class,
				HealthContributorAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class,
				HealthEndpointAutoConfiguration.class, EndpointAutoConfiguration.class,
				AvailabilityProbesAutoConfiguration.class, ApplicationAvailabilityAutoConfiguration.class,
				AvailabilityHealthContributorAutoConfiguration.class))
		.withUserConfiguration(RdmaConfiguration.class)
		.withInitializer((context) -> context.addApplicationListener(new Availability()));

	@Test
	void whenARequiredPeerIsMissingThenOnlyTheReadinessGroupIsOutOfService() {
		this.contextRunner.run((context) -> {
			HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
			CompositeHealthDescriptor overall = (CompositeHealthDescriptor) endpoint.health();
			assertThat(overall.getStatus()).isEqualTo(Status.UP);
			assertThat(overall.getComponents()).containsKey("rdma").doesNotContainKey("rdmaPeers");
			assertThat(status(endpoint, "rdma")).isEqualTo(Status.UP);
			assertThat(status(endpoint, "readiness")).isEqualTo(Status.OUT_OF_SERVICE);
			assertThat(status(endpoint, "liveness")).isEqualTo(Status.UP);
			assertThat(status(endpoint, "readiness", "rdmaPeers")).isEqualTo(Status.OUT_OF_SERVICE);
			assertThat(endpoint.healthForPath("rdmaPeers")).isNull();
		});
	}

	@Test
	void whenTheReadinessGroupIsConfiguredThenThePeersAreAddedToIt() {
		this.contextRunner.withPropertyValues("management.endpoint.health.group.readiness.include=ping")
			.run((context) -> {
				HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
				assertThat(status(endpoint, "readiness")).isEqualTo(Status.OUT_OF_SERVICE);
				assertThat(endpoint.health().getStatus()).isEqualTo(Status.UP);
			});
	}

	@Test
	void whenTheReadinessGroupExcludesThePeersThenTheyAreNotInIt() {
		this.contextRunner
			.withPropertyValues("management.endpoint.health.group.readiness.include=readinessState",
					"management.endpoint.health.group.readiness.exclude=rdmaPeers")
			.run((context) -> {
				HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
				assertThat(endpoint.healthForPath("readiness", "rdmaPeers")).isNull();
				assertThat(endpoint.health().getStatus()).isEqualTo(Status.UP);
			});
	}

	@Test
	void whenALivenessGroupIncludesAllThenThePeersAreNotInIt() {
		this.contextRunner.withPropertyValues("management.endpoint.health.group.liveness.include=*")
			.run((context) -> assertThat(status(context.getBean(HealthEndpoint.class), "liveness"))
				.isEqualTo(Status.UP));
	}

	@Test
	void whenThereAreNoProbesThenOverallHealthIsStillUp() {
		this.contextRunner.withPropertyValues("management.endpoint.health.probes.enabled=false").run((context) -> {
			HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
			assertThat(endpoint.health().getStatus()).isEqualTo(Status.UP);
			assertThat(context.getBean(HealthEndpointGroups.class).get("readiness")).isNull();
		});
	}

	@Test
	void whenAdditionalPathsAreWantedThenTheyStayWhereTheyAre() {
		this.contextRunner.withPropertyValues("management.endpoint.health.probes.add-additional-paths=true")
			.run((context) -> {
				HealthEndpointGroups groups = context.getBean(HealthEndpointGroups.class);
				assertThat(groups.get("readiness")).isNotNull()
					.extracting((group) -> String.valueOf(group.getAdditionalPath()))
					.isEqualTo("server:/readyz");
				assertThat(groups.getPrimary().showDetails(mock(SecurityContext.class))).isTrue();
			});
	}

	@Test
	void whenHealthIsDisabledThenThereIsNoIndicator() {
		this.contextRunner.withPropertyValues("management.health.rdma.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RdmaHealthIndicator.class)
				.doesNotHaveBean(RdmaPeersHealthIndicator.class)
				.doesNotHaveBean("rdmaHealthEndpointGroupsPostProcessor"));
	}

	@Test
	void whenThereAreNoEndpointsThenThereAreIndicatorsWithoutGroups() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RdmaHealthContributorAutoConfiguration.class))
			.withUserConfiguration(RdmaConfiguration.class)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(RdmaHealthIndicator.class)
				.doesNotHaveBean("rdmaHealthEndpointGroupsPostProcessor"));
	}

	@Test
	void whenThereAreNoConnectionsThenThereIsNoIndicator() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RdmaHealthContributorAutoConfiguration.class))
			.run((context) -> assertThat(context).doesNotHaveBean(RdmaHealthIndicator.class));
	}

	@Test
	void anIndicatorCanBeReplaced() {
		this.contextRunner.withUserConfiguration(CustomIndicators.class)
			.run((context) -> assertThat(context).doesNotHaveBean(RdmaHealthIndicator.class)
				.doesNotHaveBean(RdmaPeersHealthIndicator.class)
				.hasBean("rdmaHealthIndicator")
				.hasBean("rdmaPeersHealthIndicator"));
	}

	private static Status status(HealthEndpoint endpoint, String... path) {
		HealthDescriptor descriptor = endpoint.healthForPath(path);
		assertThat(descriptor).as(String.join("/", path)).isNotNull();
		return descriptor.getStatus();
	}

	/**
	 * Tells what an application that started tells.
	 */
	static class Availability implements ApplicationListener<ContextRefreshedEvent> {

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
			AvailabilityChangeEvent.publish(event.getApplicationContext(), LivenessState.CORRECT);
			AvailabilityChangeEvent.publish(event.getApplicationContext(), ReadinessState.ACCEPTING_TRAFFIC);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomIndicators {

		@Bean
		HealthIndicator rdmaHealthIndicator() {
			return () -> Health.up().build();
		}

		@Bean
		HealthIndicator rdmaPeersHealthIndicator() {
			return () -> Health.up().build();
		}

	}

	/**
	 * Connections that miss a required peer.
	 */
	@Configuration(proxyBeanMethods = false)
	static class RdmaConfiguration {

		@Bean
		DeviceChoice choice() {
			DeviceCandidate device = new DeviceCandidate("soft0", 1, null, null, null);
			return new DeviceChoice("soft", device, "the first with an ACTIVE port", List.of(device), null);
		}

		@Bean
		LocalEndpoint endpoint() {
			DeviceContext context = mock(DeviceContext.class);
			given(context.device()).willReturn(new DeviceInfo("soft0", 1, TransportType.INFINIBAND, null, -1));
			return new LocalEndpoint("soft", context, mock(ProtectionDomain.class), 1,
					new GidEntry(0, new Gid(0, 1), GidType.ROCE_V2, null));
		}

		@Bean
		DeviceEventMonitor monitor() {
			DeviceEventMonitor monitor = mock(DeviceEventMonitor.class);
			given(monitor.portState()).willReturn(PortState.ACTIVE);
			return monitor;
		}

		@Bean
		CompletionQueuePoller poller() {
			CompletionQueuePoller poller = mock(CompletionQueuePoller.class);
			given(poller.statistics()).willReturn(new PollerStatistics(true, Map.of(), 0, 0, 0, List.of()));
			return poller;
		}

		@Bean
		CompletionQueueGroups groups() {
			return mock(CompletionQueueGroups.class);
		}

		@Bean
		RdmaMemoryPool pool() {
			RdmaMemoryPool pool = mock(RdmaMemoryPool.class);
			given(pool.statistics()).willReturn(new MemoryPoolStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
			return pool;
		}

		@Bean
		RdmaConnections connections() {
			RdmaConnections connections = mock(RdmaConnections.class);
			given(connections.isRunning()).willReturn(true);
			given(connections.runningSince()).willReturn(Instant.EPOCH);
			given(connections.peers()).willReturn(List.of(new PeerStatus("storage", "storage-1:18515", true, false,
					ConnectionState.LOST, null, null, Instant.EPOCH, "refused", 3, 0, false)));
			return connections;
		}

	}

}
