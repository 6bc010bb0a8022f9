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
import java.util.List;
import java.util.concurrent.Executor;

import io.rdma.actuate.MicrometerOperationMetrics;
import io.rdma.actuate.RdmaEndpoint;
import io.rdma.actuate.RdmaHealthIndicator;
import io.rdma.actuate.RdmaMetrics;
import io.rdma.core.RdmaTemplate;
import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.completion.PollerThreadStatistics;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.PeerStatus;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.connection.RdmaServer;
import io.rdma.core.memory.LocalRegion;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.core.memory.RdmaRegions;
import io.rdma.listener.EnableRdma;
import io.rdma.listener.RdmaListenerContainerFactory;
import io.rdma.listener.RdmaListenerEndpointRegistry;
import io.rdma.listener.RdmaListenerErrorHandler;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.soft.SoftProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.converter.StringMessageConverter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link RdmaAutoConfiguration}, {@link RdmaTemplateAutoConfiguration} and
 * {@link RdmaListenerAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class RdmaAutoConfigurationTests {

	private static final Class<?>[] BEANS = { VerbsProvider.class, DeviceContext.class, ProtectionDomain.class,
			LocalEndpoint.class, RdmaMemoryPool.class, RdmaRegions.class, CompletionQueuePoller.class,
			CompletionQueueGroups.class, DeviceEventMonitor.class, RdmaConnections.class, RdmaServer.class,
			RdmaTemplate.class, RdmaListenerContainerFactory.class, RdmaListenerEndpointRegistry.class };

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, RdmaAutoConfiguration.class,
				RdmaTemplateAutoConfiguration.class, RdmaListenerAutoConfiguration.class))
		.withPropertyValues("rdma.memory.pool-size=2MB", "rdma.provider=soft");

	@Test
	void definesABeanOfEachKind() {
		this.contextRunner.withPropertyValues("rdma.server.port=0").run((context) -> {
			for (Class<?> type : BEANS) {
				assertThat(context).hasSingleBean(type);
			}
			assertThat(context).hasBean("rdmaMessageConverter");
			assertThat(context.getBean(RdmaConnections.class).isRunning()).isTrue();
			assertThat(context.getBean(CompletionQueuePoller.class).isRunning()).isTrue();
			assertThat(context.getBean(DeviceEventMonitor.class).isRunning()).isTrue();
			assertThat(context.getBean(RdmaServer.class).port()).isPositive();
		});
	}

	@Test
	void whenNoPortIsSetThenNothingListens() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(RdmaConnections.class)
			.doesNotHaveBean(RdmaServer.class));
	}

	@Test
	void whenDisabledThenThereIsNothing() {
		this.contextRunner.withPropertyValues("rdma.enabled=false", "rdma.server.port=0").run((context) -> {
			for (Class<?> type : BEANS) {
				assertThat(context).doesNotHaveBean(type);
			}
		});
	}

	@Test
	void whenAutoFindsNoDeviceThenTheSoftwareDeviceIsTakenAndOneLineSaysSo(CapturedOutput output) {
		this.contextRunner.withPropertyValues("rdma.provider=auto", "rdma.device.name=none").run((context) -> {
			assertThat(context.getBean(VerbsProvider.class)).isInstanceOf(SoftProvider.class);
			assertThat(output.toString().lines().filter((line) -> line.contains("Using device soft0"))).singleElement()
				.asString()
				.contains("'rdma.provider' is 'auto'");
		});
	}

	@Test
	void softTakesTheSoftwareDevice(CapturedOutput output) {
		this.contextRunner.run((context) -> {
			assertThat(context.getBean(LocalEndpoint.class).deviceKind()).isEqualTo("soft");
			assertThat(output).doesNotContain("WARN")
				.containsOnlyOnce("Using device soft0 port 1 GID 1 127.0.0.1 RoCE v2 of provider 'soft'");
		});
	}

	@Test
	void propertiesReachThePool() {
		this.contextRunner
			.withPropertyValues("rdma.memory.pool-size=1MB", "rdma.memory.max-pool-size=3MB",
					"rdma.memory.slab-size=512KB")
			.run((context) -> {
				assertThat(context.getBean(RdmaMemoryPool.class).statistics().slabs()).isEqualTo(2);
				assertThat(context.getBean(RdmaMemoryPool.class).statistics().maxBytes()).isEqualTo(3 << 20);
				assertThat(context.getBean(RdmaMemoryPool.class).maxBufferSize()).isEqualTo(512 << 10);
			});
	}

	@Test
	void regionsAreRegistered() {
		this.contextRunner
			.withPropertyValues("rdma.regions.blobs.size=64KB", "rdma.regions.blobs.access=remote-read,remote-write",
					"rdma.regions.counters.size=4KB", "rdma.regions.counters.access[0]=remote-atomic")
			.run((context) -> {
				RdmaRegions regions = context.getBean(RdmaRegions.class);
				assertThat(regions.all()).extracting(LocalRegion::name).containsExactly("blobs", "counters");
				assertThat(regions.get("blobs").size()).isEqualTo(64 << 10);
				assertThat(regions.get("blobs").access()).contains(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)
					.doesNotContain(AccessFlag.REMOTE_ATOMIC);
			});
	}

	@Test
	void peersAreKnown() {
		this.contextRunner
			.withPropertyValues("rdma.peers.storage.address=127.0.0.1:1", "rdma.peers.backup.address=[::1]:2",
					"rdma.peers.backup.required=true")
			.run((context) -> assertThat(context.getBean(RdmaConnections.class).peers())
				.extracting(PeerStatus::name, PeerStatus::required)
				.containsExactlyInAnyOrder(tuple("storage", false), tuple("backup", true)));
	}

	@Test
	void customizersAreCalledInTheirOrder() {
		this.contextRunner.withUserConfiguration(Customizers.class).run((context) -> {
			assertThat(context.getBean(Customizers.class).calls).containsExactly("pool", "connections",
					"template-first", "template-second");
			assertThat(context.getBean(RdmaMemoryPool.class).statistics().maxBytes()).isEqualTo(16 << 20);
		});
	}

	@Test
	void aMessageConverterOfOtherMessagingIsNotTaken() {
		this.contextRunner.withBean("jsonConverter", MessageConverter.class, StringMessageConverter::new)
			.run((context) -> {
				assertThat(context).hasBean("rdmaMessageConverter");
				// Whoever asks for a converter gets the other one
				assertThat(context.getBeanProvider(MessageConverter.class).getIfUnique())
					.isSameAs(context.getBean("jsonConverter"));
			});
	}

	@Test
	void aListenerErrorHandlerIsTaken() {
		RdmaListenerErrorHandler handler = (listener, message, exception) -> {
		};
		this.contextRunner.withBean(RdmaListenerErrorHandler.class, () -> handler)
			.withPropertyValues("rdma.listener.auto-startup=false", "rdma.listener.shutdown-timeout=3s")
			.run((context) -> assertThat(context.getBean(RdmaListenerContainerFactory.class))
				.hasFieldOrPropertyWithValue("errorHandler", handler)
				.hasFieldOrPropertyWithValue("autoStartup", false)
				.hasFieldOrPropertyWithValue("shutdownTimeout", Duration.ofSeconds(3)));
	}

	@Test
	void whenTheApplicationEnablesRdmaItselfThenThatIsEnough() {
		this.contextRunner.withUserConfiguration(OwnEnableRdma.class)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RdmaListenerEndpointRegistry.class));
	}

	@Test
	void whenVirtualThreadsAreEnabledThenPollersStayPlatformThreads() {
		this.contextRunner.withPropertyValues("spring.threads.virtual.enabled=true").run((context) -> {
			assertThat(context).hasNotFailed();
			List<String> pollers = context.getBean(CompletionQueuePoller.class)
				.statistics()
				.threads()
				.stream()
				.map(PollerThreadStatistics::name)
				.toList();
			assertThat(pollers).isNotEmpty();
			// Only platform threads are among these
			assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName).containsAll(pollers);
		});
	}

	@Test
	void whenThereIsNoTaskExecutorThenItWorksWithout() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RdmaAutoConfiguration.class, RdmaTemplateAutoConfiguration.class))
			.withPropertyValues("rdma.memory.pool-size=2MB", "rdma.provider=soft")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RdmaTemplate.class));
	}

	@Test
	void theApplicationsExecutorIsStillBootsOwn() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(Executor.class)
			.hasBean(TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME));
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.boot.health", "org.springframework.boot.actuate",
			"org.springframework.boot.micrometer", "io.micrometer", "jakarta.validation", "tools.jackson" })
	void whenAModuleIsMissingThenTheRestWorks(String missing) {
		new ApplicationContextRunner().withUserConfiguration(RdmaOnly.class)
			.withPropertyValues("rdma.memory.pool-size=2MB", "rdma.provider=soft")
			.withClassLoader(new FilteredClassLoader(missing))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RdmaTemplate.class));
	}

	@Test
	void whenEverythingIsThereThenEverythingIsConfigured() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("rdma.memory.pool-size=2MB", "rdma.provider=soft", "spring.jmx.enabled=true",
					"management.endpoints.jmx.exposure.include=rdma")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(RdmaTemplate.class)
				.hasSingleBean(RdmaListenerEndpointRegistry.class)
				.hasSingleBean(RdmaHealthIndicator.class)
				.hasSingleBean(RdmaMetrics.class)
				.hasSingleBean(MicrometerOperationMetrics.class)
				.hasSingleBean(RdmaEndpoint.class));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	/**
	 * Imported as Boot imports auto-configurations: those that miss classes are never
	 * loaded.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ TaskExecutionAutoConfiguration.class, RdmaAutoConfiguration.class,
			RdmaTemplateAutoConfiguration.class, RdmaListenerAutoConfiguration.class,
			RdmaHealthContributorAutoConfiguration.class, RdmaMetricsAutoConfiguration.class,
			RdmaOperationMetricsAutoConfiguration.class, RdmaEndpointAutoConfiguration.class })
	static class RdmaOnly {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableRdma
	static class OwnEnableRdma {

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		private final List<String> calls = new ArrayList<>();

		@Bean
		RdmaMemoryPoolCustomizer poolCustomizer() {
			return (builder) -> {
				this.calls.add("pool");
				builder.maxSize(16 << 20);
			};
		}

		@Bean
		RdmaConnectionsCustomizer connectionsCustomizer() {
			return (builder) -> this.calls.add("connections");
		}

		@Bean
		@Order(2)
		RdmaTemplateCustomizer secondTemplateCustomizer() {
			return (builder) -> this.calls.add("template-second");
		}

		@Bean
		@Order(1)
		RdmaTemplateCustomizer firstTemplateCustomizer() {
			return (builder) -> this.calls.add("template-first");
		}

	}

}
