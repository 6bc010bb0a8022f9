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

import java.net.InetAddress;
import java.util.concurrent.Executor;

import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.connection.DeviceChoice;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.OperationMetrics;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.connection.RdmaServer;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.core.memory.RdmaRegions;
import io.rdma.verbs.DeviceCandidate;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.ibv.IbvProvider;
import io.rdma.verbs.ibv.MemoryLock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration for RDMA: device, memory, completion queues, connections and, if a
 * port is set, the server that peers connect to.
 */
@AutoConfiguration(after = TaskExecutionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "rdma.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RdmaProperties.class)
public final class RdmaAutoConfiguration {

	private final RdmaProperties properties;

	private final RdmaSettings settings;

	private final RdmaPropertiesChecks checks;

	private final DeviceChooser chooser;

	RdmaAutoConfiguration(RdmaProperties properties) {
		this.checks = new RdmaPropertiesChecks(properties, MemoryLimits.current());
		this.checks.check();
		this.properties = properties;
		this.settings = new RdmaSettings(properties);
		IbvProvider verbs = new IbvProvider(this.settings.nativeLibraries());
		this.chooser = new DeviceChooser(properties.getProvider(), this.settings.device(), verbs,
				new SoftDevice(properties), verbs::isDevicePresent, MemoryLock.ofThisProcess()::available);
	}

	// lazy, since an application that opens the device itself needs none
	@Bean
	@Lazy
	@ConditionalOnMissingBean(VerbsProvider.class)
	VerbsProvider rdmaProvider() {
		return this.chooser.provider();
	}

	@Bean
	@ConditionalOnMissingBean
	DeviceContext rdmaDeviceContext(VerbsProvider provider) {
		return this.chooser.open(provider);
	}

	@Bean
	@ConditionalOnMissingBean
	DeviceChoice rdmaDeviceChoice(DeviceContext context) {
		return this.chooser.choice(context);
	}

	@Bean
	@ConditionalOnMissingBean
	ProtectionDomain rdmaProtectionDomain(DeviceContext context) {
		return context.allocateProtectionDomain();
	}

	@Bean
	@ConditionalOnMissingBean
	LocalEndpoint rdmaLocalEndpoint(DeviceContext context, ProtectionDomain protectionDomain, DeviceChoice choice) {
		this.chooser.checkUsable(choice);
		DeviceCandidate chosen = choice.chosen();
		// an InfiniBand port can do without GIDs
		GidEntry gid = (chosen.gid() != null) ? chosen.gid() : new GidEntry(0, new Gid(0, 0), GidType.IB, null);
		return new LocalEndpoint(choice.provider(), context, protectionDomain, chosen.port(), gid);
	}

	@Bean
	@ConditionalOnMissingBean
	RdmaMemoryPool rdmaMemoryPool(ProtectionDomain protectionDomain,
			ObjectProvider<RdmaMemoryPoolCustomizer> customizers) {
		checkMemory(protectionDomain);
		RdmaProperties.Memory memory = this.properties.getMemory();
		RdmaMemoryPool.Builder builder = RdmaMemoryPool.builder(protectionDomain)
			.name("rdma")
			.initialSize(memory.getPoolSize().toBytes())
			.maxSize(RdmaPropertiesChecks.poolLimit(memory).toBytes())
			.slabSize(this.settings.slabSize().toBytes())
			.minBufferSize(Math.toIntExact(memory.getMinBufferSize().toBytes()))
			.leakSampling(memory.getLeakSampling());
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

	@Bean
	@ConditionalOnMissingBean
	RdmaRegions rdmaRegions(ProtectionDomain protectionDomain) {
		checkMemory(protectionDomain);
		return RdmaRegions.register(protectionDomain, this.settings.regions());
	}

	private void checkMemory(ProtectionDomain protectionDomain) {
		if (DeviceChooser.isSoft(protectionDomain.context())) {
			this.checks.checkDirectMemory(this.chooser.fallback());
		}
	}

	@Bean
	@ConditionalOnMissingBean
	CompletionQueuePoller rdmaCompletionQueuePoller(DeviceContext context) {
		RdmaProperties.CompletionQueue.Poller poller = this.properties.getCompletionQueue().getPoller();
		return new CompletionQueuePoller(context, poller.getMode(), poller.getThreads(), poller.getBatchSize());
	}

	@Bean
	@ConditionalOnMissingBean
	CompletionQueueGroups rdmaCompletionQueueGroups(CompletionQueuePoller poller) {
		RdmaProperties.CompletionQueue queue = this.properties.getCompletionQueue();
		return new CompletionQueueGroups(poller, queue.getLayout(), queue.getConnectionsPerGroup(),
				queue.getMaxGroups());
	}

	@Bean
	@ConditionalOnMissingBean
	DeviceEventMonitor rdmaDeviceEventMonitor(LocalEndpoint endpoint) {
		return new DeviceEventMonitor(endpoint.context(), endpoint.port());
	}

	@Bean
	@ConditionalOnMissingBean
	RdmaConnections rdmaConnections(LocalEndpoint endpoint, RdmaMemoryPool pool, RdmaRegions regions,
			CompletionQueuePoller poller, CompletionQueueGroups groups, DeviceEventMonitor monitor,
			ObjectProvider<OperationMetrics> metrics,
			@Qualifier(TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME) ObjectProvider<Executor> executor,
			ObjectProvider<RdmaConnectionsCustomizer> customizers, Environment environment) {
		RdmaConnections.Builder builder = RdmaConnections
			.builder(endpoint, pool, poller, groups, new ApplicationExecutor(executor.getIfAvailable()))
			.name(name(environment))
			.settings(this.settings.connections())
			.peers(this.settings.peers())
			.regions(regions)
			.metrics(metrics.getIfAvailable(() -> OperationMetrics.NONE))
			.deviceEvents(monitor);
		if (this.properties.getConnection().getSecretFile() != null) {
			builder.secretFile(this.properties.getConnection().getSecretFile());
		}
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

	private String name(Environment environment) {
		String name = this.properties.getName();
		return StringUtils.hasText(name) ? name : environment.getProperty("spring.application.name", "application");
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnProperty("rdma.server.port")
	RdmaServer rdmaServer(RdmaConnections connections) {
		InetAddress address = this.properties.getServer().getAddress();
		if (address == null) {
			address = InetAddress.getLoopbackAddress();
		}
		Integer port = this.properties.getServer().getPort();
		return new RdmaServer(connections, address.getHostAddress(), (port != null) ? port : 0);
	}

	@Bean
	@ConditionalOnMissingBean
	RdmaLifecycle rdmaLifecycle(CompletionQueuePoller poller, DeviceEventMonitor monitor, RdmaConnections connections,
			ObjectProvider<RdmaServer> server) {
		return new RdmaLifecycle(poller, monitor, connections, server.getIfAvailable());
	}

}
