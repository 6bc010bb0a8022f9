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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.rdma.core.RdmaMessage;
import io.rdma.core.RdmaOperations;
import io.rdma.core.RdmaTemplate;
import io.rdma.core.completion.RdmaThread;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaMessageConversionException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.testing.RdmaTestNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RdmaListener} methods in an application context.
 */
@ExtendWith(OutputCaptureExtension.class)
class RdmaListenerTests {

	private final List<AnnotationConfigApplicationContext> contexts = new ArrayList<>();

	private RdmaTestNode server;

	private RdmaTestNode alice;

	private RdmaTestNode bob;

	@BeforeEach
	void start() {
		this.server = RdmaTestNode.named("server").start();
		this.alice = RdmaTestNode.named("alice").peer("server", this.server.port()).start();
		this.bob = RdmaTestNode.named("bob").peer("server", this.server.port()).start();
	}

	@AfterEach
	void stop() {
		this.contexts.forEach(AnnotationConfigApplicationContext::close);
		this.alice.close();
		this.bob.close();
		this.server.close();
	}

	@Test
	void whenArgumentIsOfAnySupportedTypeThenPayloadIsConverted() throws Exception {
		Typed typed = run(Typed.class).getBean(Typed.class);
		this.alice.template().convertAndSend("server", "text");
		assertThat(typed.next()).isEqualTo("text");
		this.bob.template().send("server", new byte[] { 1, 2 });
		assertThat((byte[]) typed.next()).containsExactly(1, 2);
		try (RdmaTestNode carol = RdmaTestNode.named("carol").peer("server", this.server.port()).start()) {
			carol.template().send("server", new byte[] { 3 });
			RdmaMessage message = (RdmaMessage) typed.next();
			assertThat(message.peer()).isEqualTo("carol");
			assertThat(message.payload()).containsExactly(3);
		}
	}

	@Test
	void whenPeersAreNotNamedThenMessagesOfAllOthersAreTaken() throws Exception {
		Others listener = run(Others.class).getBean(Others.class);
		this.alice.template().convertAndSend("server", "from alice");
		assertThat(listener.next()).isEqualTo("from alice for bob or alice");
		this.bob.template().convertAndSend("server", "from bob");
		assertThat(listener.next()).isEqualTo("from bob for bob or alice");
		try (RdmaTestNode carol = RdmaTestNode.named("carol").peer("server", this.server.port()).start()) {
			carol.template().convertAndSend("server", "from carol");
			assertThat(listener.next()).isEqualTo("from carol for the others");
		}
	}

	@Test
	void whenMessagesComeBeforeTheListenerThenTheyAreNotLost() throws Exception {
		for (int i = 0; i < 10; i++) {
			this.alice.template().convertAndSend("server", "" + i);
		}
		Recorder listener = run(Recorder.class).getBean(Recorder.class);
		for (int i = 0; i < 10; i++) {
			assertThat(listener.next()).isEqualTo("alice " + i);
		}
	}

	@Test
	void messagesOfAPeerComeOneAtATimeAndInOrderAndThoseOfOthersMeanwhile() throws Exception {
		Slow listener = run(Slow.class).getBean(Slow.class);
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = 0; i < 300; i++) {
			futures.add(this.alice.template().convertAndSendAsync("server", "" + i));
			futures.add(this.bob.template().convertAndSendAsync("server", "" + i));
		}
		CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
		await().until(() -> listener.received.size() == 600);
		for (String peer : new String[] { "alice", "bob" }) {
			assertThat(listener.received.stream().filter((text) -> text.startsWith(peer)))
				.containsExactlyElementsOf(IntStream.range(0, 300).mapToObj((i) -> peer + " " + i).toList());
		}
		assertThat(listener.problems).isEmpty();
	}

	@Test
	void whenListenerWaitsForOnePeerThenAnotherIsNotHeldUp() throws Exception {
		Blocking listener = run(Blocking.class).getBean(Blocking.class);
		this.alice.template().convertAndSend("server", "block");
		this.bob.template().convertAndSend("server", "go on");
		assertThat(listener.next()).isEqualTo("go on");
		listener.release.countDown();
		assertThat(listener.next()).isEqualTo("block");
	}

	@Test
	void whenListenerThrowsThenOneLineIsLoggedAndTheNextMessageComes(CapturedOutput output) throws Exception {
		Failing listener = run(Failing.class).getBean(Failing.class);
		this.alice.template().convertAndSend("server", "fail");
		this.alice.template().convertAndSend("server", "error");
		this.alice.template().send("server", new byte[0]);
		this.alice.template().convertAndSend("server", "fine");
		assertThat(listener.next()).isEqualTo("fine");
		assertThat(output.getAll().lines().filter((line) -> line.contains("on purpose"))).hasSize(2)
			.allSatisfy(
					(line) -> assertThat(line).contains("'rdmaListenerTests.Failing.take'").contains("peer 'alice'"));
	}

	@Test
	void whenErrorHandlerIsGivenThenItIsToldAndMayThrow() throws Exception {
		BlockingQueue<Object> told = new LinkedBlockingQueue<>();
		Failing listener = run((factory) -> factory.setErrorHandler((id, message, exception) -> {
			told.add(List.of(id, message.text(), exception.getMessage()));
			throw new IllegalStateException("handler failed");
		}), Failing.class).getBean(Failing.class);
		this.alice.template().convertAndSend("server", "fail");
		this.alice.template().convertAndSend("server", "fine");
		assertThat(told.poll(20, TimeUnit.SECONDS))
			.isEqualTo(List.of("rdmaListenerTests.Failing.take", "fail", "on purpose"));
		assertThat(listener.next()).isEqualTo("fine");
	}

	@Test
	void whenPayloadCannotBeConvertedThenErrorHandlerIsTold() throws Exception {
		BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
		run((factory) -> factory.setErrorHandler((id, message, exception) -> told.add(exception)), Unconvertible.class);
		this.alice.template().convertAndSend("server", "x");
		assertThat(told.poll(20, TimeUnit.SECONDS)).isInstanceOf(RdmaMessageConversionException.class)
			.hasMessageContaining("java.lang.Integer");
	}

	@Test
	void whenMethodReturnsAValueThenItIsTheReply() {
		run(Echo.class);
		RdmaTemplate rdma = this.alice.template();
		assertThat(rdma.convertSendAndReceive("server", "hello", String.class)).isEqualTo("hello alice");
		rdma.convertAndSend("server", "no reply wanted");
		List<CompletableFuture<String>> replies = IntStream.range(0, 20)
			.mapToObj((i) -> rdma.convertSendAndReceiveAsync("server", "" + i, String.class))
			.toList();
		for (int i = 0; i < 20; i++) {
			assertThat(replies.get(i).join()).isEqualTo(i + " alice");
		}
	}

	@Test
	void whenMethodReturnsNothingThenRequestTimesOutAndThatIsSaidOnce(CapturedOutput output) {
		run(Recorder.class);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(RdmaTimeoutException.class).isThrownBy(() -> this.alice.template()
				.convertSendAndReceive("server", "x", String.class, Duration.ofMillis(200)));
		}
		assertThat(output.getAll().lines().filter((line) -> line.contains("returned nothing"))).hasSize(1);
	}

	@Test
	void whenListenerUsesTheTemplateThenThatWorks() throws Exception {
		AnnotationConfigApplicationContext context = run(Forwarder.class);
		Forwarder listener = context.getBean(Forwarder.class);
		this.alice.template().convertAndSend("server", "hello");
		assertThat(listener.next()).isInstanceOf(Thread.class).isNotInstanceOf(RdmaThread.class);
		assertThat(this.alice.template().receiveAndConvert("server", String.class)).isEqualTo("hello back");
	}

	@Test
	void whenStoppedThenMessagesWaitForTheNextStart() throws Exception {
		AnnotationConfigApplicationContext context = run(Recorder.class);
		Recorder listener = context.getBean(Recorder.class);
		RdmaListenerEndpointRegistry registry = context.getBean(RdmaListenerEndpointRegistry.class);
		this.alice.template().convertAndSend("server", "1");
		assertThat(listener.next()).isEqualTo("alice 1");
		context.stop();
		assertThat(registry.isRunning()).isFalse();
		this.alice.template().convertAndSend("server", "2");
		this.bob.template().convertAndSend("server", "3");
		assertThat(listener.received.poll(200, TimeUnit.MILLISECONDS)).isNull();
		context.start();
		assertThat(registry.isRunning()).isTrue();
		assertThat(List.of(listener.next(), listener.next())).containsExactlyInAnyOrder("alice 2", "bob 3");
	}

	@Test
	void whenStoppedThenTheCallUnderWayIsWaitedFor() throws Exception {
		AnnotationConfigApplicationContext context = run(Blocking.class);
		Blocking listener = context.getBean(Blocking.class);
		this.alice.template().convertAndSend("server", "block");
		assertThat(listener.entered.await(20, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> stop = CompletableFuture.runAsync(context::stop);
		assertThat(stop.isDone()).isFalse();
		listener.release.countDown();
		stop.get(20, TimeUnit.SECONDS);
		assertThat(listener.received).containsExactly("block");
	}

	@Test
	void whenCallDoesNotEndThenStopIsBoundedAndSaysSo(CapturedOutput output) throws Exception {
		AnnotationConfigApplicationContext context = run(
				(factory) -> factory.setShutdownTimeout(Duration.ofMillis(100)), Blocking.class);
		Blocking listener = context.getBean(Blocking.class);
		this.alice.template().convertAndSend("server", "block");
		assertThat(listener.entered.await(20, TimeUnit.SECONDS)).isTrue();
		context.stop();
		assertThat(output).contains("Blocking.take after 100 ms");
		// it is still one at a time after the next start
		context.start();
		this.alice.template().convertAndSend("server", "second");
		listener.release.countDown();
		assertThat(listener.next()).isEqualTo("block");
		assertThat(listener.next()).isEqualTo("second");
	}

	@Test
	void whenListenerStopsItsOwnContainerThenItDoesNotWaitForItself() throws Exception {
		AnnotationConfigApplicationContext context = run(SelfStopping.class);
		RdmaListenerContainer container = container(context, "self-stopping");
		this.alice.template().convertAndSend("server", "x");
		assertThat(context.getBean(SelfStopping.class).next()).isEqualTo("stopped");
		assertThat(container.isRunning()).isFalse();
	}

	@Test
	void whenNotToBeStartedThenContainerIsStartedByHand() throws Exception {
		AnnotationConfigApplicationContext context = run((factory) -> factory.setAutoStartup(false), Recorder.class);
		RdmaListenerContainer container = container(context, "recorder");
		assertThat(container.isRunning()).isFalse();
		assertThat(container.endpoint().method().getName()).isEqualTo("take");
		this.alice.template().convertAndSend("server", "x");
		container.start();
		container.start();
		assertThat(context.getBean(Recorder.class).next()).isEqualTo("alice x");
		container.stop();
		container.stop();
	}

	@Test
	void registryStartsLastAndStopsFirst() {
		AnnotationConfigApplicationContext context = run(Recorder.class);
		RdmaListenerEndpointRegistry registry = context.getBean(RdmaListenerEndpointRegistry.class);
		assertThat(registry.getPhase()).isEqualTo(Integer.MAX_VALUE - 100);
		assertThat(registry.isAutoStartup()).isTrue();
		assertThat(registry.getListenerContainers()).hasSize(1);
	}

	private static RdmaListenerContainer container(AnnotationConfigApplicationContext context, String id) {
		RdmaListenerContainer container = context.getBean(RdmaListenerEndpointRegistry.class).getListenerContainer(id);
		assertThat(container).isNotNull();
		return container;
	}

	private AnnotationConfigApplicationContext run(Class<?>... components) {
		return run((factory) -> {
		}, components);
	}

	private AnnotationConfigApplicationContext run(Consumer<RdmaListenerContainerFactory> customizer,
			Class<?>... components) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("friends", "alice, bob", "listener.id", "recorder")));
		context.registerBean(RdmaOperations.class, () -> this.server.template(), (definition) ->
		// it belongs to the test service
		((AbstractBeanDefinition) definition).setDestroyMethodName(""));
		context.registerBean("rdmaListenerContainerFactory", RdmaListenerContainerFactory.class, () -> {
			RdmaListenerContainerFactory factory = new RdmaListenerContainerFactory(this.server.connections(),
					this.server.template());
			customizer.accept(factory);
			return factory;
		});
		context.register(EnableRdmaConfiguration.class);
		context.register(components);
		this.contexts.add(context);
		context.refresh();
		return context;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableRdma
	static class EnableRdmaConfiguration {

	}

	static class Base {

		final BlockingQueue<Object> received = new LinkedBlockingQueue<>();

		Object next() throws InterruptedException {
			Object next = this.received.poll(20, TimeUnit.SECONDS);
			assertThat(next).isNotNull();
			return next;
		}

	}

	static class Recorder extends Base {

		@RdmaListener(id = "${listener.id}")
		void take(RdmaMessage message) {
			this.received.add(message.peer() + " " + message.text());
		}

	}

	static class Typed extends Base {

		@RdmaListener(peers = "alice")
		void text(String text) {
			this.received.add(text);
		}

		@RdmaListener(peers = "bob")
		public void bytes(byte[] bytes) {
			this.received.add(bytes);
		}

		@RdmaListener
		protected void message(RdmaMessage message) {
			this.received.add(message);
		}

	}

	static class Others extends Base {

		@RdmaListener(peers = { "${friends}" })
		void friends(String text) {
			this.received.add(text + " for bob or alice");
		}

		@RdmaListener(id = "#{'oth' + 'ers'}")
		void others(String text) {
			this.received.add(text + " for the others");
		}

	}

	static class Slow {

		final BlockingQueue<String> received = new LinkedBlockingQueue<>();

		final BlockingQueue<String> problems = new LinkedBlockingQueue<>();

		private final Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();

		@RdmaListener
		void take(RdmaMessage message) {
			AtomicInteger count = this.inside.computeIfAbsent(message.peer(), (peer) -> new AtomicInteger());
			if (count.incrementAndGet() != 1) {
				this.problems.add("Two at a time for " + message.peer());
			}
			this.received.add(message.peer() + " " + message.text());
			count.decrementAndGet();
		}

	}

	static class Blocking extends Base {

		final CountDownLatch entered = new CountDownLatch(1);

		final CountDownLatch release = new CountDownLatch(1);

		@RdmaListener
		void take(String text) throws InterruptedException {
			if (text.equals("block")) {
				this.entered.countDown();
				assertThat(this.release.await(20, TimeUnit.SECONDS)).isTrue();
			}
			this.received.add(text);
		}

	}

	static class Failing extends Base {

		@RdmaListener
		void take(String text) throws Exception {
			switch (text) {
				case "fail" -> throw new Exception("on purpose");
				case "error" -> throw new AssertionError("on purpose");
				case "" -> {
				}
				default -> this.received.add(text);
			}
		}

	}

	static class Unconvertible {

		@RdmaListener
		void take(Integer number) {
		}

	}

	static class Echo {

		@RdmaListener
		String take(RdmaMessage message) {
			return message.text() + " " + message.peer();
		}

	}

	static class Forwarder extends Base {

		private final RdmaOperations rdma;

		Forwarder(RdmaOperations rdma) {
			this.rdma = rdma;
		}

		@RdmaListener
		void take(RdmaMessage message) throws RdmaException {
			this.rdma.send(message.peer(), (message.text() + " back").getBytes(StandardCharsets.UTF_8));
			this.received.add(Thread.currentThread());
		}

	}

	static class SelfStopping extends Base {

		private final RdmaListenerEndpointRegistry registry;

		SelfStopping(RdmaListenerEndpointRegistry registry) {
			this.registry = registry;
		}

		@RdmaListener(id = "self-stopping")
		void take(String text) {
			RdmaListenerContainer container = this.registry.getListenerContainer("self-stopping");
			assertThat(container).isNotNull();
			container.stop();
			this.received.add("stopped");
		}

	}

}
