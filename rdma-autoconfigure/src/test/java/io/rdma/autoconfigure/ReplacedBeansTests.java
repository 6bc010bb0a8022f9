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

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.rdma.core.RdmaOperations;
import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueueLayout;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.completion.PollerMode;
import io.rdma.core.connection.DeviceChoice;
import io.rdma.core.connection.DeviceEventMonitor;
import io.rdma.core.connection.LocalEndpoint;
import io.rdma.core.connection.OperationMetrics;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.connection.RdmaServer;
import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.core.memory.RdmaRegions;
import io.rdma.listener.RdmaListenerContainerFactory;
import io.rdma.verbs.DeviceCandidate;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.soft.SoftProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.converter.StringMessageConverter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * An application can define each of the beans itself: ours gives way, and the rest works
 * with it.
 */
class ReplacedBeansTests {

	private static final String CUSTOM = "custom";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, RdmaAutoConfiguration.class,
				RdmaTemplateAutoConfiguration.class, RdmaListenerAutoConfiguration.class))
		.withPropertyValues("rdma.memory.pool-size=2MB", "rdma.provider=soft", "rdma.server.port=0");

	static Stream<Class<?>> configurations() {
		return Stream.of(ReplacedBeansTests.class.getDeclaredClasses())
			.filter((type) -> type.isAnnotationPresent(Configuration.class));
	}

	@ParameterizedTest
	@MethodSource("configurations")
	void ourBeanGivesWay(Class<?> configuration) {
		this.contextRunner.withUserConfiguration(configuration).run((context) -> {
			assertThat(context).hasNotFailed();
			Class<?> type = configuration.getDeclaredMethods()[0].getReturnType();
			assertThat(context.getBeanNamesForType(type)).containsExactly(CUSTOM);
			assertThat(context.getBean(RdmaConnections.class).isRunning()).isTrue();
		});
	}

	@Test
	void whenTheApplicationOpensTheDeviceThenNoProviderIsNeeded() {
		this.contextRunner.withUserConfiguration(CustomDevice.class)
			.withPropertyValues("rdma.provider=verbs", "rdma.device.name=mlx5_7")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeanFactory().containsSingleton("rdmaProvider")).isFalse();
				assertThat(context.getBean(DeviceChoice.class).provider()).isEqualTo("soft");
				assertThat(context.getBean(LocalEndpoint.class).deviceKind()).isEqualTo("soft");
			});
	}

	@Test
	void whenTheDeviceOfTheApplicationDoesNotFitTheSettingsThenTheStartFails() {
		this.contextRunner.withUserConfiguration(CustomDevice.class)
			.withPropertyValues("rdma.device.gid-index=99")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(RdmaConfigurationException.class)
				.hasMessageContaining("'rdma.device.gid-index' is '99'"));
	}

	@Test
	void whenTheApplicationChoosesTheGidTooThenItIsNotJudged() {
		this.contextRunner.withUserConfiguration(CustomDevice.class, LinkLocalEndpoint.class)
			.withPropertyValues("rdma.device.gid-index=99")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(DeviceChoice.class).chosen().isUsable()).isFalse();
				assertThat(context.getBean(LocalEndpoint.class).gid().index()).isZero();
			});
	}

	@Test
	void whenTheApplicationMakesTheChoiceThenItIsUsed() {
		this.contextRunner.withUserConfiguration(CustomDevice.class, LinkLocalChoice.class)
			.withPropertyValues("rdma.device.gid-index=99")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(LocalEndpoint.class).gid().index()).isZero();
			});
	}

	@ParameterizedTest
	@MethodSource("converterNames")
	void theConverterGivesWayToOneOfItsName(String name, boolean replaced) {
		StringMessageConverter converter = new StringMessageConverter();
		this.contextRunner.withBean(name, MessageConverter.class, () -> converter)
			.run((context) -> assertThat(context.getBean("rdmaMessageConverter") == converter).isEqualTo(replaced));
	}

	static Stream<Object[]> converterNames() {
		return Stream.of(new Object[] { "rdmaMessageConverter", true }, new Object[] { "otherConverter", false });
	}

	@Configuration(proxyBeanMethods = false)
	static class CustomProvider {

		@Bean(CUSTOM)
		VerbsProvider provider() {
			return new SoftProvider();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomDevice {

		@Bean(CUSTOM)
		DeviceContext device() {
			return new SoftProvider().open(SoftProvider.DEVICE_NAME);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomChoice {

		@Bean(CUSTOM)
		DeviceChoice choice(DeviceContext context) {
			DeviceCandidate chosen = new DeviceCandidate(context.device().name(), 1, context.queryGidTable(1).get(0),
					null, null);
			return new DeviceChoice("soft", chosen, "the link-local GID", List.of(chosen), null);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomProtectionDomain {

		@Bean(CUSTOM)
		ProtectionDomain protectionDomain(DeviceContext context) {
			return context.allocateProtectionDomain();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomEndpoint {

		@Bean(CUSTOM)
		LocalEndpoint endpoint(DeviceContext context, ProtectionDomain protectionDomain) {
			return new LocalEndpoint("soft", context, protectionDomain, 1, context.queryGidTable(1).get(0));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomPool {

		@Bean(CUSTOM)
		RdmaMemoryPool pool(ProtectionDomain protectionDomain) {
			return RdmaMemoryPool.builder(protectionDomain).initialSize(1 << 20).slabSize(1 << 20).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomRegions {

		@Bean(CUSTOM)
		RdmaRegions regions(ProtectionDomain protectionDomain) {
			return RdmaRegions.register(protectionDomain, Map.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomPoller {

		@Bean(CUSTOM)
		CompletionQueuePoller poller(DeviceContext context) {
			return new CompletionQueuePoller(context, PollerMode.EVENT, 2, 8);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomGroups {

		@Bean(CUSTOM)
		CompletionQueueGroups groups(CompletionQueuePoller poller) {
			return new CompletionQueueGroups(poller, CompletionQueueLayout.SHARED, 1, 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomMonitor {

		@Bean(CUSTOM)
		DeviceEventMonitor monitor(DeviceContext context) {
			return new DeviceEventMonitor(context, 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomMetrics {

		@Bean(CUSTOM)
		OperationMetrics metrics() {
			return OperationMetrics.NONE;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomConnections {

		@Bean(CUSTOM)
		RdmaConnections connections(LocalEndpoint endpoint, RdmaMemoryPool pool, CompletionQueuePoller poller,
				CompletionQueueGroups groups) {
			return RdmaConnections.builder(endpoint, pool, poller, groups, Runnable::run).name("custom").build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomServer {

		@Bean(CUSTOM)
		RdmaServer server(RdmaConnections connections) {
			return new RdmaServer(connections, "127.0.0.1", 0);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomOperations {

		@Bean(CUSTOM)
		RdmaOperations operations() {
			return mock(RdmaOperations.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomListenerContainerFactory {

		@Bean({ CUSTOM, "rdmaListenerContainerFactory" })
		RdmaListenerContainerFactory factory(RdmaConnections connections, RdmaOperations operations) {
			return new RdmaListenerContainerFactory(connections, operations);
		}

	}

	/** Not annotated, since its bean has a name of its own. */
	static class LinkLocalEndpoint {

		@Bean
		LocalEndpoint ownEndpoint(DeviceContext context, ProtectionDomain protectionDomain) {
			return new LocalEndpoint("soft", context, protectionDomain, 1, context.queryGidTable(1).get(0));
		}

	}

	/** Not annotated, since its bean has a name of its own. */
	static class LinkLocalChoice {

		@Bean
		DeviceChoice ownChoice(DeviceContext context) {
			return new CustomChoice().choice(context);
		}

	}

}
