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
			.minVersion(1)
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
		HelloCheck.check(hello(), other);
		// on InfiniBand the type of the GID does not matter
		HelloCheck.check(hello(), ConnectionHandshakeTests.with(other).gidType(GidType.ROCE_V2).build());
	}

	@Test
	void whenDevicesAreOfOneKindThenProcessesMatterToTheSoftwareDeviceOnly() throws HandshakeException {
		Hello other = ConnectionHandshakeTests.with(hello())
			.queuePairNumber(1)
			.host(new HostIdentity("other", 1, new UUID(3, 4)))
			.build();
		HelloCheck.check(hello(), other);
		Hello soft = ConnectionHandshakeTests.with(hello()).deviceKind("soft").build();
		assertThatExceptionOfType(HandshakeException.class)
			.isThrownBy(() -> HelloCheck.check(soft, ConnectionHandshakeTests.with(other).deviceKind("soft").build()))
			.withMessageContaining("one process only");
	}

}
