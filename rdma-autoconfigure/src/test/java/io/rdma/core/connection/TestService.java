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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueueLayout;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.completion.PollerMode;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.core.memory.RdmaRegions;
import io.rdma.core.memory.RegionDefinition;
import io.rdma.testing.TestDevice;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * A service as the auto-configuration makes it, on a software device of its own.
 */
final class TestService implements AutoCloseable {

	static final Duration PATIENCE = TestDevice.PATIENCE;

	final DeviceContext context;

	final ProtectionDomain protectionDomain;

	private final ProtectionDomain connectionDomain;

	final RdmaMemoryPool pool;

	final RdmaRegions regions;

	final CompletionQueuePoller poller;

	final CompletionQueueGroups groups;

	final DeviceEventMonitor monitor;

	final ExecutorService executor = Executors.newCachedThreadPool();

	final RdmaConnections connections;

	final RdmaServer server;

	final List<ConnectionEvent> events = new ArrayList<>();

	final ConcurrentLinkedQueue<String> outcomes = new ConcurrentLinkedQueue<>();

	private TestService(Options options) {
		this.context = TestDevice.open();
		this.protectionDomain = this.context.allocateProtectionDomain();
		this.connectionDomain = options.domain.apply(this.protectionDomain);
		this.pool = RdmaMemoryPool.builder(this.protectionDomain)
			.slabSize(options.poolSize)
			.initialSize(options.poolSize)
			.maxSize(options.poolSize)
			.build();
		this.regions = RdmaRegions.register(this.protectionDomain, options.regions);
		this.poller = new CompletionQueuePoller(this.context, PollerMode.ADAPTIVE, 1, 32);
		this.groups = new CompletionQueueGroups(this.poller, CompletionQueueLayout.SPLIT, 16, 64);
		this.monitor = new DeviceEventMonitor(this.context, 1);
		RdmaConnections.Builder builder = RdmaConnections
			.builder(endpoint(), this.pool, this.poller, this.groups, options.executor.apply(this.executor))
			.name(options.name)
			.settings(options.settings.build())
			.peers(options.peers)
			.regions(this.regions)
			.deviceEvents(this.monitor)
			.metrics(options.quiet ? OperationMetrics.NONE : (peer, kind, outcome, bytes, nanos) -> this.outcomes
				.add(peer + " " + kind + " " + outcome + " " + bytes));
		if (options.trust != null) {
			builder.trust(options.trust);
		}
		this.connections = builder.build();
		this.connections.addInternalListener((event) -> {
			synchronized (this.events) {
				this.events.add(event);
			}
		});
		this.server = new RdmaServer(this.connections, "localhost", options.port);
	}

	LocalEndpoint endpoint() {
		return new LocalEndpoint(TestDevice.kind(), this.context, this.connectionDomain, 1,
				TestDevice.gid(this.context));
	}

	static TestService start(String name) {
		return start(name, (options) -> {
		});
	}

	static TestService start(String name, Consumer<Options> customizer) {
		TestService service = create(name, customizer);
		service.start();
		return service;
	}

	static TestService create(String name, Consumer<Options> customizer) {
		Options options = new Options(name);
		customizer.accept(options);
		return new TestService(options);
	}

	void start() {
		this.poller.start();
		this.monitor.start();
		this.connections.start();
		this.server.start();
	}

	void stop() {
		this.server.stop();
		this.connections.stop();
		this.monitor.stop();
		this.poller.stop();
	}

	RdmaConnection connect(String peer) {
		return this.connections.get(peer, deadline());
	}

	static long deadline() {
		return deadline(PATIENCE);
	}

	static long deadline(Duration duration) {
		return System.nanoTime() + duration.toNanos();
	}

	RdmaBuffer buffer(int size) {
		return this.pool.acquire(size, PATIENCE);
	}

	RdmaBuffer buffer(byte[] content) {
		RdmaBuffer buffer = buffer(Math.max(1, content.length));
		buffer.byteBuffer().put(0, content);
		return buffer;
	}

	void send(String peer, byte[] content) {
		send(connect(peer), content, PATIENCE);
	}

	void send(RdmaConnection connection, byte[] content, Duration timeout) {
		RdmaBuffer buffer = buffer(content);
		try {
			BlockingOperation operation = new BlockingOperation(OperationKind.SEND);
			operation.local(buffer, 0, content.length).deadline(deadline(timeout));
			connection.post(operation);
			operation.await();
		}
		finally {
			buffer.release();
		}
	}

	void write(RdmaConnection connection, String region, long offset, byte[] content) {
		RdmaBuffer buffer = buffer(content);
		try {
			BlockingOperation operation = new BlockingOperation(OperationKind.WRITE);
			operation.local(buffer, 0, content.length).remote(connection.region(region), offset).deadline(deadline());
			connection.post(operation);
			operation.await();
		}
		finally {
			buffer.release();
		}
	}

	byte[] read(RdmaConnection connection, String region, long offset, int length) {
		RdmaBuffer buffer = buffer(length);
		try {
			BlockingOperation operation = new BlockingOperation(OperationKind.READ);
			operation.local(buffer, 0, length).remote(connection.region(region), offset).deadline(deadline());
			connection.post(operation);
			operation.await();
			byte[] content = new byte[length];
			buffer.byteBuffer().get(0, content);
			return content;
		}
		finally {
			buffer.release();
		}
	}

	InboundMessage receive(String peer) {
		InboundMessage message = this.connections.inbox(peer).await(deadline());
		if (message == null) {
			throw new AssertionError("No message of '" + peer + "' came");
		}
		return message;
	}

	PeerStatus status(String peer) {
		return this.connections.peers()
			.stream()
			.filter((status) -> status.name().equals(peer))
			.findFirst()
			.orElseThrow(() -> new AssertionError("No peer is named '" + peer + "'"));
	}

	List<String> states(String peer) {
		synchronized (this.events) {
			return this.events.stream()
				.filter((event) -> event.peer().equals(peer))
				.map((event) -> event.from() + ">" + event.to())
				.toList();
		}
	}

	@Override
	public void close() {
		stop();
		this.connections.close();
		this.groups.close();
		this.poller.close();
		this.regions.close();
		long used = this.pool.statistics().usedBytes();
		this.pool.close();
		this.executor.shutdownNow();
		try {
			this.executor.awaitTermination(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.protectionDomain.close();
		this.context.close();
		if (used != 0) {
			throw new AssertionError(used + " bytes of the pool were not given back");
		}
	}

	static final class Options {

		final ConnectionSettings.ConnectionSettingsBuilder settings = ConnectionSettings.builder()
			.recoveryDelay(Duration.ofMillis(100))
			.maxRecoveryDelay(Duration.ofMillis(400));

		private final String name;

		private final Map<String, RegionDefinition> regions = new LinkedHashMap<>();

		private final List<PeerDefinition> peers = new ArrayList<>();

		private long poolSize = 8 * 1024 * 1024;

		private int port;

		boolean quiet;

		private @Nullable PeerTrust trust;

		private UnaryOperator<Executor> executor = UnaryOperator.identity();

		private UnaryOperator<ProtectionDomain> domain = UnaryOperator.identity();

		private Options(String name) {
			this.name = name;
		}

		Options peer(String peer, int port) {
			return peer(new PeerDefinition(peer, "localhost", port));
		}

		Options peer(PeerDefinition peer) {
			this.peers.add(peer);
			return this;
		}

		Options region(String region, int size, AccessFlag... rights) {
			EnumSet<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE);
			access.addAll(List.of(rights));
			this.regions.put(region, new RegionDefinition(size, access));
			return this;
		}

		Options poolSize(long bytes) {
			this.poolSize = bytes;
			return this;
		}

		Options port(int listenPort) {
			this.port = listenPort;
			return this;
		}

		Options executor(UnaryOperator<Executor> decorator) {
			this.executor = decorator;
			return this;
		}

		Options domain(UnaryOperator<ProtectionDomain> decorator) {
			this.domain = decorator;
			return this;
		}

		Options trust(PeerTrust peerTrust) {
			this.trust = peerTrust;
			return this;
		}

	}

}
