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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.rdma.core.completion.RdmaThread;
import io.rdma.core.exception.RdmaAccessDeniedException;
import io.rdma.core.exception.RdmaAlignmentException;
import io.rdma.core.exception.RdmaBoundsException;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaMessageTooLargeException;
import io.rdma.core.exception.RdmaQueueFullException;
import io.rdma.core.exception.RdmaRemoteAccessException;
import io.rdma.core.exception.UnknownRdmaRegionException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.QueuePairState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for operations on a connection between two services.
 */
class ConnectionOperationTests {

	private static final int SEND_DEPTH = 8;

	private static TestService storage;

	private static TestService client;

	private RdmaConnection connection;

	@BeforeAll
	static void start() {
		storage = TestService.start("storage",
				(options) -> options.region("blobs", 1 << 20, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)
					.region("counters", 4096, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)
					.region("readonly", 4096, AccessFlag.REMOTE_READ));
		client = TestService.start("client", (options) -> {
			options.settings.sendDepth(SEND_DEPTH);
			options.peer("storage", storage.server.port());
		});
	}

	@AfterAll
	static void stop() {
		client.close();
		storage.close();
	}

	@BeforeEach
	void connect() {
		this.connection = client.connect("storage");
		client.outcomes.clear();
	}

	private Operation operation(OperationKind kind, RdmaBuffer buffer, int length, String region, long offset) {
		return new BlockingOperation(kind).local(buffer, 0, length)
			.remote(this.connection.region(region), offset)
			.deadline(TestService.deadline());
	}

	private long run(Operation operation) {
		this.connection.post(operation);
		return ((BlockingOperation) operation).await();
	}

	private static long word(RdmaBuffer buffer) {
		return buffer.byteBuffer().duplicate().order(ByteOrder.nativeOrder()).getLong(0);
	}

	@Test
	void whenWrittenThenReadGivesTheSame() {
		byte[] content = "Hello, remote memory".getBytes(StandardCharsets.UTF_8);
		client.write(this.connection, "blobs", 4711, content);
		assertThat(client.read(this.connection, "blobs", 4711, content.length)).isEqualTo(content);
		byte[] atPeer = new byte[content.length];
		storage.regions.get("blobs").get(4711, ByteBuffer.wrap(atPeer));
		assertThat(atPeer).isEqualTo(content);
		assertThat(client.outcomes).containsExactly("storage WRITE success 20", "storage READ success 20");
	}

	@Test
	void whenChangedAtomicallyThenValueFoundIsInTheBuffer() {
		try (RdmaBuffer buffer = client.buffer(8)) {
			assertThat(run(operation(OperationKind.FETCH_AND_ADD, buffer, 8, "counters", 16).fetchAndAdd(5)))
				.isEqualTo(8);
			assertThat(word(buffer)).isZero();
			run(operation(OperationKind.COMPARE_AND_SWAP, buffer, 8, "counters", 16).compareAndSwap(5, 9));
			assertThat(word(buffer)).isEqualTo(5);
			run(operation(OperationKind.COMPARE_AND_SWAP, buffer, 8, "counters", 16).compareAndSwap(5, 100));
			assertThat(word(buffer)).isEqualTo(9);
		}
		assertThat(storage.regions.get("counters").memoryRegion().getLongAcquire(16)).isEqualTo(9);
	}

	@Test
	void whenWrittenWithImmediateThenPeerGetsBoth() {
		try (RdmaBuffer buffer = client.buffer(new byte[] { 1, 2, 3 })) {
			run(operation(OperationKind.WRITE_WITH_IMMEDIATE, buffer, 3, "blobs", 77).immediate(0xCAFE));
		}
		InboundMessage message = storage.receive("client");
		assertThat(message.immediate()).isEqualTo(0xCAFE);
		assertThat(message.length()).isEqualTo(3);
		assertThat(message.payload()).isEmpty();
		assertThat(storage.regions.get("blobs").buffer(77, 3)).isEqualTo(ByteBuffer.wrap(new byte[] { 1, 2, 3 }));
	}

	@Test
	void whenLengthIsZeroThenNoMemoryIsNeeded() {
		BlockingOperation write = new BlockingOperation(OperationKind.WRITE);
		write.remote(this.connection.region("blobs"), 1 << 20).deadline(TestService.deadline());
		assertThat(run(write)).isZero();
		BlockingOperation send = new BlockingOperation(OperationKind.SEND);
		send.deadline(TestService.deadline());
		assertThat(run(send)).isZero();
		assertThat(storage.receive("client").payload()).isEmpty();
	}

	@Test
	void whenBufferIsReleasedAfterPostThenItIsKeptUntilCompletion() {
		RdmaBuffer buffer = client.buffer(64);
		Operation operation = operation(OperationKind.WRITE, buffer, 64, "blobs", 0);
		this.connection.post(operation);
		buffer.release();
		assertThat(((BlockingOperation) operation).await()).isEqualTo(64);
		assertThat(buffer.isReleased()).isTrue();
	}

	@Test
	void whenRangeIsOutsideTheRemoteRegionThenNothingIsPosted() {
		try (RdmaBuffer buffer = client.buffer(64)) {
			for (long offset : new long[] { -1, (1 << 20) - 63, Long.MAX_VALUE }) {
				assertThatExceptionOfType(RdmaBoundsException.class)
					.isThrownBy(() -> run(operation(OperationKind.WRITE, buffer, 64, "blobs", offset)))
					.withMessageContaining("region 'blobs'")
					.satisfies((ex) -> assertThat(ex.offset()).isEqualTo(offset));
			}
		}
		assertThat(client.outcomes).containsOnly("storage WRITE rejected 0");
		assertThat(this.connection.state()).isEqualTo(ConnectionState.READY);
	}

	@Test
	void whenRangeIsOutsideTheLocalMemoryThenNothingIsPosted() {
		try (RdmaBuffer buffer = client.buffer(64)) {
			Operation tooLong = new BlockingOperation(OperationKind.WRITE).local(buffer, 1, buffer.capacity())
				.remote(this.connection.region("blobs"), 0)
				.deadline(TestService.deadline());
			assertThatExceptionOfType(RdmaBoundsException.class).isThrownBy(() -> run(tooLong))
				.withMessageContaining("the buffer");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> new BlockingOperation(OperationKind.WRITE).local(buffer, 0, -1));
		}
	}

	@Test
	void whenAccessIsMissingThenNothingIsPosted() {
		try (RdmaBuffer buffer = client.buffer(64)) {
			assertThatExceptionOfType(RdmaAccessDeniedException.class)
				.isThrownBy(() -> run(operation(OperationKind.WRITE, buffer, 8, "readonly", 0)))
				.withMessageContaining("region 'readonly'")
				.withMessageContaining("remote-write");
			assertThatExceptionOfType(RdmaAccessDeniedException.class)
				.isThrownBy(() -> run(operation(OperationKind.FETCH_AND_ADD, buffer, 8, "blobs", 0)))
				.withMessageContaining("remote-atomic");
		}
	}

	@Test
	void whenAtomicIsMisalignedThenNothingIsPosted() {
		try (RdmaBuffer buffer = client.buffer(64)) {
			assertThatExceptionOfType(RdmaAlignmentException.class)
				.isThrownBy(() -> run(operation(OperationKind.FETCH_AND_ADD, buffer, 8, "counters", 4)));
			assertThatIllegalArgumentException()
				.isThrownBy(() -> run(operation(OperationKind.FETCH_AND_ADD, buffer, 4, "counters", 8)))
				.withMessageContaining("8 bytes");
		}
	}

	@Test
	void whenRegionIsUnknownThenKnownOnesAreNamed() {
		assertThatExceptionOfType(UnknownRdmaRegionException.class).isThrownBy(() -> this.connection.region("nowhere"))
			.withMessageContaining("blobs");
	}

	@Test
	void whenMessageNeverFitsAtOnceThenOfferRefusesIt() {
		assertThat(this.connection.maxMessageSize()).isEqualTo(16 * 1024 * 1024);
		try (RdmaBuffer buffer = client.buffer(1 << 20)) {
			Operation large = new BlockingOperation(OperationKind.SEND).local(buffer, 0, 1 << 20)
				.deadline(TestService.deadline());
			assertThatExceptionOfType(RdmaQueueFullException.class).isThrownBy(() -> this.connection.offer(large))
				.withMessageContaining("never fit at once");
		}
	}

	@Test
	void whenLocalMemoryIsOfAnotherProtectionDomainThenItIsRefused() {
		Operation foreign = new BlockingOperation(OperationKind.WRITE)
			.local(storage.regions.get("blobs").memoryRegion(), 0, 8)
			.remote(this.connection.region("blobs"), 0)
			.deadline(TestService.deadline());
		assertThatIllegalArgumentException().isThrownBy(() -> run(foreign)).withMessageContaining("protection domain");
	}

	@Test
	void whenOperationIsPostedTwiceThenItIsRefused() {
		try (RdmaBuffer buffer = client.buffer(8)) {
			Operation operation = operation(OperationKind.WRITE, buffer, 8, "blobs", 0);
			run(operation);
			assertThatIllegalStateException().isThrownBy(() -> this.connection.post(operation));
			assertThatIllegalStateException()
				.isThrownBy(() -> this.connection.post(new BlockingOperation(OperationKind.SEND)))
				.withMessageContaining("deadline");
			assertThatIllegalArgumentException().isThrownBy(() -> this.connection
				.post(new BlockingOperation(OperationKind.WRITE).deadline(TestService.deadline())));
			assertThatIllegalArgumentException().isThrownBy(() -> this.connection
				.post(new BlockingOperation(OperationKind.RECEIVE).deadline(TestService.deadline())));
		}
	}

	@Test
	void whenDeviceRefusesThenOperationGetsItsOwnStatusAndConnectionComesBack() {
		try (RdmaBuffer buffer = client.buffer(8)) {
			RemoteRegion honest = this.connection.region("blobs");
			RemoteRegion forged = new RemoteRegion("blobs", honest.address(), honest.rkey() + 1, honest.length(),
					honest.access());
			Operation operation = new BlockingOperation(OperationKind.WRITE).local(buffer, 0, 8)
				.remote(forged, 0)
				.deadline(TestService.deadline());
			assertThatExceptionOfType(RdmaRemoteAccessException.class).isThrownBy(() -> run(operation));
			assertThat(this.connection.state()).isEqualTo(ConnectionState.LOST);
			RdmaConnection again = client.connect("storage");
			assertThat(again).isNotSameAs(this.connection);
			client.write(again, "blobs", 0, new byte[] { 1 });
			assertThat(client.status("storage").reconnects()).isPositive();
		}
	}

	@Test
	void whenManyThreadsPostThenDepthIsKeptAndNothingIsLost() throws Exception {
		int threads = 6;
		int each = 300;
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		List<Future<?>> futures = new ArrayList<>();
		for (int thread = 0; thread < threads; thread++) {
			int number = thread;
			futures.add(executor.submit(() -> {
				try (RdmaBuffer buffer = client.buffer(8)) {
					for (int i = 0; i < each; i++) {
						run(operation(OperationKind.FETCH_AND_ADD, buffer, 8, "counters", 64 + 8L * number)
							.fetchAndAdd(1));
					}
				}
			}));
		}
		for (Future<?> future : futures) {
			future.get(60, TimeUnit.SECONDS);
		}
		executor.shutdown();
		for (int thread = 0; thread < threads; thread++) {
			assertThat(storage.regions.get("counters").memoryRegion().getLongAcquire(64 + 8L * thread)).isEqualTo(each);
		}
		assertThat(this.connection.details().outstandingHighWater()).isBetween(1, SEND_DEPTH);
		assertThat(this.connection.outstanding()).isZero();
		assertThat(this.connection.details().strays()).isZero();
	}

	@Test
	void whenOfferedThenCallbackTellsTheOutcome() {
		AtomicReference<@Nullable Long> moved = new AtomicReference<>();
		try (RdmaBuffer buffer = client.buffer(32)) {
			Operation operation = new Operation(OperationKind.WRITE) {

				@Override
				protected void succeeded(long bytes) {
					moved.set(bytes);
				}

				@Override
				protected void failed(RdmaException exception) {
					throw exception;
				}

			};
			operation.local(buffer, 0, 32).remote(this.connection.region("blobs"), 0).deadline(TestService.deadline());
			assertThat(this.connection.offer(operation)).isTrue();
			await().atMost(TestService.PATIENCE).untilAsserted(() -> assertThat(moved).hasValue(32L));
		}
	}

	@Test
	void whenAwaitedOnThreadOfTheLibraryThenItIsRefused() throws Exception {
		AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
		try (RdmaBuffer buffer = client.buffer(8)) {
			Operation operation = operation(OperationKind.WRITE, buffer, 8, "blobs", 0);
			Thread thread = new RdmaThread(() -> {
				try {
					run(operation);
				}
				catch (RuntimeException ex) {
					thrown.set(ex);
				}
			}, "rdma-test");
			thread.start();
			thread.join(10_000);
			assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("rdma-test");
		}
	}

	@Test
	void shouldTellDetailsWithoutSecrets() {
		ConnectionDetails details = this.connection.details();
		assertThat(details.peer()).isEqualTo("storage");
		assertThat(details.queuePairState()).isEqualTo(QueuePairState.RTS);
		assertThat(details.sendDepth()).isEqualTo(SEND_DEPTH);
		assertThat(details.remoteRegions()).containsExactly("blobs", "counters", "readonly");
		String key = Integer.toString(this.connection.region("blobs").rkey());
		assertThat(details.toString() + this.connection + this.connection.region("blobs") + client.status("storage"))
			.doesNotContain(key)
			.doesNotContain(Long.toString(this.connection.region("blobs").address()));
		assertThat(this.connection.maxTransferSize()).isGreaterThanOrEqualTo(1 << 20);
		assertThat(Duration.between(details.since(), Instant.now())).isPositive();
	}

	@Test
	void whenMessageExceedsTheLimitOfThePeerThenItIsTooLarge() {
		TestService picky = TestService.start("picky", (options) -> options.settings.maxMessageSize(100));
		TestService sender = TestService.start("sender", (options) -> options.peer("picky", picky.server.port()));
		try {
			assertThatExceptionOfType(RdmaMessageTooLargeException.class)
				.isThrownBy(() -> sender.send("picky", new byte[101]))
				.withMessageContaining("rdma.template.max-message-size");
			sender.send("picky", new byte[100]);
			assertThat(picky.receive("sender").payload()).hasSize(100);
		}
		finally {
			sender.close();
			picky.close();
		}
	}

}
