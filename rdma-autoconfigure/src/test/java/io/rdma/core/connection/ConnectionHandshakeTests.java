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
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaConnectException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.exception.UnknownRdmaPeerException;
import io.rdma.testing.TestDevice;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidType;
import io.rdma.verbs.LinkLayer;
import io.rdma.verbs.PathMtu;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the making of connections: who is let in, who is not, and what is said then.
 */
class ConnectionHandshakeTests {

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

	private TestService storage() {
		return closing(TestService.start("storage",
				(options) -> options.region("blobs", 4096, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE).settings
					.setupTimeout(Duration.ofSeconds(2))));
	}

	private RawPeer raw(UnaryOperator<Hello> disguise) {
		RawPeer peer = closing(new RawPeer());
		peer.disguise = disguise;
		return peer;
	}

	private void assertRefused(UnaryOperator<Hello> disguise, String... words) {
		TestService storage = storage();
		RawPeer peer = raw(disguise);
		assertThatIllegalStateException().isThrownBy(() -> peer.connect(storage.server.port()))
			.satisfies((ex) -> assertThat(ex.getMessage()).contains(words));
		assertThat(storage.connections.connections()).isEmpty();
	}

	@Test
	void whenServiceConnectsToItselfThenBothEndsAreConnections() {
		int port = freePort();
		TestService self = closing(TestService.start("me",
				(options) -> options.peer("self", port)
					.port(port)
					.region("blobs", 4096, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)));
		RdmaConnection connection = self.connect("self");
		self.write(connection, "blobs", 0, new byte[] { 42 });
		assertThat(self.regions.get("blobs").buffer(0, 1).get(0)).isEqualTo((byte) 42);
		self.send("self", "to myself".getBytes(StandardCharsets.UTF_8));
		assertThat(self.receive("me").payload()).asString().isEqualTo("to myself");
		self.send("me", "and back".getBytes(StandardCharsets.UTF_8));
		assertThat(self.receive("self").payload()).asString().isEqualTo("and back");
		assertThat(self.connections.connections()).hasSize(2);
		assertThat(self.connections.peers()).extracting(PeerStatus::name, PeerStatus::inbound, PeerStatus::state)
			.containsExactly(tuple("self", false, ConnectionState.READY), tuple("me", true, ConnectionState.READY));
	}

	static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void whenManyWaitForOneConnectionThenTheyShareIt() {
		TestService storage = storage();
		TestService client = closing(
				TestService.start("client", (options) -> options.peer("storage", storage.server.port())));
		List<RdmaConnection> connections = IntStream.range(0, 16)
			.parallel()
			.mapToObj((i) -> client.connect("storage"))
			.toList();
		assertThat(connections).containsOnly(connections.get(0));
		assertThat(client.status("storage").attempts()).isEqualTo(1);
		assertThat(client.states("storage")).containsExactly("NEVER_USED>CONNECTING", "CONNECTING>READY");
	}

	@Test
	void whenLimitsDifferThenTheSmallerOnesCount() {
		TestService storage = storage();
		TestService client = closing(TestService.start("client", (options) -> {
			options.peer("storage", storage.server.port());
			options.settings.mtu(PathMtu.MTU_512);
		}));
		assertThat(client.connect("storage").details().mtu()).isEqualTo(PathMtu.MTU_512);
		await().atMost(TestService.PATIENCE).until(() -> !storage.connections.connections().isEmpty());
		assertThat(storage.connections.connections().get(0).details().mtu()).isEqualTo(PathMtu.MTU_512);
	}

	@Test
	void whenPeerIsUnknownThenKnownOnesAreNamed() {
		TestService client = closing(TestService.start("client", (options) -> options.peer("storage", 1)));
		assertThatExceptionOfType(UnknownRdmaPeerException.class).isThrownBy(() -> client.connect("nobody"))
			.withMessageContaining("storage");
		assertThatExceptionOfType(UnknownRdmaPeerException.class).isThrownBy(() -> client.connections.ready("nobody"));
		assertThat(client.connections.ready("storage")).isNull();
		assertThat(client.connections.isKnown("nobody")).isFalse();
		assertThat(client.status("storage").state()).isEqualTo(ConnectionState.NEVER_USED);
	}

	@Test
	void whenNobodyListensThenErrorNamesTheSettings() {
		int port = freePort();
		TestService client = closing(TestService.start("client", (options) -> options.peer("storage", port)));
		assertThatExceptionOfType(RdmaConnectException.class).isThrownBy(() -> client.connect("storage"))
			.withMessageContaining("peer 'storage'")
			.withMessageContaining("refused")
			.withMessageContaining("rdma.peers.<name>.address");
		assertThat(client.status("storage").state()).isEqualTo(ConnectionState.LOST);
		assertThat(client.status("storage").reason()).contains("refused");
		assertThat(client.status("storage").wasReady()).isFalse();
	}

	@Test
	void whenListenerIsAtAnAddressOfAnotherMachineThenItIsRefused() {
		TestService service = closing(TestService.start("service"));
		RdmaServer server = new RdmaServer(service.connections, "192.0.2.1", 0);
		assertThatExceptionOfType(RdmaConfigurationException.class).isThrownBy(server::start)
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("rdma.server.address"))
			.withMessageContaining("192.0.2.1")
			.withMessageContaining("no network interface");
		assertThat(server.isRunning()).isFalse();
	}

	@Test
	void whenPortIsInUseThenItIsNamed() {
		TestService service = closing(TestService.start("service"));
		RdmaServer second = new RdmaServer(service.connections, "localhost", service.server.port());
		assertThatExceptionOfType(RdmaConfigurationException.class).isThrownBy(second::start)
			.withMessageContaining("rdma.server.port")
			.withMessageContaining("" + service.server.port());
		assertThatExceptionOfType(RdmaConfigurationException.class)
			.isThrownBy(() -> new RdmaServer(service.connections, "localhost", 65536));
	}

	@Test
	void whenRawPeerFollowsTheProtocolThenItIsLetIn() {
		TestService storage = storage();
		RawPeer peer = raw(UnaryOperator.identity()).connect(storage.server.port());
		await().atMost(TestService.PATIENCE)
			.until(() -> storage.connections.connections().stream().anyMatch((c) -> c.peer().equals("raw")));
		assertThat(peer.remote().name()).isEqualTo("storage");
	}

	@Test
	void whenMessageComesBeforeTheConnectionIsReadyThenItIsDeliveredWhenItCanBeReplied() {
		TestService storage = closing(TestService.start("storage", (options) -> {
		}));
		Inbox inbox = storage.connections.inbox("raw");
		List<ConnectionState> states = new CopyOnWriteArrayList<>();
		inbox.onArrival(() -> {
			InboundMessage message = inbox.poll();
			if (message != null) {
				states.add(message.connection().state());
			}
		});
		RawPeer peer = raw(UnaryOperator.identity());
		peer.ready = false;
		peer.connect(storage.server.port());
		for (int i = 0; i < 3; i++) {
			peer.send(message());
			await().atMost(TestService.PATIENCE).until(peer::isSent);
		}
		peer.sendReady();
		await().atMost(TestService.PATIENCE).until(() -> states.size() == 3);
		assertThat(states).containsOnly(ConnectionState.READY);
	}

	@Test
	void whenConnectionNeverGetsReadyThenMessagesThatCameAreNotLost() {
		TestService storage = storage();
		RawPeer peer = raw(UnaryOperator.identity());
		peer.ready = false;
		peer.connect(storage.server.port());
		peer.send(message());
		await().atMost(TestService.PATIENCE).until(peer::isSent);
		assertThat(storage.receive("raw").payload()).containsExactly(7);
		assertThat(storage.connections.connections()).isEmpty();
	}

	private static byte[] message() {
		ByteBuffer message = ByteBuffer.allocate(MessageHeader.SIZE + 1);
		MessageHeader.write(message, 0, MessageHeader.DATA, MessageHeader.FIRST | MessageHeader.LAST, 0, 0, 0, 0, 1, 1,
				0);
		message.put(MessageHeader.SIZE, (byte) 7);
		return message.array();
	}

	@Test
	void whenVersionDiffersThenBothAreTold() {
		assertRefused((hello) -> with(hello).minVersion(7).version(9).build(), "VERSION", "7 to 9", "version 2");
	}

	@Test
	void whenLinkLayerDiffersThenBothAreTold() {
		assertRefused((hello) -> with(hello).linkLayer(LinkLayer.INFINIBAND).build(), "link layer", "ETHERNET",
				"INFINIBAND");
	}

	@Test
	void whenGidTypeDiffersThenBothAreTold() {
		assertRefused((hello) -> with(hello).gidType(GidType.ROCE_V1).build(), "GID type", "RoCE v2", "RoCE v1");
	}

	@Test
	void whenAddressFamilyDiffersThenBothAreTold() {
		assertRefused((hello) -> with(hello).gid(new Gid(0xfe80L << 48, 1)).build(), "address family", "IPv4", "IPv6");
	}

	@Test
	void whenPeerWithASoftwareDeviceIsAtAnotherLoopbackAddressThenBothAreTold() {
		String other = TestDevice.isSoft() ? "verbs" : "soft";
		boolean loopback = !TestDevice.isSoft();
		assertRefused(
				(hello) -> with(hello).deviceKind(other)
					.deviceName("other0")
					.gid(new Gid(0, loopback ? 0xffff_7f00_0001L : 0xffff_c000_0201L))
					.build(),
				TestDevice.kind() + " device " + TestDevice.name(), other + " device other0", "127.0.0.1");
	}

	@Test
	void whenNameIsMissingThenItIsMalformed() {
		assertRefused((hello) -> with(hello).name(" ").build(), "PROTOCOL", "the name is empty");
	}

	static Hello.HelloBuilder with(Hello hello) {
		return Hello.builder()
			.minVersion(hello.minVersion())
			.version(hello.version())
			.nonce(hello.nonce())
			.proofWanted(hello.proofWanted())
			.name(hello.name())
			.host(hello.host())
			.deviceKind(hello.deviceKind())
			.deviceName(hello.deviceName())
			.deviceGuid(hello.deviceGuid())
			.linkLayer(hello.linkLayer())
			.lid(hello.lid())
			.gid(hello.gid())
			.gidType(hello.gidType())
			.mtu(hello.mtu())
			.pkeyIndex(hello.pkeyIndex())
			.trafficClass(hello.trafficClass())
			.queuePairNumber(hello.queuePairNumber())
			.psn(hello.psn())
			.sendDepth(hello.sendDepth())
			.receiveDepth(hello.receiveDepth())
			.receiveBufferSize(hello.receiveBufferSize())
			.maxMessageSize(hello.maxMessageSize())
			.maxTransferSize(hello.maxTransferSize())
			.maxReadAtomicAsRequester(hello.maxReadAtomicAsRequester())
			.maxReadAtomicAsResponder(hello.maxReadAtomicAsResponder())
			.pathOffer(hello.pathOffer());
	}

	@Test
	void whenPeerSendsBackOurOwnIdentityThenItIsRefused() throws Exception {
		RawPeer mirror = raw(UnaryOperator.identity());
		mirror.disguise = (hello) -> mirror.remote();
		CompletableFuture<Void> accepted = mirror.accept();
		TestService client = closing(TestService.start("client", (options) -> options.peer("mirror", mirror.port())));
		assertThatExceptionOfType(RdmaConnectException.class).isThrownBy(() -> client.connect("mirror"))
			.withMessageContaining("both sides claim to be the queue pair");
		assertThat(accepted).failsWithin(TestService.PATIENCE);
	}

	@Test
	void whenIdentityComesAgainThenTheOldConnectionIsReplaced() {
		TestService storage = storage();
		RawPeer first = raw(UnaryOperator.identity()).connect(storage.server.port());
		await().atMost(TestService.PATIENCE).until(() -> storage.connections.ready("raw") != null);
		RdmaConnection old = storage.connect("raw");
		RawPeer second = raw(UnaryOperator.identity());
		// the number that the dead process had, with the queue pair of the new one behind
		// it
		second.disguise = (hello) -> with(hello).queuePairNumber(first.queuePair.number())
			.deviceGuid(first.hello().deviceGuid())
			.build();
		second.connect(storage.server.port());
		await().atMost(TestService.PATIENCE).until(() -> old.state() == ConnectionState.LOST);
		assertThat(old.failure()).hasMessageContaining("the process that had it is gone");
	}

	@Test
	void whenNoMessageComesThroughThenErrorNamesBothPaths() {
		TestService storage = storage();
		RawPeer mute = raw((hello) -> with(hello).trafficClass(96).build());
		mute.ready = false;
		CompletableFuture<Void> accepted = mute.accept();
		TestService client = closing(TestService.start("client", (options) -> {
			options.peer("mute", mute.port());
			options.settings.setupTimeout(Duration.ofMillis(1500));
		}));
		assertThatExceptionOfType(RdmaConnectException.class).isThrownBy(() -> client.connect("mute"))
			.withMessageContaining("no message came through")
			.withMessageContaining("traffic class 0")
			.withMessageContaining("traffic class 96")
			.withMessageContaining("MTU 1024")
			.withMessageContaining("GID " + TestDevice.gid(mute.context).gid());
		assertThat(accepted).succeedsWithin(TestService.PATIENCE);
		assertThat(storage.connections.connections()).isEmpty();
		assertThat(client.connections.connections()).isEmpty();
	}

	@Test
	void whenListenerSaysNothingThenConnectingEndsInTime() throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
			TestService client = closing(TestService.start("client", (options) -> {
				options.peer("silent", silent.getLocalPort());
				options.settings.setupTimeout(Duration.ofMillis(300));
			}));
			assertThatExceptionOfType(RdmaConnectException.class).isThrownBy(() -> client.connect("silent"))
				.withMessageContaining("did not send its HELLO in time");
		}
	}

	@Test
	void whenCallerHasLessTimeThanTheHandshakeThenItsTimeLimitCounts() throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
			TestService client = closing(
					TestService.start("client", (options) -> options.peer("silent", silent.getLocalPort())));
			assertThatExceptionOfType(RdmaTimeoutException.class)
				.isThrownBy(() -> client.connections.get("silent", TestService.deadline(Duration.ofMillis(50))));
			assertThat(client.status("silent").state()).isEqualTo(ConnectionState.CONNECTING);
		}
	}

	@Test
	void whenGarbageComesThenItIsDroppedAndOthersAreServed() throws IOException {
		TestService storage = storage();
		for (String garbage : List.of("GET / HTTP/1.1\r\n\r\n", "\0\0\0\0", "\0\0\0\5\0XXXX", "\0\0\0\1\7",
				"\0\0\0\3\1\0\0", "\0\0\0\1\0")) {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), storage.server.port())) {
				socket.setSoTimeout(10_000);
				socket.getOutputStream().write(garbage.getBytes(StandardCharsets.ISO_8859_1));
				InputStream in = socket.getInputStream();
				assertThat(in.readAllBytes().length).isLessThan(1000);
			}
		}
		TestService client = closing(
				TestService.start("client", (options) -> options.peer("storage", storage.server.port())));
		assertThat(client.connect("storage").state()).isEqualTo(ConnectionState.READY);
	}

	@Test
	void whenManySayNothingThenTheyAreDroppedAndOthersAreServed() throws IOException {
		TestService storage = closing(TestService.start("storage",
				(options) -> options.settings.maxHandshakes(4).setupTimeout(Duration.ofSeconds(1))));
		List<Socket> sockets = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			sockets.add(closing(new Socket(InetAddress.getLoopbackAddress(), storage.server.port())));
		}
		TestService client = closing(
				TestService.start("client", (options) -> options.peer("storage", storage.server.port())));
		assertThat(client.connect("storage").state()).isEqualTo(ConnectionState.READY);
		for (Socket socket : sockets) {
			socket.setSoTimeout(10_000);
			assertThat(socket.getInputStream().read()).isEqualTo(-1);
		}
	}

	@Test
	void whenTooManyPeersAreConnectedThenTheNextIsRefused() {
		TestService storage = closing(
				TestService.start("storage", (options) -> options.settings.maxInboundConnections(1)));
		TestService first = closing(
				TestService.start("first", (options) -> options.peer("storage", storage.server.port())));
		TestService second = closing(
				TestService.start("second", (options) -> options.peer("storage", storage.server.port())));
		first.connect("storage");
		await().atMost(TestService.PATIENCE).until(() -> storage.connections.connections().size() == 1);
		assertThatExceptionOfType(RdmaConnectException.class).isThrownBy(() -> second.connect("storage"))
			.withMessageContaining("rdma.server.max-connections");
	}

	@Test
	void whenStoppedThenItRefusesAndCanBeStartedAgain() {
		TestService storage = storage();
		TestService client = closing(
				TestService.start("client", (options) -> options.peer("storage", storage.server.port())));
		client.connect("storage");
		client.stop();
		client.stop();
		assertThatExceptionOfType(RdmaClosedException.class).isThrownBy(() -> client.connect("storage"));
		assertThatExceptionOfType(RdmaClosedException.class).isThrownBy(client.server::start);
		assertThat(client.connections.isRunning()).isFalse();
		assertThat(client.connections.runningSince()).isNull();
		assertThat(client.states("storage")).endsWith("READY>DRAINING", "DRAINING>CLOSED");
		client.start();
		client.start();
		client.write(client.connect("storage"), "blobs", 0, new byte[] { 1 });
		assertThat(client.connections.runningSince()).isNotNull();
	}

	@Test
	void whenServerStopsThenItsPortIsFreeAndConnectionsStay() throws IOException {
		TestService storage = storage();
		int port = storage.server.port();
		TestService client = closing(TestService.start("client", (options) -> options.peer("storage", port)));
		client.connect("storage");
		storage.server.stop();
		assertThat(storage.server.port()).isEqualTo(-1);
		try (ServerSocket taken = new ServerSocket()) {
			taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
		}
		client.write(client.connect("storage"), "blobs", 0, new byte[] { 1 });
	}

}
