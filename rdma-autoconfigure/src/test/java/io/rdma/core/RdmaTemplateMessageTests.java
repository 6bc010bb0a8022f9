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

package io.rdma.core;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

import io.rdma.core.exception.RdmaMessageConversionException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.testing.RdmaTestNode;
import io.rdma.testing.TestDevice;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.support.MessageBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the messages of {@link RdmaTemplate}.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class RdmaTemplateMessageTests {

	private static final Duration LIMIT = TestDevice.PATIENCE;

	private static RdmaTestNode server;

	private static RdmaTestNode client;

	private static RdmaTemplate rdma;

	private static RdmaTemplate peer;

	private static long poolUse;

	@BeforeAll
	static void start() {
		server = RdmaTestNode.named("server").start();
		client = RdmaTestNode.named("client").peer("server", server.port()).start();
		rdma = client.template();
		peer = server.template();
		rdma.send("server", new byte[0]);
		peer.receive("client");
		poolUse = client.poolUseAtRest();
	}

	@AfterAll
	static void stop() {
		try {
			// who waits for an operation can be woken before its buffer is back
			await().untilAsserted(() -> assertThat(client.pool().statistics().usedBytes()).isEqualTo(poolUse));
			assertThat(rdma.pendingReplies()).isZero();
		}
		finally {
			client.close();
			server.close();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 100, 8192, 100_000, 1_500_000 })
	void whenMessageIsSentThenPeerReceivesIt(int length) {
		byte[] bytes = bytes(length);
		rdma.send("server", bytes);
		RdmaMessage message = peer.receive("client");
		assertThat(message.payload()).isEqualTo(bytes);
		assertThat(message.length()).isEqualTo(length);
		assertThat(message.peer()).isEqualTo("client");
		assertThat(message.contentType()).isNull();
		assertThat(message.immediate()).isNull();
		assertThat(message.isReplyRequested()).isFalse();
	}

	@Test
	void whenAnyKindOfPayloadIsSentThenItsBytesArrive() {
		byte[] bytes = bytes(50);
		ByteBuffer buffer = ByteBuffer.wrap(bytes);
		rdma.send("server", buffer);
		assertThat(buffer.hasRemaining()).isFalse();
		rdma.send("server", bytes, LIMIT);
		rdma.send("server", buffer.flip(), LIMIT);
		rdma.send("server", new ByteArrayResource(bytes));
		rdma.send("server", new ByteArrayResource(bytes), LIMIT);
		rdma.send("server", RdmaPayload.of(new ByteArrayInputStream(bytes), 50));
		rdma.sendAsync("server", bytes).join();
		rdma.sendAsync("server", buffer.flip()).join();
		rdma.sendAsync("server", new ByteArrayResource(bytes)).join();
		try (RdmaBuffer pooled = client.pool().acquire(100, LIMIT)) {
			pooled.byteBuffer().clear().position(10).put(bytes).flip().position(10);
			rdma.send("server", pooled);
			rdma.send("server", pooled, LIMIT);
			rdma.sendAsync("server", pooled).join();
		}
		for (int i = 0; i < 12; i++) {
			assertThat(peer.receive("client").payload()).isEqualTo(bytes);
		}
	}

	@Test
	void whenSentByOneThreadThenMessagesComeInOrder() {
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			byte[] bytes = ByteBuffer.allocate(4).putInt(i).array();
			futures.add((i % 7 == 0) ? rdma.sendAsync("server", new ByteArrayResource(bytes))
					: rdma.sendAsync("server", bytes));
		}
		for (int i = 0; i < 500; i++) {
			assertThat(ByteBuffer.wrap(peer.receive("client").payload()).getInt()).isEqualTo(i);
		}
		CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).join();
	}

	@Test
	void whenReceivedAsynchronouslyThenMessagesGoToTheReceiversInOrder() {
		List<CompletableFuture<RdmaMessage>> receivers = IntStream.range(0, 10)
			.mapToObj((i) -> peer.receiveAsync("client"))
			.toList();
		receivers.get(3).cancel(false);
		for (int i = 0; i < 10; i++) {
			rdma.send("server", new byte[] { (byte) i });
		}
		int expected = 0;
		for (CompletableFuture<RdmaMessage> receiver : receivers) {
			if (!receiver.isCancelled()) {
				assertThat(receiver.join().payload()).containsExactly(expected++);
			}
		}
		assertThat(peer.receiveAsync("client", LIMIT).join().payload()).containsExactly(expected);
	}

	@Test
	void whenRequestIsSentThenTheReplyToItIsReturned() {
		CompletableFuture<RdmaMessage> received = peer.receiveAsync("client");
		CompletableFuture<Void> replied = received.thenAccept((request) -> {
			assertThat(request.isReplyRequested()).isTrue();
			peer.reply(request, "pong".getBytes(StandardCharsets.UTF_8));
		});
		RdmaMessage reply = rdma.sendAndReceive("server", "ping".getBytes(StandardCharsets.UTF_8));
		assertThat(received.join().text()).isEqualTo("ping");
		assertThat(reply.text()).isEqualTo("pong");
		assertThat(reply.peer()).isEqualTo("server");
		assertThat(reply.isReplyRequested()).isFalse();
		replied.join();
	}

	@Test
	void whenSeveralRequestsAreUnderWayThenEachGetsItsOwnReply() {
		List<CompletableFuture<RdmaMessage>> replies = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			replies.add(rdma.sendAndReceiveAsync("server", new byte[] { (byte) i }));
		}
		List<RdmaMessage> requests = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			requests.add(peer.receive("client"));
		}
		Collections.shuffle(requests, new Random(1));
		for (RdmaMessage request : requests) {
			peer.replyAsync(request, new byte[] { (byte) (request.payload()[0] * 2) });
		}
		for (int i = 0; i < 20; i++) {
			assertThat(replies.get(i).join().payload()).containsExactly(i * 2);
		}
	}

	@Test
	void whenAnyKindOfPayloadIsTheReplyThenItsBytesArrive() {
		byte[] bytes = bytes(200_000);
		CompletableFuture<RdmaMessage> reply = rdma.sendAndReceiveAsync("server", ByteBuffer.wrap(bytes));
		RdmaMessage request = peer.receive("client");
		assertThat(request.payload()).isEqualTo(bytes);
		peer.reply(request, new ByteArrayResource(bytes), LIMIT);
		assertThat(reply.join().payload()).isEqualTo(bytes);
		reply = rdma.sendAndReceiveAsync("server", new ByteArrayResource(bytes));
		peer.reply(peer.receive("client"), ByteBuffer.wrap(bytes));
		assertThat(reply.join().payload()).isEqualTo(bytes);
	}

	@Test
	void whenBothSidesAskEachOtherThenBothGetReplies() {
		CompletableFuture<RdmaMessage> fromClient = rdma.sendAndReceiveAsync("server", new byte[] { 1 });
		CompletableFuture<RdmaMessage> fromServer = peer.sendAndReceiveAsync("client", new byte[] { 2 });
		peer.reply(peer.receive("client"), new byte[] { 3 });
		rdma.reply(rdma.receive("server"), new byte[] { 4 });
		assertThat(fromClient.join().payload()).containsExactly(3);
		assertThat(fromServer.join().payload()).containsExactly(4);
	}

	@Test
	void whenTextIsConvertedThenItIsUtf8WithItsContentType() {
		rdma.convertAndSend("server", "Grüße");
		RdmaMessage message = peer.receive("client");
		assertThat(message.payload()).isEqualTo("Grüße".getBytes(StandardCharsets.UTF_8));
		assertThat(message.contentType()).startsWith("text/plain");
		assertThat(peer.convert(message, String.class)).isEqualTo("Grüße");
		assertThat(peer.convert(message, byte[].class)).isSameAs(message.payload());
		assertThat(peer.convert(message, RdmaMessage.class)).isSameAs(message);
		rdma.convertAndSend("server", "x", LIMIT);
		assertThat(peer.receiveAndConvert("client", String.class)).isEqualTo("x");
		rdma.convertAndSendAsync("server", "y").join();
		assertThat(peer.receiveAndConvertAsync("client", String.class).join()).isEqualTo("y");
	}

	@Test
	void whenBytesAreConvertedThenTheyAreThePayload() {
		rdma.convertAndSend("server", new byte[] { 1, 2 });
		assertThat(peer.receiveAndConvert("client", byte[].class, LIMIT)).containsExactly(1, 2);
		rdma.send("server", "plain".getBytes(StandardCharsets.UTF_8));
		assertThat(peer.receiveAndConvert("client", String.class)).isEqualTo("plain");
	}

	@Test
	void whenRequestAndReplyAreConvertedThenObjectsAreExchanged() {
		peer.receiveAsync("client").thenAccept((request) -> peer.convertAndReply(request, request.text() + "!"));
		assertThat(rdma.convertSendAndReceive("server", "hello", String.class)).isEqualTo("hello!");
		peer.receiveAsync("client").thenAccept((request) -> peer.convertAndReply(request, request.text() + "?"));
		assertThat(rdma.convertSendAndReceive("server", "hello", String.class, LIMIT)).isEqualTo("hello?");
		peer.receiveAsync("client").thenAccept((request) -> peer.convertAndReply(request, new byte[] { 7 }));
		assertThat(rdma.convertSendAndReceiveAsync("server", "hello", byte[].class).join()).containsExactly(7);
	}

	@Test
	void whenReceivedObjectCannotBeConvertedThenTheFutureSaysSo() {
		rdma.convertAndSend("server", "x");
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> peer.receiveAndConvertAsync("client", Integer.class).join())
			.withCauseInstanceOf(RdmaMessageConversionException.class);
	}

	@Test
	void whenConverterIsGivenThenItsTypesAndContentTypeWork() {
		try (RdmaTestNode node = RdmaTestNode.named("node")
			.peer("server", server.port())
			.messageConverter(new PointConverter())
			.start()) {
			node.template().convertAndSend("server", new Point(3, 4));
			RdmaMessage message = peer.receive("node");
			assertThat(message.contentType()).isEqualTo("application/x-point");
			assertThat(node.template().convert(message, Point.class)).isEqualTo(new Point(3, 4));
			assertThatExceptionOfType(RdmaMessageConversionException.class)
				.isThrownBy(() -> node.template().convert(RdmaMessage.of("node", new byte[1]), Point.class))
				.withMessageContaining("Point")
				.withCauseInstanceOf(ArrayIndexOutOfBoundsException.class);
		}
	}

	@Test
	void messageSaysWhatItIs() {
		assertThat(RdmaMessage.of("server", new byte[3]))
			.hasToString("RdmaMessage[peer=server, length=3, contentType=null, immediate=null, replyRequested=false]");
	}

	private static byte[] bytes(int length) {
		byte[] bytes = new byte[length];
		new Random(length).nextBytes(bytes);
		return bytes;
	}

	record Point(int x, int y) {
	}

	private static final class PointConverter implements MessageConverter {

		@Override
		public Object fromMessage(Message<?> message, Class<?> targetClass) {
			byte[] bytes = (byte[]) message.getPayload();
			return new Point(bytes[0], bytes[1]);
		}

		@Override
		public Message<?> toMessage(Object payload, @Nullable MessageHeaders headers) {
			Point point = (Point) payload;
			return MessageBuilder.createMessage(new byte[] { (byte) point.x(), (byte) point.y() },
					new MessageHeaders(Map.of(MessageHeaders.CONTENT_TYPE, "application/x-point")));
		}

	}

}
