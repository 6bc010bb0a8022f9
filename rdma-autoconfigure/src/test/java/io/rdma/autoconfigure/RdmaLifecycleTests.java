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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rdma.core.RdmaTemplate;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.connection.ConnectionState;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.PeerStatus;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.connection.RdmaServer;
import io.rdma.core.memory.RdmaMemoryPool;

import io.rdma.listener.RdmaListener;
import io.rdma.testing.TestDevice;
import io.rdma.verbs.DeviceContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.InOrder;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.AbstractApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RdmaLifecycle}, and that all is released in the right order.
 */
@ExtendWith(OutputCaptureExtension.class)
class RdmaLifecycleTests {

	private static final Duration LIMIT = TestDevice.PATIENCE;

	private final ApplicationContextRunner serverRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, RdmaAutoConfiguration.class,
				RdmaTemplateAutoConfiguration.class, RdmaListenerAutoConfiguration.class))
		.withPropertyValues("rdma.memory.pool-size=2MB", "rdma.name=server", "rdma.server.port=0",
				"rdma.regions.blobs.size=64KB", "rdma.regions.blobs.access=remote-read,remote-write,remote-atomic")
		.withPropertyValues(TestDevice.settings())
		.withUserConfiguration(Listener.class);

	private final ApplicationContextRunner clientRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, RdmaAutoConfiguration.class,
				RdmaTemplateAutoConfiguration.class))
		.withPropertyValues("rdma.memory.pool-size=2MB", "rdma.name=client")
		.withPropertyValues(TestDevice.settings());

	private final CompletionQueuePoller poller = mock(CompletionQueuePoller.class);

	private final DeviceEventMonitor monitor = mock(DeviceEventMonitor.class);

	private final RdmaConnections connections = mock(RdmaConnections.class);

	private final RdmaServer server = mock(RdmaServer.class);

	private final RdmaLifecycle lifecycle = new RdmaLifecycle(this.poller, this.monitor, this.connections, this.server);

	@Test
	void startsInOneOrderAndStopsInTheOther() {
		InOrder order = inOrder(this.poller, this.monitor, this.connections, this.server);
		this.lifecycle.start();
		assertThat(this.lifecycle.isRunning()).isTrue();
		order.verify(this.poller).start();
		order.verify(this.monitor).start();
		order.verify(this.connections).start();
		order.verify(this.server).start();
		this.lifecycle.stop(() -> {
		});
		assertThat(this.lifecycle.isRunning()).isFalse();
		order.verify(this.server).stop();
		order.verify(this.connections).stop();
		order.verify(this.monitor).stop();
		order.verify(this.poller).stop();
	}

	@Test
	void whenStoppingFailsThenShutdownDoesNotWaitForIt() {
		willThrow(new IllegalStateException("stuck")).given(this.connections).stop();
		List<String> calls = new CopyOnWriteArrayList<>();
		assertThatIllegalStateException().isThrownBy(() -> this.lifecycle.stop(() -> calls.add("stopped")));
		assertThat(calls).containsExactly("stopped");
		InOrder order = inOrder(this.poller, this.monitor);
		order.verify(this.monitor).stop();
		order.verify(this.poller).stop();
	}

	@Test
	void startsBeforeAndStopsAfterWhateverUsesIt() {
		assertThat(this.lifecycle.getPhase()).isLessThan(SmartLifecycle.DEFAULT_PHASE - 4096).isLessThan(0);
		assertThat(this.lifecycle.isAutoStartup()).isTrue();
		assertThat(this.lifecycle.isPauseable()).isTrue();
	}

	@Test
	void whatIsConfiguredMovesBytes(CapturedOutput output) {
		this.serverRunner.run((server) -> {
			int port = server.getBean(RdmaServer.class).port();
			this.clientRunner.withPropertyValues("rdma.peers.storage.address=127.0.0.1:" + port).run((client) -> {
				RdmaTemplate template = client.getBean(RdmaTemplate.class);
				template.write("storage", "blobs", 8, new byte[] { 1, 2, 3 });
				assertThat(template.read("storage", "blobs", 8, 3)).containsExactly(1, 2, 3);
				assertThat(template.fetchAndAdd("storage", "blobs", 0, 5)).isZero();
				template.convertAndSend("storage", "hello");
				List<String> messages = server.getBean(Listener.class).messages;
				Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(messages).containsExactly("hello"));
			});
			assertThat(server.getBean(RdmaMemoryPool.class).statistics().heldBackBytes()).isZero();
		});
		assertThat(output).doesNotContain("WARN", "ERROR");
	}

	@Test
	void canBeStoppedAndStartedAgainAndAgain(CapturedOutput output) {
		this.serverRunner.run((server) -> {
			ConfigurableApplicationContext serverContext = server.getSourceApplicationContext();
			this.clientRunner
				.withPropertyValues("rdma.peers.storage.address=127.0.0.1:" + server.getBean(RdmaServer.class).port())
				.run((client) -> {
					RdmaTemplate template = client.getBean(RdmaTemplate.class);
					ConfigurableApplicationContext clientContext = client.getSourceApplicationContext();
					for (int i = 1; i <= 20; i++) {
						assertThat(template.fetchAndAdd("storage", "blobs", 0, 1)).isEqualTo(i - 1);
						clientContext.stop();
						assertThat(threads()).noneMatch((name) -> name.contains("client"));
						assertThat(client.getBean(RdmaConnections.class).isRunning()).isFalse();
						clientContext.start();
						assertThat(client.getBean(RdmaConnections.class).isRunning()).isTrue();
					}
				});
			for (int i = 0; i < 20; i++) {
				serverContext.stop();
				assertThat(server.getBean(RdmaServer.class).isRunning()).isFalse();
				serverContext.start();
				assertThat(server.getBean(RdmaServer.class).port()).isPositive();
			}
		});
		assertThat(output).doesNotContain("EBUSY", "ERROR");
	}

	@Test
	void whenClosedThenNothingIsLeft(CapturedOutput output) {
		for (int i = 0; i < 5; i++) {
			DeviceContext[] context = new DeviceContext[1];
			this.serverRunner.run((server) -> {
				context[0] = server.getBean(DeviceContext.class);
				int port = server.getBean(RdmaServer.class).port();
				this.clientRunner.withPropertyValues("rdma.peers.storage.address=127.0.0.1:" + port)
					.run((client) -> client.getBean(RdmaTemplate.class).write("storage", "blobs", 0, new byte[100]));
			});
			assertThat(context[0].isOpen()).isFalse();
			Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(threads()).isEmpty());
		}
		assertThat(output).doesNotContain("WARN", "ERROR");
	}

	@Test
	void whenContextIsClosedWhilePeersAreConnectedThenTheyAreTold() {
		this.serverRunner.run((server) -> this.clientRunner
			.withPropertyValues("rdma.peers.storage.address=127.0.0.1:" + server.getBean(RdmaServer.class).port())
			.run((client) -> {
				RdmaTemplate template = client.getBean(RdmaTemplate.class);
				template.write("storage", "blobs", 0, new byte[100]);
				((AbstractApplicationContext) server.getSourceApplicationContext()).close();
				Awaitility.await()
					.atMost(LIMIT)
					.untilAsserted(() -> assertThat(client.getBean(RdmaConnections.class).peers())
						.extracting(PeerStatus::state)
						.doesNotContain(ConnectionState.READY));
			}));
	}

	/**
	 * Return the threads of RDMA, but for the one that watches for leaks, which ends when
	 * the garbage collector finds its pool.
	 */
	private static List<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter(Thread::isAlive)
			.map(Thread::getName)
			.filter((name) -> name.startsWith("rdma-") && !name.equals("rdma-memory-cleaner"))
			.toList();
	}

	static class Listener {

		private final List<String> messages = new CopyOnWriteArrayList<>();

		@RdmaListener
		void received(String message) {
			this.messages.add(message);
		}

	}

}
