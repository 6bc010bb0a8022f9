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
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.rdma.core.memory.RdmaBuffer;
import io.rdma.testing.RdmaTestNode;
import io.rdma.testing.TestDevice;
import io.rdma.verbs.AccessFlag;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the one-sided operations of {@link RdmaTemplate}.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class RdmaTemplateMemoryTests {

	private static final Duration LIMIT = TestDevice.PATIENCE;

	private static final int PIECE = 64 * 1024;

	private static final int REGION = 4 * 1024 * 1024;

	private static final int LARGE = 9 * PIECE + 13;

	private static RdmaTestNode storage;

	private static RdmaTestNode client;

	private static RdmaTemplate rdma;

	private static long poolUse;

	@BeforeAll
	static void start() {
		storage = RdmaTestNode.named("storage")
			.region("blobs", REGION, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
			.region("counters", 4096, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)
			.start();
		client = RdmaTestNode.named("client")
			.peer("storage", storage.port())
			.templateSettings((settings) -> settings.withChunkSize(PIECE).withWindow(4))
			.start();
		rdma = client.template();
		rdma.write("storage", "blobs", 0, new byte[1]);
		poolUse = client.poolUseAtRest();
	}

	@AfterAll
	static void stop() {
		try {
			// who waits for an operation can be woken before its buffer is back
			await().untilAsserted(() -> assertThat(client.pool().statistics().usedBytes()).isEqualTo(poolUse));
		}
		finally {
			client.close();
			storage.close();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 7, 64, 4096, PIECE, PIECE + 1, LARGE })
	void whenBytesAreWrittenThenTheyAreReadBack(int length) {
		byte[] bytes = bytes(length);
		rdma.write("storage", "blobs", 100, bytes);
		assertThat(stored(100, length)).isEqualTo(bytes);
		assertThat(rdma.read("storage", "blobs", 100, length)).isEqualTo(bytes);
		assertThat(rdma.read("storage", "blobs", 100, length, LIMIT)).isEqualTo(bytes);
		assertThat(rdma.readAsync("storage", "blobs", 100, length).join()).isEqualTo(bytes);
	}

	@ParameterizedTest
	@MethodSource("payloads")
	void whenAnyKindOfPayloadIsWrittenThenItsBytesArrive(String kind, RdmaPayload payload, byte[] bytes) {
		rdma.write("storage", "blobs", 0, payload);
		assertThat(stored(0, bytes.length)).isEqualTo(bytes);
	}

	@ParameterizedTest
	@MethodSource("payloads")
	void whenAnyKindOfPayloadIsWrittenAsynchronouslyThenItsBytesArrive(String kind, RdmaPayload payload, byte[] bytes) {
		rdma.writeAsync("storage", "blobs", 0, payload).join();
		assertThat(stored(0, bytes.length)).isEqualTo(bytes);
	}

	static Stream<org.junit.jupiter.params.provider.Arguments> payloads() {
		return Stream.of(0, 100, LARGE).flatMap((length) -> {
			byte[] bytes = bytes(length);
			ByteBuffer direct = ByteBuffer.allocateDirect(length + 8).position(3);
			direct.put(bytes).flip().position(3);
			return Stream.of(arguments("byte[]", RdmaPayload.of(bytes), bytes),
					arguments("direct buffer", RdmaPayload.of(direct), bytes),
					arguments("read-only buffer", RdmaPayload.of(ByteBuffer.wrap(bytes).asReadOnlyBuffer()), bytes),
					arguments("resource", RdmaPayload.of(new ByteArrayResource(bytes)), bytes),
					arguments("stream", RdmaPayload.of(new ByteArrayInputStream(bytes), length), bytes),
					arguments("channel", RdmaPayload.of(Channels.newChannel(new ByteArrayInputStream(bytes)), length),
							bytes));
		});
	}

	private static org.junit.jupiter.params.provider.Arguments arguments(String kind, RdmaPayload payload,
			byte[] bytes) {
		return org.junit.jupiter.params.provider.Arguments.of(kind + " of " + bytes.length, payload, bytes);
	}

	@Test
	void whenOverloadsAreCalledThenTheyWriteTheSame() {
		byte[] bytes = bytes(50);
		Resource resource = new ByteArrayResource(bytes);
		rdma.write("storage", "blobs", 0, bytes, LIMIT);
		rdma.write("storage", "blobs", 50, ByteBuffer.wrap(bytes));
		rdma.write("storage", "blobs", 100, ByteBuffer.wrap(bytes), LIMIT);
		rdma.write("storage", "blobs", 150, resource);
		rdma.write("storage", "blobs", 200, resource, LIMIT);
		rdma.write("storage", "blobs", 250, RdmaPayload.of(bytes), LIMIT);
		rdma.writeAsync("storage", "blobs", 300, bytes).join();
		rdma.writeAsync("storage", "blobs", 350, ByteBuffer.wrap(bytes)).join();
		rdma.writeAsync("storage", "blobs", 400, resource).join();
		try (RdmaBuffer buffer = buffer(bytes)) {
			rdma.write("storage", "blobs", 450, buffer);
			rdma.write("storage", "blobs", 500, buffer, LIMIT);
			rdma.writeAsync("storage", "blobs", 550, buffer).join();
		}
		for (int offset = 0; offset < 600; offset += 50) {
			assertThat(stored(offset, 50)).isEqualTo(bytes);
		}
	}

	@Test
	void whenByteBufferIsWrittenThenItIsConsumedAndTheRestIsLeftAlone() {
		ByteBuffer buffer = ByteBuffer.wrap(bytes(100)).position(10).limit(60);
		rdma.write("storage", "blobs", 0, buffer);
		assertThat(buffer.position()).isEqualTo(60);
		assertThat(buffer.limit()).isEqualTo(60);
		buffer.position(10);
		rdma.writeAsync("storage", "blobs", 0, buffer).join();
		assertThat(buffer.position()).isEqualTo(60);
		assertThat(stored(0, 50)).isEqualTo(Arrays.copyOfRange(bytes(100), 10, 60));
	}

	@ParameterizedTest
	@ValueSource(ints = { 40, LARGE })
	void whenPoolBufferIsWrittenThenOnlyItsPayloadGoesAndItStaysWithTheCaller(int length) {
		byte[] bytes = bytes(length + 20);
		try (RdmaBuffer buffer = buffer(bytes)) {
			buffer.byteBuffer().position(10).limit(10 + length);
			rdma.write("storage", "blobs", 0, new byte[length + 1]);
			rdma.write("storage", "blobs", 0, buffer);
			assertThat(stored(0, length)).isEqualTo(Arrays.copyOfRange(bytes, 10, 10 + length));
			assertThat(stored(length, 1)).containsExactly(0);
			rdma.write("storage", "blobs", 0, new byte[length + 1]);
			rdma.writeAsync("storage", "blobs", 0, buffer).join();
			assertThat(stored(0, length)).isEqualTo(Arrays.copyOfRange(bytes, 10, 10 + length));
			assertThat(buffer.byteBuffer().position()).isEqualTo(10);
			assertThat(buffer.isReleased()).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 40, LARGE })
	void whenReadIntoByteBufferThenWhatRemainsIsFilled(int length) {
		rdma.write("storage", "blobs", 5, bytes(length));
		ByteBuffer heap = ByteBuffer.allocate(length + 20).position(10).limit(10 + length);
		rdma.read("storage", "blobs", 5, heap);
		assertThat(heap.hasRemaining()).isFalse();
		assertThat(heap.flip().position(10).slice()).isEqualTo(ByteBuffer.wrap(bytes(length)));
		ByteBuffer direct = ByteBuffer.allocateDirect(length + 20).position(10).limit(10 + length);
		rdma.readAsync("storage", "blobs", 5, direct).join();
		assertThat(direct.hasRemaining()).isFalse();
		assertThat(direct.flip().position(10).slice()).isEqualTo(ByteBuffer.wrap(bytes(length)));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 40, LARGE })
	void whenReadIntoPoolBufferThenItsPayloadIsFilled(int length) {
		rdma.write("storage", "blobs", 5, bytes(length));
		try (RdmaBuffer buffer = buffer(new byte[length + 20])) {
			buffer.byteBuffer().position(10).limit(10 + length);
			rdma.read("storage", "blobs", 5, buffer);
			assertThat(buffer.byteBuffer()).isEqualTo(ByteBuffer.wrap(bytes(length)));
			buffer.byteBuffer().put(10, new byte[length]);
			rdma.readAsync("storage", "blobs", 5, buffer).join();
			assertThat(buffer.byteBuffer()).isEqualTo(ByteBuffer.wrap(bytes(length)));
			assertThat(buffer.byteBuffer().duplicate().clear().get(9)).isZero();
			assertThat(buffer.byteBuffer().duplicate().clear().get(10 + length)).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 40, LARGE })
	void whenReadIntoStreamThenAllBytesComeInOrder(int length) {
		rdma.write("storage", "blobs", 5, bytes(length));
		ByteArrayOutputStream stream = new ByteArrayOutputStream();
		rdma.read("storage", "blobs", 5, length, stream);
		assertThat(stream.toByteArray()).isEqualTo(bytes(length));
		ByteArrayOutputStream channel = new ByteArrayOutputStream();
		rdma.read("storage", "blobs", 5, length, Channels.newChannel(channel), LIMIT);
		assertThat(channel.toByteArray()).isEqualTo(bytes(length));
		ByteArrayOutputStream later = new ByteArrayOutputStream();
		rdma.readAsync("storage", "blobs", 5, length, Channels.newChannel(later), TransferOptions.defaults()).join();
		assertThat(later.toByteArray()).isEqualTo(bytes(length));
	}

	@Test
	void whenTransferIsBlockingThenProgressIsToldOnTheCallersThread() {
		List<Long> told = new ArrayList<>();
		List<Thread> threads = new ArrayList<>();
		TransferOptions options = TransferOptions.progress((transferred, total) -> {
			assertThat(total).isEqualTo(LARGE);
			told.add(transferred);
			threads.add(Thread.currentThread());
		});
		rdma.write("storage", "blobs", 0, RdmaPayload.of(bytes(LARGE)), options);
		assertThat(told).isSorted().hasSize(10).endsWith((long) LARGE);
		told.clear();
		rdma.read("storage", "blobs", 0, LARGE, options);
		assertThat(told).isSorted().hasSize(10).endsWith((long) LARGE);
		assertThat(threads).containsOnly(Thread.currentThread());
	}

	@Test
	void whenProgressCallbackThrowsThenTransferGoesOn() {
		List<Long> told = new ArrayList<>();
		rdma.write("storage", "blobs", 0, RdmaPayload.of(bytes(LARGE)),
				TransferOptions.progress((transferred, total) -> {
					told.add(transferred);
					throw new IllegalStateException("on purpose");
				}));
		assertThat(told).endsWith((long) LARGE);
		assertThat(stored(0, LARGE)).isEqualTo(bytes(LARGE));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 100 })
	void whenWrittenWithImmediateThenPeerIsToldValueAndLength(int length) {
		rdma.writeWithImmediate("storage", "blobs", 8, bytes(length), 0xCAFE);
		RdmaMessage message = storage.template().receive("client");
		assertThat(message.immediate()).isEqualTo(0xCAFE);
		assertThat(message.length()).isEqualTo(length);
		assertThat(message.payload()).isEmpty();
		assertThat(message.peer()).isEqualTo("client");
		assertThat(message.isReplyRequested()).isFalse();
		assertThat(stored(8, length)).isEqualTo(bytes(length));
	}

	@Test
	void whenLargePayloadIsWrittenWithImmediateThenPeerIsToldOnceAtItsEnd() {
		rdma.writeWithImmediateAsync("storage", "blobs", 8, RdmaPayload.of(bytes(LARGE)), -1).join();
		assertThat(stored(8, LARGE)).isEqualTo(bytes(LARGE));
		RdmaMessage message = storage.template().receive("client");
		assertThat(message.immediate()).isEqualTo(-1);
		assertThat(message.length()).isEqualTo(13);
		rdma.writeWithImmediate("storage", "blobs", 8, bytes(1), 2);
		assertThat(storage.template().receive("client").immediate()).isEqualTo(2);
	}

	@Test
	void whenWordIsChangedAtomicallyThenTheOldValueIsReturned() {
		assertThat(rdma.fetchAndAdd("storage", "counters", 8, 5)).isZero();
		assertThat(rdma.fetchAndAdd("storage", "counters", 8, -2, LIMIT)).isEqualTo(5);
		assertThat(rdma.fetchAndAddAsync("storage", "counters", 8, Long.MAX_VALUE).join()).isEqualTo(3);
		assertThat(rdma.fetchAndAddAsync("storage", "counters", 8, 0, LIMIT).join()).isEqualTo(Long.MAX_VALUE + 3);
		assertThat(word(8)).isEqualTo(Long.MAX_VALUE + 3);
		assertThat(rdma.compareAndSwap("storage", "counters", 16, 1, 2)).isZero();
		assertThat(word(16)).isZero();
		assertThat(rdma.compareAndSwap("storage", "counters", 16, 0, 2, LIMIT)).isZero();
		assertThat(rdma.compareAndSwapAsync("storage", "counters", 16, 2, 3).join()).isEqualTo(2);
		assertThat(rdma.compareAndSwapAsync("storage", "counters", 16, 2, 4, LIMIT).join()).isEqualTo(3);
		assertThat(word(16)).isEqualTo(3);
	}

	@Test
	void whenConnectionIsAskedForThenCallbackGetsIt() {
		String description = rdma.execute("storage",
				(connection) -> connection.peer() + " " + connection.region("blobs").length());
		assertThat(description).isEqualTo("storage " + REGION);
	}

	@Test
	void whenManyOperationsAreStartedAtOnceThenAllSucceed() {
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = 0; i < 2000; i++) {
			futures.add(rdma.writeAsync("storage", "blobs", i * 8L, ByteBuffer.allocate(8).putLong(0, i)));
		}
		CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).join();
		ByteBuffer content = ByteBuffer.wrap(stored(0, 2000 * 8));
		for (int i = 0; i < 2000; i++) {
			assertThat(content.getLong()).isEqualTo(i);
		}
	}

	@Test
	void whenOperationsOfOneThreadGoToTheSamePlaceThenTheLastOneWins() {
		for (int i = 1; i <= 1000; i++) {
			rdma.writeAsync("storage", "blobs", 0, ByteBuffer.allocate(8).putLong(0, i));
		}
		rdma.write("storage", "blobs", 8, new byte[8]);
		rdma.readAsync("storage", "blobs", 0, 8)
			.thenAccept((bytes) -> assertThat(ByteBuffer.wrap(bytes).getLong()).isEqualTo(1000))
			.join();
	}

	private static RdmaBuffer buffer(byte[] content) {
		RdmaBuffer buffer = client.pool().acquire(Math.max(1, content.length), LIMIT);
		buffer.byteBuffer().clear().put(content).flip();
		return buffer;
	}

	private static byte[] bytes(int length) {
		byte[] bytes = new byte[length];
		new Random(length).nextBytes(bytes);
		return bytes;
	}

	private static byte[] stored(long offset, int length) {
		ByteBuffer content = ByteBuffer.allocate(length);
		storage.region("blobs").get(offset, content);
		return content.array();
	}

	private static long word(long offset) {
		ByteBuffer content = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
		storage.region("counters").get(offset, content);
		return content.getLong(0);
	}

}
