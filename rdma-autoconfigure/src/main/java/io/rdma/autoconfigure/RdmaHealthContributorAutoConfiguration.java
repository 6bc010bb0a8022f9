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

import java.util.Set;

import io.rdma.actuate.ReadinessHealthEndpointGroups;
import io.rdma.actuate.RdmaHealthIndicator;
import io.rdma.actuate.RdmaPeersHealthIndicator;
import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.connection.DeviceChoice;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.memory.RdmaMemoryPool;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration for the health of RDMA: {@link RdmaHealthIndicator} for what this
 * service is answerable for, and {@link RdmaPeersHealthIndicator}, in the readiness group
 * only, for the peers that it needs.
 */
@AutoConfiguration(after = RdmaAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration",
				"org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration" })
@ConditionalOnClass({ RdmaHealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean({ RdmaConnections.class, DeviceChoice.class, LocalEndpoint.class, DeviceEventMonitor.class })
@ConditionalOnEnabledHealthIndicator("rdma")
@EnableConfigurationProperties(RdmaProperties.class)
public final class RdmaHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "rdmaHealthIndicator", "rdmaHealthContributor" })
	RdmaHealthIndicator rdmaHealthContributor(DeviceChoice choice, LocalEndpoint endpoint, DeviceEventMonitor monitor,
			CompletionQueuePoller poller, CompletionQueueGroups groups, RdmaConnections connections,
			RdmaMemoryPool pool, RdmaProperties properties) {
		return new RdmaHealthIndicator(choice, endpoint, monitor, poller, groups, connections, pool,
				properties.getConnection().getStartupGrace());
	}

	@Bean
	@ConditionalOnMissingBean(name = { "rdmaPeersHealthIndicator", "rdmaPeersHealthContributor" })
	RdmaPeersHealthIndicator rdmaPeersHealthContributor(RdmaConnections connections, RdmaProperties properties) {
		return new RdmaPeersHealthIndicator(connections, properties.getConnection().getStartupGrace());
	}

	/**
	 * Readiness group, if the health endpoint is available.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.boot.actuate.endpoint.annotation.Endpoint")
	@ConditionalOnBean(HealthEndpointProperties.class)
	static class ReadinessGroupConfiguration {

		// After Boot's own, which has the same order, is defined before, and adds the
		// group
		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		HealthEndpointGroupsPostProcessor rdmaHealthEndpointGroupsPostProcessor(HealthEndpointProperties properties) {
			HealthEndpointProperties.Group readiness = properties.getGroup().get("readiness");
			boolean included = readiness == null || !isExcluded(readiness.getExclude());
			return (groups) -> new ReadinessHealthEndpointGroups(groups, RdmaPeersHealthIndicator.NAME, included);
		}

		private static boolean isExcluded(@Nullable Set<String> excluded) {
			return excluded != null && (excluded.contains("*") || excluded.contains(RdmaPeersHealthIndicator.NAME));
		}

	}

}
