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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rdma.core.completion.RdmaThread;
import io.rdma.core.exception.RdmaConnectException;
import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaDeviceException;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.testing.OnSoftDeviceOnly;
import io.rdma.testing.TestDevice;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.PortState;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.soft.SoftDeviceContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for what fails: peers that stop answering or die, devices and ports that fail,
 * time limits; and for what comes back by itself.
 */
class ConnectionFailureTests {

	private final List<AutoCloseable> resources = new ArrayList<>();

	private <T extends AutoCloseable> T closing(T resource) {
		this.resources.add(0, resource);
		return resource;
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable resource : this.resources) {
			resource.close();
		}
	}

	private TestService storage(int port) {
		return closing(TestService.start("storage", (options) -> options.port(port)
			.region("blobs", 1 << 16, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)));
	}

	/**
	 * Make a service and a peer that answers nothing after the handshake, over a queue
	 * pair that waits for ever.
	 */
	private TestService clientOfSilentPeer(Duration drainTimeout, long poolSize) throws Exception {
		RawPeer peer = closing(new RawPeer());
		CompletableFuture<Void> accepted = peer.accept();
		TestService client = closing(TestService.start("client", (options) -> {
			options.peer("silent", peer.port()).poolSize(poolSize);
			options.settings.timeout(0)
				.drainTimeout(drainTimeout)
				.recoveryDelay(Duration.ofSeconds(30))
				.maxRecoveryDelay(Duration.ofSeconds(30));
		}));
		client.connect("silent");
		accepted.get(TestDevice.PATIENCE.toSeconds(), TimeUnit.SECONDS);
		peer.goSilent();
		return client;
	}

	private static BlockingOperation write(RdmaConnection connection, RdmaBuffer buffer, Duration timeout) {
		BlockingOperation operation = new BlockingOperation(OperationKind.WRITE);
		operation.local(buffer, 0, 64).remote(connection.region("memory"), 0).deadline(TestService.deadline(timeout));
		connection.post(operation);
		return operation;
	}

	@Test
	void whenPeerStopsAnsweringThenOperationTimesOutAndBufferIsHeldBackUntilDrained() throws Exception {
		TestService client = clientOfSilentPeer(Duration.ofMillis(700), 8 << 20);
		RdmaConnection connection = client.connect("silent");
		RdmaBuffer buffer = client.buffer(64);
		BlockingOperation operation = write(connection, buffer, Duration.ofMillis(100));
		buffer.release();
		assertThatExceptionOfType(RdmaTimeoutException.class).isThrownBy(operation::await)
			.withMessageContaining("did not end within its time limit");
		assertThat(buffer.isReleased()).isFalse();
		assertThat(client.pool.statistics().heldBackBytes()).isEqualTo(buffer.capacity());
		assertThat(connection.state()).isEqualTo(ConnectionState.READY);
		assertThat(connection.outstanding()).isEqualTo(1);
		await().atMost(TestService.PATIENCE).until(() -> client.pool.statistics().heldBackBytes() == 0);
		assertThat(buffer.isReleased()).isTrue();
		assertThat(connection.state()).isEqualTo(ConnectionState.LOST);
		assertThat(connection.failure()).isInstanceOf(RdmaTimeoutException.class)
			.hasMessageContaining("within 700 ms after it timed out");
		assertThat(client.outcomes).containsExactly("silent WRITE timeout 0");
	}

	@Test
	void whenNobodyWaitsThenTheTimerEndsTheOperation() throws Exception {
		TestService client = clientOfSilentPeer(Duration.ofMillis(500), 8 << 20);
		RdmaConnection connection = client.connect("silent");
		CompletableFuture<RdmaException> outcome = new CompletableFuture<>();
		try (RdmaBuffer buffer = client.buffer(64)) {
			Operation operation = new Operation(OperationKind.READ) {

				@Override
				protected void succeeded(long bytes) {
					outcome.completeExceptionally(new AssertionError("succeeded"));
				}

				@Override
				protected void failed(RdmaException exception) {
					outcome.complete(exception);
				}

			};
			operation.local(buffer, 0, 64)
				.remote(connection.region("memory"), 0)
				.deadline(TestService.deadline(Duration.ofMillis(50)));
			connection.post(operation);
			assertThat(outcome.get(10, TimeUnit.SECONDS)).isInstanceOf(RdmaTimeoutException.class);
		}
	}

	@Test
	void whenTooMuchIsHeldBackThenTheOldestOwnerIsEndedAtOnce() throws Exception {
		TestService client = clientOfSilentPeer(Duration.ofMinutes(5), 4 << 20);
		RdmaConnection connection = client.connect("silent");
		List<BlockingOperation> operations = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			RdmaBuffer buffer = client.buffer(512 << 10);
			operations.add(write(connection, buffer, Duration.ofMillis(100)));
			buffer.release();
		}
		for (BlockingOperation operation : operations) {
			assertThatExceptionOfType(RdmaTimeoutException.class).isThrownBy(operation::await);
		}
		await().atMost(TestService.PATIENCE).until(() -> client.pool.statistics().heldBackBytes() == 0);
		assertThat(connection.state()).isEqualTo(ConnectionState.LOST);
		assertThat(connection.failure()).hasMessageContaining("hold back").hasMessageContaining("of the pool's");
	}

	@Test
	void whenSendQueueStaysFullThenPostTimesOutAndConnectionLives() throws Exception {
		TestService client = clientOfSilentPeer(Duration.ofMinutes(5), 8 << 20);
		RdmaConnection connection = client.connect("silent");
		try (RdmaBuffer buffer = client.buffer(64)) {
			for (int i = 0; i < connection.sendDepth(); i++) {
				write(connection, buffer, TestService.PATIENCE);
			}
			assertThatExceptionOfType(RdmaTimeoutException.class)
				.isThrownBy(() -> write(connection, buffer, Duration.ofMillis(100)))
				.withMessageContaining("rdma.queue-pair.send-depth");
			Operation offered = new BlockingOperation(OperationKind.WRITE).local(buffer, 0, 64)
				.remote(connection.region("memory"), 0)
				.deadline(TestService.deadline());
			assertThat(connection.offer(offered)).isFalse();
			assertThat(onThreadOfTheLibrary(() -> write(connection, buffer, TestService.PATIENCE)))
				.isInstanceOf(IllegalStateException.class);
			assertThat(connection.state()).isEqualTo(ConnectionState.READY);
			assertThat(connection.outstanding()).isEqualTo(connection.sendDepth());
			connection.fail(new RdmaConnectionLostException(connection.context("test"), "a test", "None."));
			await().atMost(TestService.PATIENCE).until(connection::isReleased);
		}
		assertThat(client.outcomes.stream().filter("silent WRITE error 0"::equals)).hasSize(connection.sendDepth());
	}

	private static Throwable onThreadOfTheLibrary(Runnable task) throws Exception {
		CompletableFuture<Throwable> thrown = new CompletableFuture<>();
		new RdmaThread(() -> {
			try {
				task.run();
				thrown.complete(new AssertionError("nothing was thrown"));
			}
			catch (RuntimeException ex) {
				thrown.complete(ex);
			}
		}, "rdma-test").start();
		return thrown.get(10, TimeUnit.SECONDS);
	}

	@Test
	void whenCompletionQueueFailsThenItsConnectionsFail() {
		TestService storage = storage(0);
		TestService client = closing(
				TestService.start("client", (options) -> options.peer("storage", storage.server.port())));
		RdmaConnection connection = client.connect("storage");
		client.connections.running("test")
			.event(new AsyncEvent(AsyncEventType.CQ_ERR, connection.resources().lease().receiveQueue(), 0));
		assertThat(connection.state()).isEqualTo(ConnectionState.LOST);
		assertThat(connection.failure()).isInstanceOf(RdmaDeviceException.class)
			.hasMessageContaining("completion queue");
		RdmaConnection again = client.connect("storage");
		client.connections.running("test")
			.event(new AsyncEvent(AsyncEventType.QP_FATAL, again.resources().queuePair(), 0));
		assertThat(again.failure()).hasMessageContaining("QP_FATAL");
	}

	@Test
	void whenWaitIsInterruptedThenFlagStaysAndOperationGoesOnAsTimedOut() throws Exception {
		TestService client = clientOfSilentPeer(Duration.ofMillis(500), 8 << 20);
		RdmaConnection connection = client.connect("silent");
		RdmaBuffer buffer = client.buffer(64);
		BlockingOperation operation = write(connection, buffer, TestService.PATIENCE);
		buffer.release();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(RdmaInterruptedException.class).isThrownBy(operation::await);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(client.pool.statistics().heldBackBytes()).isPositive();
		await().atMost(TestService.PATIENCE).until(() -> client.pool.statistics().heldBackBytes() == 0);
	}

	@Test
	void whenPeerDiesThenWaitersAreWokenWithTypedExceptions() throws Exception {
		RawPeer peer = closing(new RawPeer());
		CompletableFuture<Void> accepted = peer.accept();
		TestService client = closing(TestService.start("client", (options) -> {
			options.peer("silent", peer.port());
			options.settings.timeout(0)
				.sendDepth(2)
				.recoveryDelay(Duration.ofSeconds(30))
				.maxRecoveryDelay(Duration.ofSeconds(30));
		}));
		RdmaConnection connection = client.connect("silent");
		accepted.get(TestDevice.PATIENCE.toSeconds(), TimeUnit.SECONDS);
		peer.goSilent();
		try (RdmaBuffer buffer = client.buffer(64)) {
			BlockingOperation first = write(connection, buffer, TestService.PATIENCE);
			write(connection, buffer, TestService.PATIENCE);
			CompletableFuture<Object> waiting = CompletableFuture
				.supplyAsync(() -> write(connection, buffer, TestService.PATIENCE), client.executor)
				.handle((result, ex) -> (ex != null) ? ex.getCause() : result);
			peer.socket().close();
			assertThatExceptionOfType(RdmaConnectionLostException.class).isThrownBy(first::await)
				.withMessageContaining("whether it took effect is not known")
				.withMessageContaining("the peer is gone");
			assertThat(waiting.get(10, TimeUnit.SECONDS)).isInstanceOf(RdmaConnectionLostException.class)
				.asString()
				.contains("it has no effect");
			assertThatExceptionOfType(RdmaConnectionLostException.class)
				.isThrownBy(() -> write(connection, buffer, TestService.PATIENCE))
				.withMessageContaining("it has no effect");
		}
		assertThat(client.status("silent").state()).isEqualTo(ConnectionState.LOST);
		assertThat(client.status("silent").reason()).contains("the peer is gone");
		assertThat(client.status("silent").wasReady()).isTrue();
	}

	@Test
	void whenPeerComesBackThenConnectionHealsByItself() {
		int port = ConnectionHandshakeTests.freePort();
		TestService storage = storage(port);
		TestService client = closing(TestService.start("client", (options) -> options.peer("storage", port)));
		RdmaConnection first = client.connect("storage");
		storage.stop();
		await().atMost(TestService.PATIENCE)
			.until(() -> client.status("storage").state() == ConnectionState.LOST
					|| client.status("storage").state() == ConnectionState.CONNECTING);
		assertThatExceptionOfType(RdmaException.class).isThrownBy(() -> client.connect("storage"))
			.isInstanceOfAny(RdmaConnectException.class, RdmaConnectionLostException.class);
		storage.start();
		await().atMost(TestService.PATIENCE).until(() -> client.status("storage").state() == ConnectionState.READY);
		assertThat(client.status("storage").reconnects()).isEqualTo(1);
		assertThat(client.status("storage").reason()).isNull();
		RdmaConnection second = client.connect("storage");
		assertThat(second).isNotSameAs(first);
		client.write(second, "blobs", 0, new byte[] { 1 });
		// the end of the queue pair can be seen before the farewell
		assertThat(String.join(" ", client.states("storage"))).containsPattern(
				"CONNECTING>READY (READY>DRAINING DRAINING>LOST|READY>LOST) .*LOST>CONNECTING CONNECTING>READY");
	}

	@Test
	void whenPeerIsRequiredThenItIsConnectedWithoutUse() {
		int port = ConnectionHandshakeTests.freePort();
		TestService client = closing(TestService.start("client",
				(options) -> options.peer(new PeerDefinition("storage", "localhost", port, true, false))));
		await().atMost(TestService.PATIENCE).until(() -> client.status("storage").attempts() > 1);
		storage(port);
		await().atMost(TestService.PATIENCE).until(() -> client.status("storage").state() == ConnectionState.READY);
		assertThat(client.status("storage").required()).isTrue();
	}

	@Test
	void whenPeerWasNeverUsedThenNothingIsTriedInTheBackground() throws Exception {
		TestService client = closing(
				TestService.start("client", (options) -> options.peer("storage", ConnectionHandshakeTests.freePort())));
		assertThatExceptionOfType(RdmaConnectException.class).isThrownBy(() -> client.connect("storage"));
		await().during(Duration.ofMillis(400))
			.atMost(TestService.PATIENCE)
			.until(() -> client.status("storage").attempts() == 1);
	}

	@Test
	void whenPortGoesDownThenConnectionsFailAndHealWhenItComesBack() {
		TestDevice.assumePortCanGoDown();
		TestService storage = storage(0);
		TestService client = closing(
				TestService.start("client", (options) -> options.peer("storage", storage.server.port())));
		RdmaConnection connection = client.connect("storage");
		TestDevice.setPortUp(client.context, false);
		await().atMost(TestService.PATIENCE).until(() -> connection.state() == ConnectionState.LOST);
		assertThat(connection.failure()).isInstanceOf(RdmaDeviceException.class)
			.hasMessageContaining("port 1 went down");
		assertThat(client.monitor.portState()).isEqualTo(PortState.DOWN);
		await().atMost(TestService.PATIENCE).untilAsserted(() -> {
			String reason = client.status("storage").reason();
			assertThat(reason).contains("port 1 of device " + TestDevice.name() + " is DOWN");
		});
		TestDevice.setPortUp(client.context, true);
		await().atMost(TestService.PATIENCE).until(() -> client.status("storage").state() == ConnectionState.READY);
		assertThat(client.monitor.portState()).isEqualTo(PortState.ACTIVE);
		client.write(client.connect("storage"), "blobs", 0, new byte[] { 1 });
	}

	@Test
	@OnSoftDeviceOnly("no verb makes a device fail")
	void whenDeviceFailsThenWaitersAreWokenAndHealthKnows() {
		TestService storage = storage(0);
		TestService client = closing(
				TestService.start("client", (options) -> options.peer("storage", storage.server.port())));
		RdmaConnection connection = client.connect("storage");
		((SoftDeviceContext) client.context).fail();
		await().atMost(TestService.PATIENCE).until(client.monitor::deviceFatal);
		await().atMost(TestService.PATIENCE).until(() -> connection.state() == ConnectionState.LOST);
		await().atMost(TestService.PATIENCE).until(connection::isReleased);
		assertThatExceptionOfType(RdmaException.class).isThrownBy(() -> client.connect("storage"));
	}

	@Test
	void whenPeerSendsNonsenseThenConnectionEnds() {
		TestService storage = storage(0);
		for (byte[] nonsense : List.of(new byte[10], new byte[40], piece(MessageHeader.FIRST, 5, 3, 0),
				piece(MessageHeader.LAST, 3, 3, 0), piece(MessageHeader.FIRST, 100_000_000, 3, 0),
				piece(MessageHeader.FIRST | MessageHeader.LAST, 2, 3, 0), piece(MessageHeader.FIRST, -1, 3, 0),
				piece(MessageHeader.FIRST, 9, 3, 1))) {
			RawPeer peer = new RawPeer();
			try {
				peer.connect(storage.server.port());
				await().atMost(TestService.PATIENCE).until(() -> storage.connections.ready("raw") != null);
				RdmaConnection connection = storage.connect("raw");
				if (nonsense.length > 32 && nonsense[1] == MessageHeader.FIRST && nonsense[31] == 0
						&& nonsense[23] == 5) {
					peer.send(nonsense);
					peer.send(piece(MessageHeader.LAST, 5, 3, 1));
				}
				else {
					peer.send(nonsense);
				}
				await().atMost(TestService.PATIENCE).until(() -> connection.state() == ConnectionState.LOST);
				assertThat(connection.failure()).hasMessageContaining("malformed");
				await().atMost(TestService.PATIENCE).until(connection::isReleased);
			}
			finally {
				peer.close();
			}
		}
		assertThat(storage.connections.inbox("raw").size()).isZero();
	}

	@Test
	void whenMessageIsGivenUpHalfWayThenTheNextOneIsWhole() {
		TestService storage = storage(0);
		RawPeer peer = closing(new RawPeer()).connect(storage.server.port());
		peer.send(piece(MessageHeader.FIRST, 100, 3, 0));
		peer.send(piece(MessageHeader.FIRST, 6, 3, 0));
		peer.send(piece(MessageHeader.LAST, 6, 3, 1));
		assertThat(storage.receive("raw").payload()).containsExactly(1, 2, 3, 1, 2, 3);
	}

	private static byte[] piece(int flags, int total, int length, int piece) {
		ByteBuffer message = ByteBuffer.allocate(MessageHeader.SIZE + length);
		MessageHeader.write(message, 0, MessageHeader.DATA, flags, 0, 0, 0, 0, total, length, piece);
		for (int i = 0; i < length; i++) {
			message.put(MessageHeader.SIZE + i, (byte) (i + 1));
		}
		return message.array();
	}

	@Test
	void whenPeerSaysGoodByeThenOutstandingWorkIsFinishedFirst() throws IOException {
		TestService storage = storage(0);
		RawPeer peer = closing(new RawPeer()).connect(storage.server.port());
		await().atMost(TestService.PATIENCE).until(() -> storage.connections.ready("raw") != null);
		RdmaConnection connection = storage.connect("raw");
		peer.write(Frame.bye());
		assertThat(peer.read().type()).isEqualTo(FrameType.BYE);
		await().atMost(TestService.PATIENCE).until(connection::isReleased);
		assertThat(connection.queuePairState()).isEqualTo(QueuePairState.ERR);
		assertThat(connection.failure()).hasMessageContaining("closed the connection in order");
		assertThat(storage.connections.isKnown("raw")).isTrue();
		assertThatExceptionOfType(RdmaConnectException.class).isThrownBy(() -> storage.connect("raw"))
			.withMessageContaining("is not connected now");
	}

	@Test
	void whenStoppedWhileWorkIsOutstandingThenItIsWaitedForAndThenFailed() throws Exception {
		TestService client = clientOfSilentPeer(Duration.ofMillis(500), 8 << 20);
		RdmaConnection connection = client.connect("silent");
		try (RdmaBuffer buffer = client.buffer(64)) {
			BlockingOperation operation = write(connection, buffer, TestService.PATIENCE);
			long start = System.nanoTime();
			client.stop();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(500),
					Duration.ofSeconds(15));
			assertThatExceptionOfType(RdmaException.class).isThrownBy(operation::await)
				.withMessageContaining("whether it took effect is not known");
		}
		assertThat(connection.isReleased()).isTrue();
	}

	@Test
	void whenListenerFailsThenOthersAreStillTold() {
		AtomicInteger told = new AtomicInteger();
		TestService storage = storage(0);
		TestService client = closing(
				TestService.create("client", (options) -> options.peer("storage", storage.server.port())));
		client.connections.addListener((event) -> {
			throw new IllegalStateException("a listener that fails");
		});
		client.connections.addListener((event) -> told.incrementAndGet());
		client.connections.addInternalListener((event) -> {
			throw new IllegalStateException("an internal listener that fails");
		});
		client.start();
		client.connect("storage");
		await().atMost(TestService.PATIENCE).untilAsserted(() -> assertThat(told).hasValue(2));
	}

}
