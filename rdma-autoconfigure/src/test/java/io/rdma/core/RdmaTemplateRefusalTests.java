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
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rdma.core.completion.RdmaThread;
import io.rdma.core.exception.RdmaAccessDeniedException;
import io.rdma.core.exception.RdmaAlignmentException;
import io.rdma.core.exception.RdmaBoundsException;
import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaMessageConversionException;
import io.rdma.core.exception.RdmaMessageTooLargeException;
import io.rdma.core.exception.UnknownRdmaPeerException;
import io.rdma.core.exception.UnknownRdmaRegionException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.testing.RdmaTestNode;
import io.rdma.verbs.AccessFlag;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.io.Resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for calls of {@link RdmaTemplate} that are refused before anything is posted.
 */
@SuppressWarnings("NullAway") // null is passed on purpose
class RdmaTemplateRefusalTests {

	private static final TransferOptions OPTIONS = TransferOptions.defaults();

	private static final byte[] BYTES = new byte[8];

	private static final Duration SHORT = Duration.ofMillis(100);

	private static RdmaTestNode storage;

	private static RdmaTestNode client;

	private static RdmaTemplate rdma;

	private static long poolUse;

	@BeforeAll
	static void start() {
		storage = RdmaTestNode.named("storage")
			.region("both", 100, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
			.region("readable", 100, AccessFlag.REMOTE_READ)
			.region("writable", 100, AccessFlag.REMOTE_WRITE)
			.region("counters", 64, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)
			.connectionSettings((settings) -> settings.maxMessageSize(1000))
			.start();
		client = RdmaTestNode.named("client").peer("storage", storage.port()).start();
		rdma = client.template();
		rdma.read("storage", "both", 0, 1);
		poolUse = client.poolUseAtRest();
	}

	@AfterAll
	static void stop() {
		try {
			// a refusal breaks no connection and keeps no buffer
			// who waits for an operation can be woken before its buffer is back
			await().untilAsserted(() -> assertThat(client.pool().statistics().usedBytes()).isEqualTo(poolUse));
			assertThat(client.connections().peers().get(0).attempts()).isEqualTo(1);
		}
		finally {
			client.close();
			storage.close();
		}
	}

	@ParameterizedTest
	@CsvSource({ "93, 8", "101, 0", "-1, 1", "0, 101", "9223372036854775807, 8", "-9223372036854775808, 8" })
	void whenRangeIsOutsideTheRegionThenBoundsExceptionNamesAll(long offset, int length) {
		assertRefused(RdmaBoundsException.class, () -> rdma.read("storage", "both", offset, length),
				() -> rdma.readAsync("storage", "both", offset, length))
			.satisfies((ex) -> {
				assertThat(ex.peer()).isEqualTo("storage");
				assertThat(ex.qpNumber()).isNotNull();
				assertThat(ex.operation()).isEqualTo("READ");
				assertThat(ex.offset()).isEqualTo(offset);
				assertThat(ex.length()).isEqualTo(length);
				assertThat(ex.memoryLength()).isEqualTo(100);
				assertThat(ex).hasMessageContaining("'both'").hasMessageContaining("peer 'storage'");
			});
		assertRefused(RdmaBoundsException.class, () -> rdma.write("storage", "both", offset, new byte[length]),
				() -> rdma.writeAsync("storage", "both", offset, new byte[length]));
		assertRefused(RdmaBoundsException.class,
				() -> rdma.writeWithImmediate("storage", "both", offset, new byte[length], 1),
				() -> rdma.writeWithImmediateAsync("storage", "both", offset, new byte[length], 1));
	}

	@Test
	void whenStreamIsLongerThanTheRegionThenItIsNotTouched() {
		ByteArrayInputStream stream = new ByteArrayInputStream(new byte[200]);
		assertThatExceptionOfType(RdmaBoundsException.class)
			.isThrownBy(() -> rdma.write("storage", "both", 0, RdmaPayload.of(stream, 101)));
		assertThat(stream.available()).isEqualTo(200);
		assertThatExceptionOfType(RdmaBoundsException.class)
			.isThrownBy(() -> rdma.read("storage", "both", 0, 101, OutputStream.nullOutputStream()));
	}

	@Test
	void whenBufferIsRefusedThenItsPositionIsUnchanged() {
		ByteBuffer buffer = ByteBuffer.allocate(200).position(7);
		assertThatExceptionOfType(RdmaBoundsException.class).isThrownBy(() -> rdma.write("storage", "both", 0, buffer));
		assertThatExceptionOfType(RdmaBoundsException.class).isThrownBy(() -> rdma.read("storage", "both", 0, buffer));
		rdma.readAsync("storage", "both", 0, buffer).exceptionally((ex) -> null).join();
		rdma.writeAsync("storage", "both", 0, buffer).exceptionally((ex) -> null).join();
		assertThat(buffer.position()).isEqualTo(7);
		assertThat(buffer.limit()).isEqualTo(200);
	}

	@Test
	void whenRightIsMissingThenAccessDenied() {
		assertRefused(RdmaAccessDeniedException.class, () -> rdma.write("storage", "readable", 0, BYTES),
				() -> rdma.writeAsync("storage", "readable", 0, BYTES))
			.satisfies((ex) -> assertThat(ex)
				.hasMessageContaining("region 'readable' does not allow remote-write; it allows [remote-read]"));
		assertRefused(RdmaAccessDeniedException.class, () -> rdma.read("storage", "writable", 0, 8),
				() -> rdma.readAsync("storage", "writable", 0, 8));
		assertRefused(RdmaAccessDeniedException.class, () -> rdma.fetchAndAdd("storage", "both", 0, 1),
				() -> rdma.fetchAndAddAsync("storage", "both", 0, 1));
		assertRefused(RdmaAccessDeniedException.class, () -> rdma.compareAndSwap("storage", "both", 0, 1, 2),
				() -> rdma.compareAndSwapAsync("storage", "both", 0, 1, 2));
	}

	@Test
	void whenAtomicIsNotAlignedThenAlignmentException() {
		assertRefused(RdmaAlignmentException.class, () -> rdma.fetchAndAdd("storage", "counters", 4, 1),
				() -> rdma.fetchAndAddAsync("storage", "counters", 4, 1))
			.satisfies((ex) -> assertThat(ex).hasMessageContaining("offset 4 of region 'counters'"));
		assertRefused(RdmaAlignmentException.class, () -> rdma.compareAndSwap("storage", "counters", 1, 1, 2),
				() -> rdma.compareAndSwapAsync("storage", "counters", 1, 1, 2));
		assertRefused(RdmaBoundsException.class, () -> rdma.fetchAndAdd("storage", "counters", 64, 1),
				() -> rdma.fetchAndAddAsync("storage", "counters", 64, 1));
	}

	@ParameterizedTest
	@MethodSource
	void whenPeerIsUnknownThenMessageListsThoseKnown(ThrowingCallable call) {
		assertThatExceptionOfType(UnknownRdmaPeerException.class).isThrownBy(() -> unwrap(call))
			.withMessageContaining("'nobody'")
			.withMessageContaining("[storage]");
	}

	static Stream<ThrowingCallable> whenPeerIsUnknownThenMessageListsThoseKnown() {
		return Stream.of(() -> rdma.send("nobody", BYTES), () -> rdma.sendAsync("nobody", BYTES).join(),
				() -> rdma.receive("nobody", SHORT), () -> rdma.receiveAsync("nobody", SHORT).join(),
				() -> rdma.sendAndReceive("nobody", BYTES), () -> rdma.sendAndReceiveAsync("nobody", BYTES).join(),
				() -> rdma.write("nobody", "both", 0, BYTES), () -> rdma.writeAsync("nobody", "both", 0, BYTES).join(),
				() -> rdma.read("nobody", "both", 0, 1), () -> rdma.readAsync("nobody", "both", 0, 1).join(),
				() -> rdma.fetchAndAdd("nobody", "counters", 0, 1), () -> rdma.execute("nobody", (connection) -> null));
	}

	@Test
	void whenRegionIsUnknownThenMessageListsThoseOfThePeer() {
		assertRefused(UnknownRdmaRegionException.class, () -> rdma.read("storage", "nowhere", 0, 1),
				() -> rdma.readAsync("storage", "nowhere", 0, 1))
			.satisfies((ex) -> assertThat(ex).hasMessageContaining("'nowhere'")
				.hasMessageContaining("both, counters, readable, writable")
				.hasMessageContaining("peer 'storage'"));
		assertRefused(UnknownRdmaRegionException.class, () -> rdma.write("storage", "nowhere", 0, BYTES),
				() -> rdma.writeAsync("storage", "nowhere", 0, BYTES));
	}

	@Test
	void whenMessageIsLargerThanThePeerAcceptsThenMessageTooLarge() {
		assertRefused(RdmaMessageTooLargeException.class, () -> rdma.send("storage", new byte[1001]),
				() -> rdma.sendAsync("storage", new byte[1001]))
			.satisfies((ex) -> {
				assertThat(ex.length()).isEqualTo(1001);
				assertThat(ex.maximum()).isEqualTo(1000);
			});
		rdma.send("storage", new byte[1000]);
		assertThat(storage.template().receive("client").length()).isEqualTo(1000);
	}

	@Test
	void whenObjectCannotBeConvertedThenMessageNamesTypeAndRemedy() {
		assertThatExceptionOfType(RdmaMessageConversionException.class)
			.isThrownBy(() -> rdma.convertAndSend("storage", 5))
			.withMessageContaining("java.lang.Integer")
			.withMessageContaining("Add a bean of type MessageConverter");
		assertThatExceptionOfType(RdmaMessageConversionException.class)
			.isThrownBy(() -> rdma.convert(RdmaMessage.of("storage", BYTES), Integer.class))
			.withMessageContaining("java.lang.Integer");
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void whenArgumentIsWrongThenIllegalArgument(String problem, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(problem);
	}

	static Stream<Arguments> whenArgumentIsWrongThenIllegalArgument() {
		return Stream.of(refused("'peer'", () -> rdma.send(null, BYTES)),
				refused("'peer'", () -> rdma.send(" ", BYTES)), refused("'peer'", () -> rdma.sendAsync("", BYTES)),
				refused("'peer'", () -> rdma.receive(null)), refused("'peer'", () -> rdma.receiveAsync(null)),
				refused("'peer'", () -> rdma.write(null, "both", 0, BYTES)),
				refused("'peer'", () -> rdma.convertAndSend(null, "x")),
				refused("'peer'", () -> rdma.execute(null, (connection) -> null)),
				refused("'region'", () -> rdma.write("storage", null, 0, BYTES)),
				refused("'region'", () -> rdma.readAsync("storage", "", 0, 1)),
				refused("'region'", () -> rdma.fetchAndAdd("storage", null, 0, 1)),
				refused("'payload'", () -> rdma.send("storage", (byte[]) null)),
				refused("'payload'", () -> rdma.send("storage", (ByteBuffer) null)),
				refused("'payload'", () -> rdma.send("storage", (Resource) null)),
				refused("'payload'", () -> rdma.send("storage", (RdmaBuffer) null)),
				refused("'payload'", () -> rdma.send("storage", (RdmaPayload) null)),
				refused("'payload'", () -> rdma.convertAndSend("storage", null)),
				refused("'payload'", () -> rdma.writeAsync("storage", "both", 0, (RdmaPayload) null)),
				refused("'destination'", () -> rdma.read("storage", "both", 0, (ByteBuffer) null)),
				refused("'destination'", () -> rdma.read("storage", "both", 0, (RdmaBuffer) null)),
				refused("read-only", () -> rdma.read("storage", "both", 0, ByteBuffer.allocate(1).asReadOnlyBuffer())),
				refused("'length'", () -> rdma.read("storage", "both", 0, -1)),
				refused("'length'", () -> rdma.readAsync("storage", "both", 0, -1)),
				refused("'length'",
						() -> rdma.read("storage", "both", 0, -1L, OutputStream.nullOutputStream(), OPTIONS)),
				refused("'length'", () -> RdmaPayload.of(new ByteArrayInputStream(BYTES), -1)),
				refused("'timeout'", () -> rdma.send("storage", BYTES, null)),
				refused("'timeout'", () -> rdma.send("storage", BYTES, Duration.ZERO)),
				refused("'timeout'", () -> rdma.send("storage", BYTES, Duration.ofMillis(-1))),
				refused("'timeout'", () -> rdma.receive("storage", Duration.ZERO)),
				refused("'timeout'", () -> rdma.fetchAndAdd("storage", "counters", 0, 1, Duration.ZERO)),
				refused("'timeout'", () -> rdma.write("storage", "both", 0, BYTES, Duration.ZERO)),
				refused("'options'",
						() -> rdma.write("storage", "both", 0, RdmaPayload.of(BYTES), (TransferOptions) null)),
				refused("'type'", () -> rdma.receiveAndConvert("storage", null)),
				refused("'request'", () -> rdma.reply(null, BYTES)),
				refused("'callback'", () -> rdma.execute("storage", null)));
	}

	private static Arguments refused(String problem, ThrowingCallable call) {
		return Arguments.of(problem, call);
	}

	@Test
	void whenMessageAsksForNoReplyThenReplyIsIllegalState() {
		assertThatIllegalStateException().isThrownBy(() -> rdma.reply(RdmaMessage.of("storage", BYTES), BYTES))
			.withMessageContaining("does not wait for a reply");
	}

	@Test
	void whenPoolBufferWasReleasedThenIllegalState() {
		RdmaBuffer buffer = client.pool().acquire(10, Duration.ofSeconds(1));
		buffer.release();
		assertThatIllegalStateException().isThrownBy(() -> rdma.write("storage", "both", 0, buffer));
	}

	@ParameterizedTest
	@MethodSource
	void whenBlockingCallIsMadeOnAThreadOfTheLibraryThenIllegalState(ThrowingCallable call) throws Exception {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		Thread thread = new RdmaThread(() -> {
			try {
				call.call();
			}
			catch (Throwable ex) {
				failure.set(ex);
			}
		}, "rdma-test");
		thread.start();
		thread.join(20_000);
		assertThat(failure.get()).isInstanceOf(IllegalStateException.class);
	}

	static Stream<ThrowingCallable> whenBlockingCallIsMadeOnAThreadOfTheLibraryThenIllegalState() {
		return Stream.of(() -> rdma.send("storage", BYTES), () -> rdma.receive("storage"),
				() -> rdma.sendAndReceive("storage", BYTES), () -> rdma.convertAndSend("storage", "x"),
				() -> rdma.write("storage", "both", 0, BYTES), () -> rdma.read("storage", "both", 0, 8),
				() -> rdma.fetchAndAdd("storage", "counters", 0, 0),
				() -> rdma.compareAndSwap("storage", "counters", 0, 0, 0),
				() -> rdma.execute("storage", (connection) -> null), () -> rdma.receiveAsync("storage").join(),
				() -> rdma.receiveAsync("storage").get());
	}

	@Test
	void whenClosedThenEveryCallIsRefused() {
		try (RdmaTestNode node = RdmaTestNode.named("node").peer("storage", storage.port()).start()) {
			RdmaTemplate closed = node.template();
			closed.read("storage", "both", 0, 1);
			closed.close();
			closed.close();
			assertRefused(RdmaClosedException.class, () -> closed.read("storage", "both", 0, 1),
					() -> closed.readAsync("storage", "both", 0, 1));
			assertRefused(RdmaClosedException.class, () -> closed.write("storage", "both", 0, BYTES),
					() -> closed.writeAsync("storage", "both", 0, RdmaPayload.of(new ByteArrayInputStream(BYTES), 8)));
			assertRefused(RdmaClosedException.class, () -> closed.send("storage", BYTES),
					() -> closed.sendAsync("storage", BYTES));
			assertRefused(RdmaClosedException.class, () -> closed.sendAndReceive("storage", BYTES),
					() -> closed.sendAndReceiveAsync("storage", BYTES));
			assertRefused(RdmaClosedException.class, () -> closed.receive("storage"),
					() -> closed.receiveAsync("storage"));
			assertRefused(RdmaClosedException.class, () -> closed.fetchAndAdd("storage", "counters", 0, 0),
					() -> closed.fetchAndAddAsync("storage", "counters", 0, 0));
			assertThatExceptionOfType(RdmaClosedException.class)
				.isThrownBy(() -> closed.execute("storage", (connection) -> null));
		}
	}

	@ParameterizedTest
	@MethodSource
	void whenSettingIsWrongThenExceptionNamesIt(String property, Supplier<TemplateSettings> settings) {
		assertThatExceptionOfType(RdmaConfigurationException.class).isThrownBy(settings::get)
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(property));
	}

	static Stream<Arguments> whenSettingIsWrongThenExceptionNamesIt() {
		TemplateSettings settings = TemplateSettings.defaults();
		return Stream.of(setting("rdma.template.timeout", () -> settings.withTimeout(Duration.ZERO)),
				setting("rdma.template.timeout", () -> settings.withTimeout(Duration.ofDays(2))),
				setting("rdma.template.chunk-size", () -> settings.withChunkSize(0)),
				setting("rdma.template.window", () -> settings.withWindow(0)),
				setting("rdma.template.transfer-threads", () -> settings.withTransferThreads(0)),
				setting("rdma.template.max-pending", () -> settings.withMaxPending(-1)));
	}

	private static Arguments setting(String property, Supplier<TemplateSettings> settings) {
		return Arguments.of(property, settings);
	}

	private static <E extends RdmaException> ThrowableAssertAlternative<E> assertRefused(Class<E> type,
			ThrowingCallable call, Supplier<CompletableFuture<?>> asyncCall) {
		assertThatExceptionOfType(type).isThrownBy(() -> unwrap(() -> asyncCall.get().join()));
		return assertThatExceptionOfType(type).isThrownBy(call);
	}

	private static void unwrap(ThrowingCallable call) throws Throwable {
		try {
			call.call();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() != null) ? ex.getCause() : ex;
		}
	}

}
