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

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidType;
import io.rdma.verbs.LinkLayer;
import io.rdma.verbs.PathMtu;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the frames of the handshake and for {@link HelloCheck}.
 */
class HandshakeFrameTests {

	private static Hello hello() {
		byte[] nonce = new byte[Hello.NONCE_BYTES];
		Arrays.fill(nonce, (byte) 7);
		return Hello.builder()
			.minVersion(2)
			.version(3)
			.nonce(nonce)
			.proofWanted(true)
			.name("größe")
			.host(new HostIdentity("boot-id", 4711, new UUID(1, 2)))
			.deviceKind("verbs")
			.deviceName("mlx5_0")
			.deviceGuid(0x1122334455667788L)
			.linkLayer(LinkLayer.INFINIBAND)
			.lid(0xFFFE)
			.gid(new Gid(0xfe80L << 48, 99))
			.gidType(GidType.IB)
			.mtu(PathMtu.MTU_2048)
			.pkeyIndex(5)
			.trafficClass(200)
			.queuePairNumber(0xff_ffff)
			.psn(0xabcdef)
			.sendDepth(1)
			.receiveDepth(2)
			.receiveBufferSize(256)
			.maxMessageSize(1L << 40)
			.maxTransferSize(1L << 31)
			.maxReadAtomicAsRequester(16)
			.maxReadAtomicAsResponder(255)
			.pathOffer(new byte[] { 1, 2, 3 })
			.build();
	}

	@Test
	void whenHelloIsReadThenItIsWhatWasWritten() throws HandshakeException {
		Hello hello = hello();
		Hello read = Hello.from(hello.toFrame());
		assertThat(read).usingRecursiveComparison().isEqualTo(hello);
	}

	@Test
	void whenLaterVersionAppendsFieldsThenTheyAreIgnored() throws HandshakeException {
		byte[] body = hello().toFrame().body();
		assertThat(Hello.from(new Frame(FrameType.HELLO, Arrays.copyOf(body, body.length + 50))).name())
			.isEqualTo("größe");
	}

	@Test
	void whenHelloIsCutOrChangedThenItIsRefusedOrReadButNeverBreaks() {
		byte[] body = hello().toFrame().body();
		for (int length = 0; length < body.length; length++) {
			byte[] cut = Arrays.copyOf(body, length);
			assertThatExceptionOfType(HandshakeException.class)
				.isThrownBy(() -> Hello.from(new Frame(FrameType.HELLO, cut)));
		}
		Random random = new Random(1);
		for (int i = 0; i < 20_000; i++) {
			byte[] changed = body.clone();
			changed[random.nextInt(changed.length)] = (byte) random.nextInt();
			changed[random.nextInt(changed.length)] = (byte) random.nextInt();
			try {
				Hello.from(new Frame(FrameType.HELLO, changed));
			}
			catch (HandshakeException ex) {
				assertThat(ex.problem()).isNotBlank();
			}
		}
	}

	@Test
	void whenParametersAreReadThenTheyAreWhatWasWritten() throws HandshakeException {
		Map<String, RemoteRegion> regions = new LinkedHashMap<>();
		regions.put("blobs", new RemoteRegion("blobs", 0x7fff_0000_0000L, 0x8000_0001, 5L << 30,
				EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)));
		regions.put("counters", new RemoteRegion("counters", 64, 3, 4096, EnumSet.of(AccessFlag.REMOTE_ATOMIC)));
		Parameters parameters = new Parameters(12345, -1, 64, regions);
		assertThat(Parameters.from(parameters.toFrame(), 64)).isEqualTo(parameters);
		assertThatExceptionOfType(HandshakeException.class).isThrownBy(() -> Parameters.from(parameters.toFrame(), 63))
			.withMessageContaining("credits");
	}

	@Test
	void whenThereAreTooManyRegionsThenTheSettingIsNamed() {
		assertThatExceptionOfType(RdmaConfigurationException.class)
			.isThrownBy(() -> Parameters.checkTellable(IntStream.range(0, 1025).mapToObj(String::valueOf).toList()))
			.withMessageContaining("rdma.regions");
		assertThatExceptionOfType(RdmaConfigurationException.class)
			.isThrownBy(() -> Parameters.checkTellable(List.of("x".repeat(129))));
		Parameters.checkTellable(List.of("blobs"));
	}

	@Test
	void whenRejectIsReadThenItTellsCodeAndText() throws HandshakeException {
		assertThat(Frame.reject(RejectCode.BUSY, "too many").toRejection()).satisfies((ex) -> {
			assertThat(ex.code()).isEqualTo(RejectCode.BUSY);
			assertThat(ex.problem()).contains("BUSY").contains("too many");
		});
		assertThat(Frame.reject(RejectCode.OTHER, "ü".repeat(10_000)).toRejection().problem()).hasSizeLessThan(1000);
		Frame unknown = new Frame(FrameType.REJECT, new WireWriter().putShort(999).putText("new").toBytes());
		assertThat(unknown.toRejection().code()).isEqualTo(RejectCode.OTHER);
	}

	@Test
	void whenBytesComeOneByOneThenFramesAreWhole() throws HandshakeException {
		FrameDecoder decoder = new FrameDecoder();
		ByteBuffer bytes = ByteBuffer.allocate(2000);
		bytes.put(hello().toFrame().encode()).put(Frame.bye().encode()).flip();
		int frames = 0;
		while (bytes.hasRemaining()) {
			Frame frame = decoder.next(ByteBuffer.wrap(new byte[] { bytes.get() }));
			if (frame != null) {
				assertThat(frame.type()).isEqualTo((frames == 0) ? FrameType.HELLO : FrameType.BYE);
				frames++;
			}
		}
		assertThat(frames).isEqualTo(2);
	}

	@Test
	void whenFrameIsTooLargeThenNoMemoryIsTaken() throws HandshakeException {
		FrameDecoder decoder = new FrameDecoder();
		for (int length : new int[] { 0, -1, Frame.MAX_FIRST + 1, Integer.MAX_VALUE }) {
			assertThatExceptionOfType(HandshakeException.class)
				.isThrownBy(() -> new FrameDecoder().next(ByteBuffer.allocate(4).putInt(0, length)));
		}
		decoder.allowLarge();
		assertThat(decoder.next(ByteBuffer.allocate(4).putInt(0, Frame.MAX))).isNull();
	}

	@Test
	void whenSidesFitThenNothingIsSaid() throws HandshakeException {
		Hello other = ConnectionHandshakeTests.with(hello()).queuePairNumber(1).build();
		HelloCheck.check(hello(), other, false);
		// on InfiniBand the type of the GID does not matter
		HelloCheck.check(hello(), ConnectionHandshakeTests.with(other).gidType(GidType.ROCE_V2).build(), false);
	}

	@Test
	void whenOfferOfAPathIsTooLongThenItIsMalformed() {
		Hello hello = ConnectionHandshakeTests.with(hello()).pathOffer(new byte[Hello.MAX_PATH_BYTES + 1]).build();
		assertThatExceptionOfType(HandshakeException.class).isThrownBy(() -> Hello.from(hello.toFrame()))
			.satisfies((ex) -> assertThat(ex.problem()).contains("the offer of a path", "1025"));
	}

	@Test
	void whenHelloIsAsLongAsItCanBeThenAStrangerMaySendIt() {
		Hello longest = ConnectionHandshakeTests.with(hello())
			.name("x".repeat(128))
			.host(new HostIdentity("x".repeat(128), 4711, new UUID(1, 2)))
			.deviceKind("x".repeat(32))
			.deviceName("x".repeat(128))
			.pathOffer(new byte[Hello.MAX_PATH_BYTES])
			.build();
		assertThat(longest.toFrame().body().length).isLessThan(Frame.MAX_FIRST);
	}

	private static Hello roce(String kind, String address) {
		try {
			return ConnectionHandshakeTests.with(hello())
				.deviceKind(kind)
				.deviceName(kind + "0")
				.queuePairNumber(kind.length())
				.linkLayer(LinkLayer.ETHERNET)
				.gid(Gid.of(InetAddress.getByName(address)))
				.gidType(GidType.ROCE_V2)
				.build();
		}
		catch (UnknownHostException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	private static Hello remote(Hello hello) {
		return ConnectionHandshakeTests.with(hello)
			.queuePairNumber(0x1234)
			.host(new HostIdentity("other", 1, new UUID(3, 4)))
			.build();
	}

	@Test
	void whenSoftwareDevicesHaveAddressesThenMachinesDoNotMatter() throws HandshakeException {
		HelloCheck.check(roce("soft", "192.0.2.1"), remote(roce("soft", "192.0.2.2")), false);
		HelloCheck.check(roce("soft", "2001:db8::1"), remote(roce("soft", "2001:db8::2")), false);
	}

	@Test
	void whenSoftwareDeviceMeetsACardThenTheyFit() throws HandshakeException {
		HelloCheck.check(roce("soft", "192.0.2.1"), remote(roce("verbs", "192.0.2.2")), false);
		HelloCheck.check(roce("verbs", "192.0.2.1"), remote(roce("soft", "192.0.2.2")), true);
	}

	@Test
	void whenSoftwareDevicesOfOneMachineAreOnLoopbackThenTheyFit() throws HandshakeException {
		HelloCheck.check(roce("soft", "127.0.0.1"), remote(roce("soft", "127.0.0.1")), true);
		HelloCheck.check(roce("soft", "127.0.0.1"), remote(roce("soft", "192.0.2.2")), true);
	}

	@Test
	void whenLoopbackMeetsAnotherMachineThenTheSettingOfThatSideIsNamed() {
		assertRefused(roce("soft", "127.0.0.1"), roce("soft", "192.0.2.2"), false, "127.0.0.1", "192.0.2.2",
				"rdma.soft.address", "on this side.");
		assertRefused(roce("soft", "192.0.2.2"), roce("soft", "127.0.0.1"), false, "on the side of the peer.");
		assertRefused(roce("soft", "127.0.0.1"), roce("soft", "127.0.0.1"), false, "on this side and on that");
		assertRefused(roce("verbs", "2001:db8::1"), roce("soft", "::1"), false, "verbs device verbs0",
				"soft device soft0", "on the side of the peer");
	}

	@Test
	void whenLoopbackMeetsACardOfTheMachineThenItIsRefused() {
		assertRefused(roce("soft", "127.0.0.1"), roce("verbs", "192.0.2.2"), true, "rdma.soft.address");
	}

	@Test
	void whenSoftwareDeviceMeetsAnotherTransportThenBothValuesAreTold() {
		Hello infiniband = ConnectionHandshakeTests.with(roce("verbs", "192.0.2.2"))
			.linkLayer(LinkLayer.INFINIBAND)
			.build();
		assertRefused(roce("soft", "192.0.2.1"), infiniband, false, "ETHERNET", "INFINIBAND", "RoCE v2");
		Hello old = ConnectionHandshakeTests.with(roce("verbs", "192.0.2.2")).gidType(GidType.ROCE_V1).build();
		assertRefused(roce("soft", "192.0.2.1"), old, false, "RoCE v2", "RoCE v1", "rdma.device.gid-index");
		assertRefused(roce("soft", "192.0.2.1"), roce("verbs", "2001:db8::2"), false, "IPv4", "IPv6",
				"rdma.soft.address");
	}

	private static void assertRefused(Hello local, Hello peer, boolean sameMachine, String... words) {
		assertThatExceptionOfType(HandshakeException.class)
			.isThrownBy(() -> HelloCheck.check(local, remote(peer), sameMachine))
			.satisfies((ex) -> {
				assertThat(ex.code()).isEqualTo(RejectCode.INCOMPATIBLE);
				assertThat(ex.problem() + " " + ex.remedy()).contains(words);
			});
	}

}
