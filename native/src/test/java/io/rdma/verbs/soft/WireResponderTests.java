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

package io.rdma.verbs.soft;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.contract.Endpoint;
import io.rdma.verbs.contract.EndpointOptions;
import io.rdma.verbs.soft.RawPeer.Packet;
import io.rdma.verbs.soft.packet.AtomicAckEth;
import io.rdma.verbs.soft.packet.AtomicEth;
import io.rdma.verbs.soft.packet.Bth;
import io.rdma.verbs.soft.packet.DropReason;
import io.rdma.verbs.soft.packet.Opcode;
import io.rdma.verbs.soft.packet.PacketCheck;
import io.rdma.verbs.soft.packet.Reth;
import io.rdma.verbs.soft.packet.Syndrome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a queue pair answers to packets, told from the packets.
 */
class WireResponderTests {

	private static final int MTU = 256;

	private static final int FIRST = 0xff_fffe;

	private static final Duration QUIET = Duration.ofMillis(50);

	private final SoftDeviceContext context = SoftProvider.builder()
		.paths(EnumSet.of(PathKind.WIRE))
		.build()
		.open(SoftProvider.DEVICE_NAME);

	private final Endpoint endpoint = new Endpoint(OnSoftDevice.SOFT_DEVICE, this.context,
			EndpointOptions.defaults().withPathMtu(PathMtu.MTU_256).withMaxRdAtomic(2).withMemory(1 << 20));

	private final RawPeer peer = new RawPeer(this.endpoint);

	@BeforeEach
	void connect() {
		this.peer.connect(FIRST);
	}

	@AfterEach
	void close() throws Exception {
		this.peer.close();
		this.endpoint.close();
		this.context.close();
	}

	@Test
	void whenMessageComesThenItIsAcknowledgedWithItsNumber() {
		this.endpoint.postReceive(1, 0, 8);
		this.endpoint.postReceive(2, 8, 8);
		send(FIRST, "one");
		assertAcknowledged(FIRST, 1);
		send(0xff_ffff, "two");
		assertAcknowledged(0xff_ffff, 2);
		write(0, 100, "three");
		assertAcknowledged(0, 3);
		assertThat(this.endpoint.awaitReceives(2)).extracting("status").containsOnly(CompletionStatus.SUCCESS);
		assertThat(this.endpoint.text(0, 3)).isEqualTo("one");
		assertThat(this.endpoint.text(8, 3)).isEqualTo("two");
		assertThat(this.endpoint.text(100, 5)).isEqualTo("three");
	}

	@Test
	void whenManyPacketsComeAtOnceThenOneAnswerCanStandForAll() {
		for (int i = 0; i < 50; i++) {
			write(FIRST + i & 0xff_ffff, i, "x");
		}
		Packet last = this.peer.await();
		while (last.psn() != (FIRST + 49 & 0xff_ffff)) {
			assertThat(last.syndrome()).isEqualTo(Syndrome.ACK);
			last = this.peer.await();
		}
		assertThat(last.msn()).isEqualTo(50);
		assertThat(this.endpoint.text(0, 50)).isEqualTo("x".repeat(50));
	}

	@Test
	void whenPacketsAreMissingThenThatIsToldOnce() {
		write(FIRST + 1, 0, "lost before");
		Packet refusal = this.peer.await();
		assertThat(refusal.syndrome()).isEqualTo(Syndrome.NAK_PSN_SEQUENCE);
		assertThat(refusal.psn()).isEqualTo(FIRST);
		write(0, 0, "more");
		this.peer.assertNothingWithin(QUIET);
		assertDropped(DropReason.GAP, 2);
		write(FIRST, 0, "first");
		assertAcknowledged(FIRST, 1);
		write(0, 0, "gap again");
		assertThat(this.peer.await().syndrome()).isEqualTo(Syndrome.NAK_PSN_SEQUENCE);
		assertThat(this.endpoint.text(0, 5)).isEqualTo("first");
	}

	@Test
	void whenMessageComesTwiceThenItIsCarriedOutOnceAndAcknowledgedTwice() {
		this.endpoint.postReceive(1, 0, 8);
		this.endpoint.postReceive(2, 8, 8);
		send(FIRST, "once");
		assertAcknowledged(FIRST, 1);
		send(FIRST, "once");
		assertAcknowledged(FIRST, 1);
		assertThat(this.endpoint.awaitReceives(1)).hasSize(1);
		this.endpoint.receives().assertNoneWithin(QUIET);
		assertDropped(DropReason.DUPLICATE, 1);
	}

	@Test
	void whenAtomicComesTwiceThenItIsCarriedOutOnceAndAnsweredTwice() {
		this.endpoint.putLong(0, 40);
		fetchAndAdd(FIRST, 2);
		assertAtomicAnswer(FIRST, 40);
		fetchAndAdd(FIRST, 2);
		assertAtomicAnswer(FIRST, 40);
		assertThat(this.endpoint.getLong(0)).isEqualTo(42);
		fetchAndAdd(FIRST + 1, 1);
		assertAtomicAnswer(FIRST + 1, 42);
		fetchAndAdd(FIRST, 2);
		assertAtomicAnswer(FIRST, 40);
		assertThat(this.endpoint.getLong(0)).isEqualTo(43);
	}

	@Test
	void whenAtomicIsForgottenThenItIsNotCarriedOutAgain() {
		for (int i = 0; i < 3; i++) {
			fetchAndAdd(FIRST + i & 0xff_ffff, 1);
			assertAtomicAnswer(FIRST + i & 0xff_ffff, i);
		}
		// two are remembered
		fetchAndAdd(FIRST, 1);
		this.peer.assertNothingWithin(QUIET);
		assertThat(this.endpoint.getLong(0)).isEqualTo(3);
	}

	@Test
	void whenReadComesTwiceThenItIsAnsweredTwice() {
		byte[] content = this.endpoint.fill(0, 3 * MTU + 5);
		read(FIRST, 0, content.length);
		assertThat(readAnswer(FIRST, 4)).isEqualTo(content);
		read(FIRST, 0, content.length);
		assertThat(readAnswer(FIRST, 4)).isEqualTo(content);
		// the rest of it, as after the loss of an answer
		read(FIRST + 1, MTU, content.length - MTU);
		assertThat(readAnswer(FIRST + 1, 3)).isEqualTo(this.endpoint.bytes(MTU, content.length - MTU));
	}

	@Test
	void whenRepeatedReadAsksForOtherMemoryThenItIsDropped() {
		read(FIRST, 0, 3 * MTU);
		readAnswer(FIRST, 3);
		read(FIRST, MTU, 3 * MTU);
		read(FIRST, 0, 3 * MTU + 1);
		read(FIRST + 1, 0, MTU);
		this.peer.assertNothingWithin(QUIET);
		assertDropped(DropReason.DUPLICATE, 3);
	}

	@Test
	void whenReadIsLongThenAllOfItIsSent() {
		byte[] content = this.endpoint.fill(0, 200 * MTU);
		read(FIRST, 0, content.length);
		assertThat(readAnswer(FIRST, 200)).isEqualTo(content);
	}

	@Test
	void whenNoReceiveIsPostedThenThePeerIsAskedToWait() {
		send(FIRST, "early");
		Packet refusal = this.peer.await();
		assertThat(Syndrome.isRnr(refusal.syndrome())).isTrue();
		assertThat(Syndrome.rnrTimer(refusal.syndrome())).isEqualTo(EndpointOptions.defaults().minRnrTimer());
		assertThat(refusal.psn()).isEqualTo(FIRST);
		send(FIRST + 1, "sent behind it");
		this.peer.assertNothingWithin(QUIET);
		this.endpoint.postReceive(1, 0, 8);
		send(FIRST, "early");
		assertAcknowledged(FIRST, 1);
		assertThat(this.endpoint.awaitReceive().status()).isEqualTo(CompletionStatus.SUCCESS);
	}

	@ParameterizedTest
	@ValueSource(ints = { Opcode.SEND_MIDDLE, Opcode.SEND_LAST, Opcode.WRITE_MIDDLE, Opcode.WRITE_LAST })
	void whenMessageHasNoBeginningThenItIsRefused(int opcode) {
		this.peer.send(opcode, FIRST, new byte[MTU], (at) -> {
		});
		assertRefused(FIRST, Syndrome.NAK_INVALID_REQUEST);
	}

	@Test
	void whenMessageBeginsInsideAnotherThenBothAreRefused() {
		this.endpoint.postReceive(1, 0, 1024);
		this.peer.send(Opcode.SEND_FIRST, FIRST, new byte[MTU], (at) -> {
		});
		write(FIRST + 1, 0, "inside");
		Packet answer = this.peer.await();
		if (answer.psn() == FIRST) {
			answer = this.peer.await();
		}
		assertThat(answer.syndrome()).isEqualTo(Syndrome.NAK_INVALID_REQUEST);
		assertThat(this.endpoint.awaitReceive().status()).isEqualTo(CompletionStatus.REM_INV_REQ_ERR);
		this.endpoint.awaitState(QueuePairState.ERR);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, MTU - 1, MTU + 1 })
	void whenFirstPacketHasNotTheSizeOfTheMtuThenItIsRefused(int size) {
		this.endpoint.postReceive(1, 0, 1024);
		this.peer.send(Opcode.SEND_FIRST, FIRST, new byte[size], (at) -> {
		});
		assertRefused(FIRST, Syndrome.NAK_INVALID_REQUEST);
	}

	@Test
	void whenWriteHasFewerBytesThanItAnnouncedThenItIsRefused() {
		this.peer.send(Opcode.WRITE_FIRST, FIRST, new byte[MTU], (at) -> reth(at, 0, MTU + 9));
		this.peer.send(Opcode.WRITE_LAST, FIRST + 1, new byte[8], (at) -> {
		});
		Packet answer = this.peer.await();
		if (answer.psn() == FIRST) {
			answer = this.peer.await();
		}
		assertThat(answer.syndrome()).isEqualTo(Syndrome.NAK_INVALID_REQUEST);
		this.endpoint.awaitState(QueuePairState.ERR);
	}

	@Test
	void whenAtomicIsMisalignedThenItIsRefused() {
		this.peer.send(Opcode.FETCH_AND_ADD, FIRST, (at) -> AtomicEth.write(this.peer.memory(), at,
				this.endpoint.memory().address() + 4, this.endpoint.memory().rkey(), 1, 0));
		assertRefused(FIRST, Syndrome.NAK_INVALID_REQUEST);
	}

	@Test
	void whenKeyIsWrongThenAccessIsRefusedAndNothingIsAnsweredAfterwards() {
		this.peer.send(Opcode.WRITE_ONLY, FIRST, "bad".getBytes(StandardCharsets.UTF_8), (at) -> Reth
			.write(this.peer.memory(), at, this.endpoint.memory().address(), this.endpoint.memory().rkey() + 1, 3));
		assertRefused(FIRST, Syndrome.NAK_REMOTE_ACCESS);
		write(FIRST, 0, "late");
		this.peer.assertNothingWithin(QUIET);
		assertDropped(DropReason.QP_STATE, 1);
	}

	@Test
	void whenPacketIsDamagedThenItIsDropped() {
		Bth.write(this.peer.memory(), 0, Opcode.SEND_ONLY, false, 0, this.endpoint.queuePair().number(), true, FIRST);
		this.peer.seal(Bth.LENGTH);
		this.peer.memory().put(9, (byte) (this.peer.memory().get(9) ^ 1));
		Bth.psn(this.peer.memory(), 0, FIRST);
		this.peer.memory().put(Bth.LENGTH, (byte) (this.peer.memory().get(Bth.LENGTH) ^ 0x40));
		this.peer.sendAsItIs(Bth.LENGTH + PacketCheck.ICRC_LENGTH);
		assertDropped(DropReason.ICRC, 1);
	}

	@Test
	void whenPacketComesFromAnotherAddressThenItIsDropped() throws Exception {
		try (RawPeer stranger = new RawPeer(this.endpoint, InetAddress.getByName("127.0.0.9"))) {
			Bth.write(stranger.memory(), 0, Opcode.SEND_ONLY, false, 0, this.endpoint.queuePair().number(), true,
					FIRST);
			stranger.seal(Bth.LENGTH);
			stranger.sendAsItIs(Bth.LENGTH + PacketCheck.ICRC_LENGTH);
			assertDropped(DropReason.SOURCE, 1);
		}
	}

	@Test
	void whenPacketComesFromAnotherPortThenItIsDropped() {
		try (RawPeer stranger = new RawPeer(this.endpoint)) {
			Bth.write(stranger.memory(), 0, Opcode.SEND_ONLY, false, 0, this.endpoint.queuePair().number(), true,
					FIRST);
			stranger.seal(Bth.LENGTH);
			stranger.sendAsItIs(Bth.LENGTH + PacketCheck.ICRC_LENGTH);
			assertDropped(DropReason.SOURCE, 1);
		}
	}

	@Test
	void whenMessageBeforeAReadComesAgainThenTheReadIsNotAcknowledged() {
		write(FIRST, 0, "one");
		assertAcknowledged(FIRST, 1);
		read(FIRST + 1, 0, 3);
		readAnswer(FIRST + 1, 1);
		write(FIRST, 0, "one");
		// an acknowledgement of the READ would say that it was answered
		assertAcknowledged(FIRST, 2);
	}

	@Test
	void whenQueuePairFailsThenNoMoreOfAReadIsSent() {
		read(FIRST, 0, (int) this.endpoint.memory().length());
		this.peer.await();
		this.endpoint.modifyTo(QueuePairState.ERR);
		this.peer.discard();
		this.peer.assertNothingWithin(QUIET);
	}

	@Test
	void whenPsnIsFarAheadThenThePacketIsDropped() {
		write(FIRST + 0x20_0000 & 0xff_ffff, 0, "far");
		assertDropped(DropReason.PSN, 1);
		this.peer.assertNothingWithin(QUIET);
	}

	@Test
	void whenQueuePairIsUnknownThenThePacketIsDropped() {
		Bth.write(this.peer.memory(), 0, Opcode.SEND_ONLY, false, 0, 17, true, FIRST);
		this.peer.seal(Bth.LENGTH);
		this.peer.sendAsItIs(Bth.LENGTH + PacketCheck.ICRC_LENGTH);
		assertDropped(DropReason.UNKNOWN_QP, 1);
	}

	private void send(int psn, String text) {
		this.peer.send(Opcode.SEND_ONLY, psn, text.getBytes(StandardCharsets.UTF_8), (at) -> {
		});
	}

	private void write(int psn, long offset, String text) {
		this.peer.send(Opcode.WRITE_ONLY, psn, text.getBytes(StandardCharsets.UTF_8),
				(at) -> reth(at, offset, text.length()));
	}

	private void read(int psn, long offset, int length) {
		this.peer.send(Opcode.READ_REQUEST, psn, (at) -> reth(at, offset, length));
	}

	private void fetchAndAdd(int psn, long delta) {
		this.peer.send(Opcode.FETCH_AND_ADD, psn, (at) -> AtomicEth.write(this.peer.memory(), at,
				this.endpoint.memory().address(), this.endpoint.memory().rkey(), delta, 0));
	}

	private void reth(int at, long offset, int length) {
		Reth.write(this.peer.memory(), at, this.endpoint.memory().address() + offset, this.endpoint.memory().rkey(),
				length);
	}

	private void assertAcknowledged(int psn, int msn) {
		Packet answer = this.peer.await();
		assertThat(answer.opcode()).isEqualTo(Opcode.ACKNOWLEDGE);
		assertThat(answer.syndrome()).isEqualTo(Syndrome.ACK);
		assertThat(answer.psn()).isEqualTo(psn);
		assertThat(answer.msn()).isEqualTo(msn);
	}

	private void assertRefused(int psn, int syndrome) {
		Packet answer = this.peer.await();
		assertThat(answer.syndrome()).isEqualTo(syndrome);
		assertThat(answer.psn()).isEqualTo(psn);
		this.endpoint.awaitState(QueuePairState.ERR);
	}

	private void assertAtomicAnswer(int psn, long found) {
		Packet answer = this.peer.await();
		assertThat(answer.opcode()).isEqualTo(Opcode.ATOMIC_ACKNOWLEDGE);
		assertThat(answer.psn()).isEqualTo(psn);
		assertThat(AtomicAckEth.original(answer.bytes(), 0)).isEqualTo(found);
	}

	private byte[] readAnswer(int firstPsn, int packets) {
		ByteArrayOutputStream content = new ByteArrayOutputStream();
		for (int i = 0; i < packets; i++) {
			Packet answer = this.peer.await();
			assertThat(answer.psn()).isEqualTo(firstPsn + i & 0xff_ffff);
			assertThat(answer.opcode()).isEqualTo(readOpcode(i, packets));
			content.writeBytes(answer.payload());
		}
		return content.toByteArray();
	}

	private static int readOpcode(int index, int packets) {
		if (index == 0) {
			return (packets == 1) ? Opcode.READ_RESPONSE_ONLY : Opcode.READ_RESPONSE_FIRST;
		}
		return (index == packets - 1) ? Opcode.READ_RESPONSE_LAST : Opcode.READ_RESPONSE_MIDDLE;
	}

	private void assertDropped(DropReason reason, long times) {
		await().untilAsserted(() -> assertThat(this.context.counters()).filteredOn("reason", reason.label())
			.singleElement()
			.satisfies((counter) -> assertThat(counter.value().getAsLong()).isEqualTo(times)));
	}

}
