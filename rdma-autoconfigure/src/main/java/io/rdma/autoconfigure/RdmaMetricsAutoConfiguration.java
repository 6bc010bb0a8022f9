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

import io.micrometer.core.instrument.MeterRegistry;
import io.rdma.actuate.RdmaMetrics;
import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.memory.RdmaMemoryPool;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the metrics of what runs.
 */
@AutoConfiguration(after = RdmaAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, RdmaConnections.class, DeviceEventMonitor.class })
@EnableConfigurationProperties(RdmaProperties.class)
public final class RdmaMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RdmaMetrics rdmaMetrics(LocalEndpoint endpoint, RdmaConnections connections, CompletionQueuePoller poller,
			CompletionQueueGroups groups, RdmaMemoryPool pool, DeviceEventMonitor monitor, RdmaProperties properties) {
		return new RdmaMetrics(endpoint, connections, poller, groups, pool, monitor, properties.getPeers().keySet());
	}

}
