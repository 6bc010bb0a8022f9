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

package io.rdma.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import io.rdma.core.RdmaTemplate;
import io.rdma.core.TemplateSettings;
import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueueLayout;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.completion.PollerMode;
import io.rdma.core.connection.ConnectionSettings;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.PeerDefinition;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.connection.RdmaServer;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.core.memory.RdmaRegions;
import io.rdma.core.memory.RegionDefinition;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;

import org.springframework.messaging.converter.MessageConverter;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * A whole service, from the device to the template, made as the auto-configuration does.
 */
public final class RdmaTestNode implements AutoCloseable {

	private static final long MB = 1024 * 1024;

	private final ConnectionSettings connectionSettings;

	private final DeviceContext device;

	private final ProtectionDomain protectionDomain;

	private final RdmaMemoryPool pool;

	private final RdmaRegions regions;

	private final CompletionQueuePoller poller;

	private final CompletionQueueGroups groups;

	private final RdmaConnections connections;

	private final RdmaServer server;

	private final ExecutorService executor;

	private final RdmaTemplate template;

	private RdmaTestNode(Builder builder) {
		this.executor = builder.executor;
		this.connectionSettings = builder.connectionSettings;
		this.device = TestDevice.open();
		this.protectionDomain = this.device.allocateProtectionDomain();
		this.pool = RdmaMemoryPool.builder(this.protectionDomain)
			.slabSize(builder.poolSize)
			.initialSize(builder.poolSize)
			.maxSize(builder.poolSize)
			.build();
		this.regions = RdmaRegions.register(this.protectionDomain, builder.regions);
		this.poller = new CompletionQueuePoller(this.device, PollerMode.ADAPTIVE, 1, 32);
		this.groups = new CompletionQueueGroups(this.poller, CompletionQueueLayout.SPLIT, 16, 64);
		LocalEndpoint endpoint = new LocalEndpoint(TestDevice.kind(), this.device, this.protectionDomain, 1,
				TestDevice.gid(this.device));
		this.connections = RdmaConnections.builder(endpoint, this.pool, this.poller, this.groups, this.executor)
			.name(builder.name)
			.settings(builder.connectionSettings)
			.peers(builder.peers)
			.regions(this.regions)
			.build();
		this.server = new RdmaServer(this.connections, "localhost", builder.port);
		this.template = RdmaTemplate.builder(this.connections, this.pool, this.executor)
			.settings(builder.templateSettings)
			.messageConverter(builder.messageConverter)
			.build();
		start();
	}

	/**
	 * Start it. Done by {@link Builder#start()} for the first time.
	 */
	public void start() {
		this.poller.start();
		this.connections.start();
		this.server.start();
	}

	/**
	 * Stop it; it can be started again.
	 */
	public void stop() {
		this.server.stop();
		this.connections.stop();
		this.poller.stop();
	}

	public static Builder named(String name) {
		return new Builder(name);
	}

	/**
	 * Return a TCP port that is free now.
	 * @return the port
	 */
	public static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public int port() {
		return this.server.port();
	}

	public RdmaTemplate template() {
		return this.template;
	}

	public RdmaConnections connections() {
		return this.connections;
	}

	public RdmaMemoryPool pool() {
		return this.pool;
	}

	/**
	 * Return how much of the pool is in use while nothing is under way: the receive
	 * buffers of the connections. What was under way a moment ago may still have more.
	 * @return the bytes
	 */
	public long poolUseAtRest() {
		return (long) this.connections.connections().size() * this.connectionSettings.receiveDepth()
				* this.connectionSettings.receiveBufferSize();
	}

	public MemoryRegion region(String name) {
		return this.regions.get(name).memoryRegion();
	}

	public ExecutorService executor() {
		return this.executor;
	}

	@Override
	public void close() {
		this.template.close();
		stop();
		this.connections.close();
		this.groups.close();
		this.poller.close();
		this.regions.close();
		this.pool.close();
		this.executor.shutdownNow();
		try {
			this.executor.awaitTermination(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.protectionDomain.close();
		this.device.close();
	}

	/**
	 * Builder of {@link RdmaTestNode}.
	 */
	public static final class Builder {

		private final Map<String, RegionDefinition> regions = new LinkedHashMap<>();

		private final List<PeerDefinition> peers = new ArrayList<>();

		private final String name;

		private ExecutorService executor = Executors.newFixedThreadPool(4, threads());

		private ConnectionSettings connectionSettings = ConnectionSettings.builder()
			.recoveryDelay(Duration.ofMillis(50))
			.maxRecoveryDelay(Duration.ofMillis(200))
			.build();

		private TemplateSettings templateSettings = TemplateSettings.defaults().withTimeout(TestDevice.PATIENCE);

		private MessageConverter messageConverter = RdmaTemplate.defaultMessageConverter();

		private long poolSize = 8 * MB;

		private int port;

		private Builder(String name) {
			this.name = name;
		}

		private static CustomizableThreadFactory threads() {
			CustomizableThreadFactory threads = new CustomizableThreadFactory("application-");
			threads.setDaemon(true);
			return threads;
		}

		public Builder region(String region, long size, AccessFlag... access) {
			EnumSet<AccessFlag> flags = EnumSet.of(AccessFlag.LOCAL_WRITE);
			flags.addAll(List.of(access));
			this.regions.put(region, new RegionDefinition(size, flags));
			return this;
		}

		public Builder peer(String peer, int peerPort) {
			this.peers.add(new PeerDefinition(peer, "localhost", peerPort));
			return this;
		}

		public Builder port(int listenPort) {
			this.port = listenPort;
			return this;
		}

		public Builder poolSize(long size) {
			this.poolSize = size;
			return this;
		}

		public Builder applicationThreads(int count) {
			this.executor.shutdown();
			this.executor = Executors.newFixedThreadPool(count, threads());
			return this;
		}

		public Builder connectionSettings(UnaryOperator<ConnectionSettings.ConnectionSettingsBuilder> customizer) {
			this.connectionSettings = customizer.apply(this.connectionSettings.toBuilder()).build();
			return this;
		}

		public Builder templateSettings(UnaryOperator<TemplateSettings> customizer) {
			this.templateSettings = customizer.apply(this.templateSettings);
			return this;
		}

		public Builder messageConverter(MessageConverter converter) {
			this.messageConverter = converter;
			return this;
		}

		public RdmaTestNode start() {
			return new RdmaTestNode(this);
		}

	}

}
