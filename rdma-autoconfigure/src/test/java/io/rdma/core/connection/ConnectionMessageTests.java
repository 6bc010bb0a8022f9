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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.memory.RdmaBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for messages, the pieces they are cut into, and credits.
 */
class ConnectionMessageTests {

	private static final int RECEIVE_DEPTH = 8;

	private static final int RECEIVE_BUFFER = 1024;

	private TestService receiver;

	private TestService sender;

	private RdmaConnection connection;

	@BeforeEach
	void start() {
		this.receiver = TestService.start("receiver",
				(options) -> options.settings.receiveDepth(RECEIVE_DEPTH)
					.receiveBufferSize(RECEIVE_BUFFER)
					.maxMessageSize(1 << 20));
		this.sender = TestService.start("sender", (options) -> options.peer("receiver", this.receiver.server.port()));
		this.connection = this.sender.connect("receiver");
	}

	@AfterEach
	void stop() {
		this.sender.close();
		this.receiver.close();
	}

	private static byte[] random(int size) {
		byte[] content = new byte[size];
		new Random(size).nextBytes(content);
		return content;
	}

	private static byte[] text(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private RdmaConnection back() {
		return this.receiver.connections.get("sender", TestService.deadline());
	}

	@Test
	void whenManyAreSentThenAllArriveInOrderAndNoneMeetsAMissingReceive() throws Exception {
		int count = 5000;
		CompletableFuture<Integer> received = CompletableFuture.supplyAsync(() -> {
			for (int i = 0; i < count; i++) {
				assertThat(this.receiver.receive("sender").payload()).asString().isEqualTo("message " + i);
			}
			return count;
		});
		for (int i = 0; i < count; i++) {
			this.sender.send(this.connection, text("message " + i), TestService.PATIENCE);
		}
		assertThat(received.get(60, TimeUnit.SECONDS)).isEqualTo(count);
		assertThat(this.connection.state()).isEqualTo(ConnectionState.READY);
		assertThat(this.connection.details().messagesSent()).isEqualTo(count);
	}

	@Test
	void whenApplicationExecutorFailsThenTheConnectionLivesAndTheNextMessageTellsOfBoth() throws Exception {
		AtomicBoolean broken = new AtomicBoolean();
		BlockingQueue<String> received = new LinkedBlockingQueue<>();
		try (TestService fragile = TestService.start("fragile", (options) -> options.executor((executor) -> (task) -> {
			if (broken.get()) {
				throw new IllegalStateException("no thread");
			}
			executor.execute(task);
		}));
				TestService client = TestService.start("client",
						(options) -> options.peer("fragile", fragile.server.port()))) {
			Inbox inbox = fragile.connections.inbox("client");
			inbox.onAvailable(() -> {
				for (InboundMessage message = inbox.poll(); message != null; message = inbox.poll()) {
					received.add(new String(message.payload(), StandardCharsets.UTF_8));
				}
			});
			broken.set(true);
			client.send("fragile", text("1"));
			await().atMost(TestService.PATIENCE).until(() -> inbox.size() == 1);
			broken.set(false);
			client.send("fragile", text("2"));
			assertThat(received.poll(20, TimeUnit.SECONDS)).isEqualTo("1");
			assertThat(received.poll(20, TimeUnit.SECONDS)).isEqualTo("2");
			assertThat(client.connect("fragile").state()).isEqualTo(ConnectionState.READY);
			assertThat(client.status("fragile").reconnects()).isZero();
		}
	}

	@Test
	void whenMessageIsLargerThanAReceiveThenItIsPutTogether() {
		int room = RECEIVE_BUFFER - MessageHeader.SIZE;
		for (int size : new int[] { 0, 1, room - 1, room, room + 1, 2 * room, 3 * room + 7, 300_000, 1 << 20 }) {
			byte[] content = random(size);
			CompletableFuture<Void> sent = CompletableFuture
				.runAsync(() -> this.sender.send(this.connection, content, TestService.PATIENCE));
			InboundMessage message = this.receiver.receive("sender");
			assertThat(message.payload()).isEqualTo(content);
			assertThat(message.length()).isEqualTo(size);
			sent.join();
		}
	}

	@Test
	void whenThreadsSendLargeMessagesThenPiecesAreNotMixed() throws Exception {
		int threads = 4;
		int each = 20;
		CountDownLatch done = new CountDownLatch(threads);
		for (int i = 0; i < threads; i++) {
			byte value = (byte) (i + 1);
			this.sender.executor.execute(() -> {
				byte[] content = new byte[20_000];
				Arrays.fill(content, value);
				for (int n = 0; n < each; n++) {
					this.sender.send(this.connection, content, TestService.PATIENCE);
				}
				done.countDown();
			});
		}
		int[] counts = new int[threads + 1];
		for (int n = 0; n < threads * each; n++) {
			byte[] payload = this.receiver.receive("sender").payload();
			assertThat(payload).hasSize(20_000).containsOnly(payload[0]);
			counts[payload[0]]++;
		}
		assertThat(counts).containsExactly(0, each, each, each, each);
		assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void whenMessageHasTypeAndNumberThenTheyArrive() {
		for (String type : new String[] { "text/plain", "application/x-something;charset=UTF-8;version=1" }) {
			for (int size : new int[] { 10, 5000 }) {
				try (RdmaBuffer buffer = this.sender.buffer(random(size))) {
					BlockingOperation operation = new BlockingOperation(OperationKind.SEND);
					operation.local(buffer, 0, size).contentType(type).request(4711).deadline(TestService.deadline());
					this.connection.post(operation);
					operation.await();
				}
				InboundMessage message = this.receiver.receive("sender");
				assertThat(message.contentType()).isEqualTo(type);
				assertThat(message.correlationId()).isEqualTo(4711);
				assertThat(message.request()).isTrue();
				assertThat(message.reply()).isFalse();
				assertThat(message.payload()).isEqualTo(random(size));
				assertThat(message.connection().peer()).isEqualTo("sender");
			}
		}
	}

	@Test
	void whenPeerDoesNotConsumeThenSenderTimesOutAndGoesOnLater() {
		int sendable = RECEIVE_DEPTH - RECEIVE_DEPTH / 8;
		for (int i = 0; i < sendable; i++) {
			this.sender.send(this.connection, text("" + i), TestService.PATIENCE);
		}
		assertThat(this.connection.credits()).isZero();
		assertThatExceptionOfType(RdmaTimeoutException.class)
			.isThrownBy(() -> this.sender.send(this.connection, text("too much"), Duration.ofMillis(200)))
			.withMessageContaining("does not consume");
		assertThat(this.connection.state()).isEqualTo(ConnectionState.READY);
		assertThat(this.connection.details().creditStalls()).isPositive();
		for (int i = 0; i < sendable; i++) {
			assertThat(this.receiver.receive("sender").payload()).asString().isEqualTo("" + i);
		}
		this.sender.send(this.connection, text("again"), TestService.PATIENCE);
		assertThat(this.receiver.receive("sender").payload()).asString().isEqualTo("again");
	}

	@Test
	void whenCreditsAreUsedUpThenOfferRefusesAndReplyStillGetsThrough() {
		BlockingQueue<InboundMessage> replies = new LinkedBlockingQueue<>();
		this.receiver.connections.replyHandler(replies::add);
		for (int i = 0; i < RECEIVE_DEPTH - RECEIVE_DEPTH / 8; i++) {
			this.sender.send(this.connection, text("filler"), TestService.PATIENCE);
		}
		try (RdmaBuffer buffer = this.sender.buffer(random(3000))) {
			Operation message = new BlockingOperation(OperationKind.SEND).local(buffer, 0, 10)
				.deadline(TestService.deadline());
			assertThat(this.connection.offer(message)).isFalse();
			assertThat(this.connection.offer(message)).isFalse();
			for (int i = 1; i <= 50; i++) {
				BlockingOperation reply = new BlockingOperation(OperationKind.SEND);
				reply.local(buffer, 0, (i % 2 == 0) ? 3000 : 10).reply(i).deadline(TestService.deadline());
				this.connection.post(reply);
				reply.await();
			}
		}
		await().atMost(TestService.PATIENCE).until(() -> replies.size() == 50);
		assertThat(replies).allSatisfy((reply) -> {
			assertThat(reply.reply()).isTrue();
			assertThat(reply.payload()).hasSize((reply.correlationId() % 2 == 0) ? 3000 : 10);
		});
		await().atMost(TestService.PATIENCE)
			.until(() -> this.receiver.connections.inbox("sender").size() == RECEIVE_DEPTH - RECEIVE_DEPTH / 8);
	}

	@Test
	void whenNobodyTakesLargeMessagesThenMemoryIsBounded() {
		byte[] content = random(500_000);
		AtomicInteger sent = new AtomicInteger();
		assertThatExceptionOfType(RdmaTimeoutException.class).isThrownBy(() -> {
			// 1 MiB may wait, and what was under way when that was passed
			while (sent.get() < 100) {
				this.sender.send(this.connection, content,
						(sent.get() < 2) ? TestService.PATIENCE : Duration.ofMillis(500));
				sent.incrementAndGet();
			}
		});
		assertThat(sent).hasValueBetween(2, 4);
		for (int i = 0; i < sent.get(); i++) {
			assertThat(this.receiver.receive("sender").payload()).isEqualTo(content);
		}
		this.sender.send(this.connection, content, TestService.PATIENCE);
		assertThat(this.receiver.receive("sender").payload()).isEqualTo(content);
	}

	@Test
	void whenBothSidesSendThenCreditsTravelWithMessages() throws Exception {
		int count = 500;
		CompletableFuture<Void> echo = CompletableFuture.runAsync(() -> {
			for (int i = 0; i < count; i++) {
				InboundMessage message = this.receiver.receive("sender");
				this.receiver.send(message.connection(), message.payload(), TestService.PATIENCE);
			}
		});
		for (int i = 0; i < count; i++) {
			this.sender.send(this.connection, text("" + i), TestService.PATIENCE);
			assertThat(this.sender.receive("receiver").payload()).asString().isEqualTo("" + i);
		}
		echo.get(30, TimeUnit.SECONDS);
		assertThat(back().inbound()).isTrue();
	}

	@Test
	void whenMessagesArriveThenCallbackRunsOnTheApplicationExecutorOneAtATime() {
		Inbox inbox = this.receiver.connections.inbox("sender");
		AtomicInteger taken = new AtomicInteger();
		AtomicBoolean inside = new AtomicBoolean();
		AtomicBoolean overlap = new AtomicBoolean();
		List<String> threads = new CopyOnWriteArrayList<>();
		this.sender.send(this.connection, text("early"), TestService.PATIENCE);
		inbox.onAvailable(() -> {
			overlap.compareAndSet(false, !inside.compareAndSet(false, true));
			threads.add(Thread.currentThread().getName());
			for (InboundMessage message = inbox.poll(); message != null; message = inbox.poll()) {
				taken.incrementAndGet();
			}
			inside.set(false);
		});
		for (int i = 0; i < 200; i++) {
			this.sender.send(this.connection, text("" + i), TestService.PATIENCE);
		}
		await().atMost(TestService.PATIENCE).untilAsserted(() -> assertThat(taken).hasValue(201));
		assertThat(overlap).isFalse();
		assertThat(threads).allMatch((name) -> name.startsWith("pool-"));
	}

	@Test
	void whenNothingComesThenAwaitReturnsNullAtTheDeadline() {
		long start = System.nanoTime();
		assertThat(this.receiver.connections.inbox("nobody").await(start + 50_000_000)).isNull();
		assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(50_000_000);
	}

	@Test
	void whenThreadIsInterruptedThenWaitEndsAndFlagStays() throws Exception {
		CompletableFuture<Boolean> flag = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				this.receiver.connections.inbox("sender").await(TestService.deadline());
				flag.complete(false);
			}
			catch (RdmaInterruptedException ex) {
				flag.complete(Thread.currentThread().isInterrupted());
			}
		});
		thread.start();
		thread.interrupt();
		assertThat(flag.get(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void whenConnectionIsLostThenItsMessagesCanStillBeTaken() {
		this.sender.send(this.connection, text("kept"), TestService.PATIENCE);
		await().atMost(TestService.PATIENCE).until(() -> this.receiver.connections.inbox("sender").size() == 1);
		this.sender.stop();
		await().atMost(TestService.PATIENCE).until(() -> this.receiver.connections.connections().isEmpty());
		assertThat(this.receiver.receive("sender").payload()).asString().isEqualTo("kept");
	}

}
