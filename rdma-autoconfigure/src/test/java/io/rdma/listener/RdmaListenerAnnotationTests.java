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

package io.rdma.listener;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Set;
import java.util.stream.Stream;

import io.rdma.core.RdmaOperations;
import io.rdma.core.connection.RdmaConnections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;

/**
 * Tests for how {@link RdmaListener} methods are found, and refused at start-up.
 */
class RdmaListenerAnnotationTests {

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void whenListenerIsWrongThenTheApplicationDoesNotStart(String message, Class<?> component) {
		assertThat(NestedExceptionUtils.getMostSpecificCause(catchThrowable(() -> run(component))))
			.hasMessageContaining(message);
	}

	static Stream<Arguments> whenListenerIsWrongThenTheApplicationDoesNotStart() {
		return Stream.of(
				Arguments.of("RdmaListenerAnnotationTests$NoArgument.take' must have exactly one argument, but has 0",
						NoArgument.class),
				Arguments.of("must have exactly one argument, but has 2", TwoArguments.class),
				Arguments.of("must not have an argument of the primitive type int", Primitive.class),
				Arguments.of("Two @RdmaListener methods have the id 'same'", SameId.class),
				Arguments.of("Two @RdmaListener methods take the messages of peer 'b'", SamePeer.class),
				Arguments.of("Two @RdmaListener methods take the messages of all peers", TwoForAll.class),
				Arguments.of("Could not resolve placeholder 'missing'", MissingPlaceholder.class),
				Arguments.of("gives no name", EmptyPeers.class), Arguments.of("gives no name", EmptyPeer.class));
	}

	@Test
	void whenThereIsNoContainerFactoryThenTheMessageNamesIt() {
		Throwable failure = catchThrowable(
				() -> new AnnotationConfigApplicationContext(EnableRdmaConfiguration.class, Good.class).close());
		assertThat(NestedExceptionUtils.getMostSpecificCause(failure))
			.hasMessageContaining("needs a bean 'rdmaListenerContainerFactory'");
	}

	@Test
	void whenThereAreNoListenersThenNoContainerFactoryIsNeeded() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
				EnableRdmaConfiguration.class)) {
			assertThat(context.getBean(RdmaListenerEndpointRegistry.class).getListenerContainers()).isEmpty();
		}
	}

	@Test
	void whenAnnotationIsComposedThenItIsFound() {
		try (AnnotationConfigApplicationContext context = run(Composed.class)) {
			RdmaListenerContainer container = context.getBean(RdmaListenerEndpointRegistry.class)
				.getListenerContainer("rdmaListenerAnnotationTests.Composed.take");
			assertThat(container).isNotNull();
			assertThat(container.endpoint().peers()).containsExactlyInAnyOrder("a", "b");
			assertThat(container.id()).isEqualTo("rdmaListenerAnnotationTests.Composed.take");
		}
	}

	@Test
	void whenBeanIsProxiedThenTheProxyIsCalled() throws Throwable {
		try (AnnotationConfigApplicationContext context = run(ProxyConfiguration.class)) {
			RdmaListenerContainer container = context.getBean(RdmaListenerEndpointRegistry.class)
				.getListenerContainer("good");
			assertThat(container).isNotNull();
			assertThat(container.endpoint().bean()).isSameAs(context.getBean(Good.class))
				.isNotExactlyInstanceOf(Good.class);
		}
	}

	@Test
	void whenBeanIsMadeLaterThenItsListenerIsAdded() {
		try (AnnotationConfigApplicationContext context = run()) {
			RdmaListenerEndpointRegistry registry = context.getBean(RdmaListenerEndpointRegistry.class);
			assertThat(registry.getListenerContainers()).isEmpty();
			context.registerBean(Good.class);
			context.getBean(Good.class);
			assertThat(registry.getListenerContainers()).singleElement().satisfies((container) -> {
				assertThat(container.id()).isEqualTo("good");
				assertThat(container.isRunning()).isTrue();
			});
		}
	}

	@Test
	void methodsAreKeptForNativeImages() throws Exception {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Good.class);
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(Good.class.getDeclaredMethod("take", String.class))).accepts(hints);
	}

	@Test
	void beansHaveTheirPublishedNames() {
		try (AnnotationConfigApplicationContext context = run()) {
			assertThat(context.getBean(RdmaListenerConfigUtils.ANNOTATION_PROCESSOR_BEAN_NAME))
				.isInstanceOf(RdmaListenerAnnotationBeanPostProcessor.class);
			assertThat(context.getBean(RdmaListenerConfigUtils.ENDPOINT_REGISTRY_BEAN_NAME))
				.isInstanceOf(RdmaListenerEndpointRegistry.class);
		}
	}

	private static AnnotationConfigApplicationContext run(Class<?>... components) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		try {
			context.register(EnableRdmaConfiguration.class, PropertySourcesPlaceholderConfigurer.class);
			context.registerBean("rdmaListenerContainerFactory", RdmaListenerContainerFactory.class,
					() -> new RdmaListenerContainerFactory(mock(RdmaConnections.class), mock(RdmaOperations.class)));
			if (components.length > 0) {
				context.register(components);
			}
			context.refresh();
			return context;
		}
		catch (RuntimeException ex) {
			context.close();
			throw ex;
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableRdma
	static class EnableRdmaConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxyConfiguration {

		@Bean
		Good good() {
			ProxyFactory factory = new ProxyFactory(new Good());
			factory.setProxyTargetClass(true);
			return (Good) factory.getProxy();
		}

	}

	static class Good {

		@RdmaListener(id = "good")
		void take(String text) {
		}

	}

	@RdmaListener
	@Retention(RetentionPolicy.RUNTIME)
	@interface FromFriends {

		@AliasFor(annotation = RdmaListener.class)
		String[] peers() default "a,b";

	}

	static class Composed {

		@FromFriends
		void take(String text) {
		}

	}

	static class NoArgument {

		@RdmaListener
		void take() {
		}

	}

	static class TwoArguments {

		@RdmaListener
		void take(String text, Set<String> more) {
		}

	}

	static class Primitive {

		@RdmaListener
		void take(int number) {
		}

	}

	static class SameId {

		@RdmaListener(id = "same", peers = "a")
		void one(String text) {
		}

		@RdmaListener(id = "same", peers = "b")
		void other(String text) {
		}

	}

	static class SamePeer {

		@RdmaListener(peers = { "a", "b" })
		void one(String text) {
		}

		@RdmaListener(peers = "b")
		void other(String text) {
		}

	}

	static class TwoForAll {

		@RdmaListener
		void one(String text) {
		}

		@RdmaListener
		void other(String text) {
		}

	}

	static class MissingPlaceholder {

		@RdmaListener(peers = "${missing}")
		void take(String text) {
		}

	}

	static class EmptyPeers {

		@RdmaListener(peers = "${missing:}")
		void take(String text) {
		}

	}

	static class EmptyPeer {

		@RdmaListener(peers = "a,,b")
		void take(String text) {
		}

	}

}
