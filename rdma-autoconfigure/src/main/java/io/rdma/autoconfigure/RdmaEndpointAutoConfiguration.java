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

import io.rdma.actuate.RdmaEndpoint;
import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.connection.DeviceChoice;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.core.memory.RdmaRegions;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for {@link RdmaEndpoint}.
 */
@AutoConfiguration(after = RdmaAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean({ RdmaConnections.class, DeviceChoice.class, LocalEndpoint.class, DeviceEventMonitor.class })
@ConditionalOnAvailableEndpoint(RdmaEndpoint.class)
public final class RdmaEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RdmaEndpoint rdmaEndpoint(DeviceChoice choice, LocalEndpoint endpoint, DeviceEventMonitor monitor,
			RdmaMemoryPool pool, RdmaRegions regions, CompletionQueuePoller poller, CompletionQueueGroups groups,
			RdmaConnections connections) {
		return new RdmaEndpoint(choice, endpoint, monitor, pool, regions, poller, groups, connections);
	}

}
