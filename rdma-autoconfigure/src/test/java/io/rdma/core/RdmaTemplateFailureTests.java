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
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConnectException;
import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaMemoryPoolExhaustedException;
import io.rdma.core.exception.RdmaPayloadException;
import io.rdma.core.exception.RdmaQueueFullException;
import io.rdma.core.exception.RdmaRemoteAccessException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.testing.RdmaTestNode;
import io.rdma.testing.TestDevice;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.CompletionStatus;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Tests for operations of {@link RdmaTemplate} that fail after they were started. After
 * each of them no buffer of the pool may be missing.
 */
@SuppressWarnings("InputStreamSlowMultibyteRead")
class RdmaTemplateFailureTests {

	private static final int PIECE = 64 * 1024;

	private static final int LARGE = 10 * PIECE;

	private static final int RECEIVES = 8;

	private static final Duration SHORT = Duration.ofMillis(200);

	private RdmaTestNode storage;

	private RdmaTestNode client;

	private RdmaTemplate rdma;

	private long poolUse;

	@BeforeEach
	void start() {
		this.storage = RdmaTestNode.named("storage")
			.region("blobs", LARGE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
			.connectionSettings((settings) -> settings.receiveDepth(RECEIVES))
			.start();
		this.client = RdmaTestNode.named("client")
			.peer("storage", this.storage.port())
			.peer("down", RdmaTestNode.freePort())
			.poolSize(2 * 1024 * 1024)
			.templateSettings(
					(settings) -> settings.withChunkSize(PIECE).withWindow(4).withTransferThreads(1).withMaxPending(4))
			.start();
		this.rdma = this.client.template();
		this.rdma.read("storage", "blobs", 0, 1);
		this.poolUse = this.client.poolUseAtRest();
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.storage.close();
	}

	@Test
	void whenPayloadEndsEarlyThenPayloadException() {
		for (int length : new int[] { 100, LARGE }) {
			assertFails(RdmaPayloadException.class, () -> this.rdma.write("storage", "blobs", 0, shortStream(length)))
				.hasMessageContaining("ended after %d of %d bytes".formatted(length - 1, length))
				.hasCauseInstanceOf(IOException.class);
			assertFails(RdmaPayloadException.class,
					() -> this.rdma.writeAsync("storage", "blobs", 0, shortStream(length)).join());
			assertFails(RdmaPayloadException.class, () -> this.rdma.send("storage", shortStream(length)));
			assertFails(RdmaPayloadException.class, () -> this.rdma.sendAsync("storage", shortStream(length)).join());
		}
		assertAllReturned();
	}

	private static RdmaPayload shortStream(int length) {
		return RdmaPayload.of(new ByteArrayInputStream(new byte[length - 1]), length);
	}

	@Test
	void whenResourceDoesNotExistThenPayloadException() {
		FileSystemResource resource = new FileSystemResource("no such file");
		assertFails(RdmaPayloadException.class, () -> this.rdma.write("storage", "blobs", 0, resource))
			.hasCauseInstanceOf(FileNotFoundException.class);
		assertFails(RdmaPayloadException.class, () -> this.rdma.writeAsync("storage", "blobs", 0, resource).join());
		assertFails(RdmaPayloadException.class, () -> this.rdma.send("storage", resource));
		assertAllReturned();
	}

	@Test
	void whenStreamThrowsUncheckedThenThatIsThrown() {
		InputStream stream = new InputStream() {

			@Override
			public int read() {
				throw new IllegalStateException("on purpose");
			}

		};
		assertThatIllegalStateException()
			.isThrownBy(() -> this.rdma.write("storage", "blobs", 0, RdmaPayload.of(stream, LARGE)))
			.withMessage("on purpose");
		assertAllReturned();
	}

	@Test
	void whenDestinationFailsThenPayloadException() {
		OutputStream stream = new OutputStream() {

			private int count;

			@Override
			public void write(int b) throws IOException {
				throw new IOException("disk full");
			}

			@Override
			public void write(byte[] b, int off, int len) throws IOException {
				this.count += len;
				if (this.count > 3 * PIECE) {
					throw new IOException("disk full");
				}
			}

		};
		assertFails(RdmaPayloadException.class, () -> this.rdma.read("storage", "blobs", 0, LARGE, stream))
			.hasMessageContaining("disk full");
		assertAllReturned();
	}

	@Test
	void whenPeerRefusesOnePieceThenTransferEndsWithItsException() {
		this.storage.region("blobs").close();
		ByteBuffer buffer = ByteBuffer.allocate(LARGE);
		assertFails(RdmaRemoteAccessException.class, () -> this.rdma.write("storage", "blobs", 0, buffer))
			.hasMessageContaining("peer 'storage'");
		assertThat(buffer.position()).isZero();
		assertNothingMissing();
	}

	@Test
	void whenPeerRefusesOnePieceOfAsynchronousTransferThenFutureEndsWithItsException() {
		this.storage.region("blobs").close();
		RdmaBuffer buffer = this.client.pool().acquire(LARGE, SHORT);
		buffer.byteBuffer().limit(LARGE);
		RdmaException exception = failure(this.rdma.readAsync("storage", "blobs", 0, buffer));
		assertThat(exception).isInstanceOf(RdmaRemoteAccessException.class);
		assertThat(exception.status()).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
		assertThat(exception.qpNumber()).isNotNull();
		buffer.release();
		assertThat(buffer.isReleased()).isTrue();
		assertNothingMissing();
	}

	@Test
	void whenPeerRefusesSingleOperationThenItIsTheException() {
		this.storage.region("blobs").close();
		assertThat(failure(this.rdma.writeAsync("storage", "blobs", 0, new byte[10])))
			.isInstanceOf(RdmaRemoteAccessException.class);
		assertNothingMissing();
	}

	@Test
	void whenPoolIsEmptyThenPoolExhaustedAndLaterAllWorks() {
		List<RdmaBuffer> taken = drainPool();
		assertFails(RdmaMemoryPoolExhaustedException.class,
				() -> this.rdma.write("storage", "blobs", 0, new byte[LARGE], SHORT));
		assertFails(RdmaMemoryPoolExhaustedException.class,
				() -> this.rdma.write("storage", "blobs", 0, new byte[10], SHORT));
		assertFails(RdmaMemoryPoolExhaustedException.class, () -> this.rdma.send("storage", new byte[10], SHORT));
		TransferOptions options = TransferOptions.within(SHORT);
		assertThat(failure(this.rdma.writeAsync("storage", "blobs", 0, RdmaPayload.of(new byte[10]), options)))
			.isInstanceOf(RdmaMemoryPoolExhaustedException.class);
		CompletableFuture<?> waiting = this.rdma.writeAsync("storage", "blobs", 0, new byte[LARGE]);
		CompletableFuture<?> small = this.rdma.writeAsync("storage", "blobs", 0, new byte[10]);
		taken.forEach(RdmaBuffer::release);
		waiting.join();
		small.join();
		assertAllReturned();
	}

	@Test
	void whenPoolHasOneBufferLeftThenLargeTransferMakesDoWithIt() {
		List<RdmaBuffer> taken = drainPool();
		taken.remove(taken.size() - 1).release();
		this.rdma.write("storage", "blobs", 0, new byte[LARGE]);
		assertThat(this.rdma.read("storage", "blobs", 0, LARGE)).hasSize(LARGE);
		taken.forEach(RdmaBuffer::release);
		assertAllReturned();
	}

	private List<RdmaBuffer> drainPool() {
		List<RdmaBuffer> taken = new ArrayList<>();
		for (int size : new int[] { PIECE, 4096 }) {
			RdmaBuffer buffer = this.client.pool().tryAcquire(size);
			while (buffer != null) {
				taken.add(0, buffer);
				buffer = this.client.pool().tryAcquire(size);
			}
		}
		return taken;
	}

	@Test
	void whenPeerTakesNoMessagesThenSendTimesOutAndLaterGoesOn() {
		int sent = fillPeer();
		assertThat(sent).isBetween(1, RECEIVES);
		assertFails(RdmaTimeoutException.class, () -> this.rdma.send("storage", new byte[10], SHORT))
			.hasMessageContaining("peer 'storage'");
		assertThat(failure(this.rdma.sendAsync("storage", RdmaPayload.of(new byte[10]), SHORT)))
			.isInstanceOf(RdmaTimeoutException.class);
		// what the peer takes no part in is not held up
		this.rdma.write("storage", "blobs", 0, new byte[LARGE]);
		this.rdma.writeAsync("storage", "blobs", 0, new byte[10]).join();
		for (int i = 0; i < sent; i++) {
			assertThat(this.storage.template().receive("client").payload()).containsExactly(i);
		}
		this.rdma.send("storage", new byte[10]);
		assertAllReturned();
	}

	@Test
	void whenMessagesWaitForThePeerThenTheyGoInOrder() {
		int sent = fillPeer();
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = sent; i < sent + 4; i++) {
			futures.add(this.rdma.sendAsync("storage", new byte[] { (byte) i }));
		}
		for (int i = 0; i < sent + 4; i++) {
			assertThat(this.storage.template().receive("client").payload()).containsExactly(i);
		}
		CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).join();
		assertAllReturned();
	}

	@Test
	void whenTooManyOperationsWaitThenQueueFull() {
		fillPeer();
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			futures.add(this.rdma.sendAsync("storage", RdmaPayload.of(new byte[10]), Duration.ofSeconds(1)));
		}
		assertThat(failure(futures.get(9))).isInstanceOf(RdmaQueueFullException.class)
			.hasMessageContaining("rdma.template.max-pending");
		futures.forEach((future) -> assertThat(failure(future)).isNotNull());
		assertAllReturned();
	}

	@Test
	void whenTooManyTransfersWaitThenQueueFull() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			futures.add(this.rdma.writeAsync("storage", "blobs", 0, RdmaPayload.of(blockedStream(release), 100)));
		}
		assertThat(failure(futures.get(9))).isInstanceOf(RdmaQueueFullException.class)
			.hasMessageContaining("rdma.template.transfer-threads");
		release.countDown();
		futures.get(0).join();
		assertAllReturned();
	}

	private static InputStream blockedStream(CountDownLatch release) {
		return new InputStream() {

			@Override
			public int read() throws IOException {
				try {
					release.await();
					return 0;
				}
				catch (InterruptedException ex) {
					throw new IOException(ex);
				}
			}

		};
	}

	@Test
	void whenFutureIsCancelledThenOperationGoesOn() {
		int sent = fillPeer();
		CompletableFuture<?> future = this.rdma.sendAsync("storage", new byte[] { 99 });
		assertThat(future.cancel(true)).isTrue();
		assertThat(future).isCancelled();
		for (int i = 0; i < sent; i++) {
			this.storage.template().receive("client");
		}
		assertThat(this.storage.template().receive("client").payload()).containsExactly(99);
		assertAllReturned();
	}

	@Test
	void whenWaitingThreadIsInterruptedThenTypedExceptionAndFlagIsKept() throws Exception {
		assertInterrupted(() -> this.rdma.receive("storage"));
		assertInterrupted(() -> this.rdma.sendAndReceive("storage", new byte[1]));
		fillPeer();
		assertInterrupted(() -> this.rdma.send("storage", new byte[1]));
		List<RdmaBuffer> taken = drainPool();
		assertInterrupted(() -> this.rdma.write("storage", "blobs", 0, new byte[LARGE]));
		taken.forEach(RdmaBuffer::release);
		assertAllReturned();
	}

	private static void assertInterrupted(ThrowingCallable call) throws Exception {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		AtomicReference<Boolean> flag = new AtomicReference<>();
		Thread thread = new Thread(() -> {
			try {
				call.call();
			}
			catch (Throwable ex) {
				failure.set(ex);
				flag.set(Thread.currentThread().isInterrupted());
			}
		});
		thread.start();
		await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		thread.interrupt();
		thread.join(10_000);
		assertThat(failure.get()).isInstanceOf(RdmaInterruptedException.class);
		assertThat(flag.get()).isTrue();
	}

	@Test
	void whenNoMessageComesThenTimeout() {
		assertFails(RdmaTimeoutException.class, () -> this.rdma.receive("storage", SHORT))
			.hasMessageContaining("no message came within 200 ms");
		assertThat(failure(this.rdma.receiveAsync("storage", SHORT))).isInstanceOf(RdmaTimeoutException.class);
	}

	@Test
	void whenNoReplyComesThenTimeoutAndLateReplyIsDroppedAndCounted() {
		assertFails(RdmaTimeoutException.class, () -> this.rdma.sendAndReceive("storage", new byte[1], SHORT))
			.hasMessageContaining("no reply came within 200 ms");
		assertThat(failure(this.rdma.sendAndReceiveAsync("storage", RdmaPayload.of(new byte[1]), SHORT)))
			.isInstanceOf(RdmaTimeoutException.class);
		assertThat(this.rdma.pendingReplies()).isZero();
		RdmaTemplate server = this.storage.template();
		server.reply(server.receive("client"), new byte[1]);
		server.reply(server.receive("client"), new byte[1]);
		await().untilAsserted(() -> assertThat(this.rdma.lateReplies()).isEqualTo(2));
		assertFails(RdmaTimeoutException.class, () -> this.rdma.receive("storage", SHORT));
		assertAllReturned();
	}

	@Test
	void whenConnectionIsLostThenWaitingRequestsFailAtOnce() {
		CompletableFuture<RdmaMessage> future = this.rdma.sendAndReceiveAsync("storage", new byte[1]);
		RdmaMessage request = this.storage.template().receive("client");
		this.storage.stop();
		assertThat(failure(future)).isInstanceOf(RdmaConnectionLostException.class)
			.hasMessageContaining("peer 'storage'");
		assertThat(this.rdma.pendingReplies()).isZero();
		assertThatExceptionOfType(RdmaException.class)
			.isThrownBy(() -> this.storage.template().reply(request, new byte[1]));
	}

	@Test
	void whenPeerIsDownThenConnectException() {
		assertFails(RdmaConnectException.class, () -> this.rdma.send("down", new byte[1]))
			.hasMessageContaining("peer 'down'");
		assertThat(failure(this.rdma.sendAsync("down", new byte[1]))).isInstanceOf(RdmaConnectException.class);
		assertThat(failure(this.rdma.receiveAsync("down"))).isInstanceOf(RdmaConnectException.class);
		assertThat(failure(this.rdma.readAsync("down", "blobs", 0, LARGE))).isInstanceOf(RdmaConnectException.class);
		assertAllReturned();
	}

	@Test
	void whenPeerComesBackThenOperationsWorkAgain() {
		this.storage.stop();
		assertFails(RdmaException.class, () -> this.rdma.write("storage", "blobs", 0, new byte[1], SHORT));
		this.storage.close();
		this.storage = RdmaTestNode.named("storage")
			.region("blobs", LARGE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
			.port(port())
			.start();
		await().atMost(TestDevice.PATIENCE)
			.ignoreExceptionsInstanceOf(RdmaException.class)
			.untilAsserted(() -> assertThat(this.rdma.read("storage", "blobs", 0, LARGE)).hasSize(LARGE));
		assertNothingMissing();
	}

	private int port() {
		String address = this.client.connections().peers().get(0).address();
		return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
	}

	@Test
	void whenClosedThenWhatWaitsFails() throws Exception {
		fillPeer();
		CountDownLatch release = new CountDownLatch(1);
		List<CompletableFuture<?>> futures = new ArrayList<>();
		futures.add(this.rdma.receiveAsync("storage"));
		futures.add(this.rdma.sendAsync("storage", new byte[1]));
		futures.add(this.rdma.sendAsync("storage", new byte[1]));
		futures.add(this.rdma.sendAndReceiveAsync("storage", new byte[1]));
		futures.add(this.rdma.writeAsync("storage", "blobs", 0, RdmaPayload.of(blockedStream(release), 100)));
		futures.add(this.rdma.writeAsync("storage", "blobs", 0, RdmaPayload.of(blockedStream(release), 100)));
		this.rdma.close();
		for (CompletableFuture<?> future : futures.subList(0, 4)) {
			assertThat(failure(future)).isInstanceOf(RdmaClosedException.class);
		}
		assertThat(failure(futures.get(4))).isInstanceOfAny(RdmaClosedException.class, RdmaPayloadException.class);
		assertThat(failure(futures.get(5))).isInstanceOf(RdmaClosedException.class);
		assertAllReturned();
	}

	/**
	 * Send until the peer can take no more.
	 * @return how many messages were sent, which contain 0, 1, 2 and so on
	 */
	private int fillPeer() {
		int sent = 0;
		try {
			while (sent < 100) {
				this.rdma.send("storage", new byte[] { (byte) sent }, SHORT);
				sent++;
			}
		}
		catch (RdmaTimeoutException ex) {
			return sent;
		}
		throw new AssertionError("The peer took 100 messages that nobody received");
	}

	private static AbstractThrowableAssert<?, ?> assertFails(Class<? extends RdmaException> type,
			ThrowingCallable call) {
		return assertThat(catchUnwrapped(call)).isInstanceOf(type);
	}

	private static Throwable catchUnwrapped(ThrowingCallable call) {
		Throwable thrown = catchThrowable(call);
		return (thrown instanceof CompletionException && thrown.getCause() != null) ? thrown.getCause() : thrown;
	}

	private static RdmaException failure(CompletableFuture<?> future) {
		return (RdmaException) catchUnwrapped(future::join);
	}

	private long used() {
		return this.client.pool().statistics().usedBytes();
	}

	private void assertAllReturned() {
		await().untilAsserted(() -> assertThat(used()).isEqualTo(this.poolUse));
	}

	/**
	 * Check that nothing is missing after the connection was lost, which can take back
	 * its receive buffers too.
	 */
	private void assertNothingMissing() {
		await().untilAsserted(() -> assertThat(used()).isLessThanOrEqualTo(this.poolUse));
	}

}
