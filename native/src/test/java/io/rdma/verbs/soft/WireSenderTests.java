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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.PortState;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.contract.Endpoint;
import io.rdma.verbs.contract.EndpointOptions;
import io.rdma.verbs.soft.RawPeer.Packet;
import io.rdma.verbs.soft.packet.Aeth;
import io.rdma.verbs.soft.packet.AtomicAckEth;
import io.rdma.verbs.soft.packet.Bth;
import io.rdma.verbs.soft.packet.DropReason;
import io.rdma.verbs.soft.packet.Opcode;
import io.rdma.verbs.soft.packet.Reth;
import io.rdma.verbs.soft.packet.Syndrome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a queue pair sends, and what it makes of the answers, told from the packets.
 */
class WireSenderTests {

	private static final int MTU = 256;

	private static final int FIRST = 0xff_ffff;

	private static final long ADDRESS = 0x1000;

	private static final int KEY = 77;

	private static final Duration QUIET = Duration.ofMillis(50);

	private final SoftDeviceContext context = SoftProvider.builder()
		.paths(EnumSet.of(PathKind.WIRE))
		.build()
		.open(SoftProvider.DEVICE_NAME);

	/** A timeout of 4.3 s, so that nothing is sent again but for a reason. */
	private Endpoint endpoint = open(20, 3, 3);

	private RawPeer peer = new RawPeer(this.endpoint);

	private Endpoint open(int timeout, int retries, int rnrRetries) {
		return new Endpoint(OnSoftDevice.SOFT_DEVICE, this.context,
				EndpointOptions.defaults()
					.withPathMtu(PathMtu.MTU_256)
					.withMaxRdAtomic(2)
					.withMemory(1 << 20)
					.withTimeout(timeout)
					.withRetryCount(retries)
					.withRnrRetry(rnrRetries)
					.withMinRnrTimer(1));
	}

	private void connect() {
		this.peer.connect(FIRST);
	}

	private void connectWith(int timeout, int retries) throws Exception {
		this.peer.close();
		this.endpoint.close();
		this.endpoint = open(timeout, retries, 2);
		this.peer = new RawPeer(this.endpoint);
		connect();
	}

	@AfterEach
	void close() throws Exception {
		this.peer.close();
		this.endpoint.close();
		this.context.close();
	}

	@Test
	void whenAcknowledgedThenAllUpToThereAreComplete() {
		connect();
		write(1, 10);
		write(2, 10);
		write(3, 10);
		assertThat(psns(3)).containsExactly(FIRST, 0, 1);
		acknowledge(0);
		assertThat(this.endpoint.awaitSends(2)).extracting("wrId").containsExactly(1L, 2L);
		this.endpoint.sends().assertNoneWithin(QUIET);
		acknowledge(1);
		assertThat(this.endpoint.awaitSend().wrId()).isEqualTo(3);
	}

	@ParameterizedTest
	@CsvSource({ "0, WRITE_ONLY", "1, WRITE_ONLY", "255, WRITE_ONLY", "256, WRITE_ONLY", "257, WRITE_FIRST WRITE_LAST",
			"768, WRITE_FIRST WRITE_MIDDLE WRITE_LAST" })
	void messageShouldBeCutByTheMtu(int length, String opcodes) {
		connect();
		byte[] content = this.endpoint.fill(0, Math.max(1, length));
		write(1, length);
		List<Packet> packets = packets(opcodes.split(" ").length);
		assertThat(packets).extracting((packet) -> Opcode.name(packet.opcode())).containsExactly(opcodes.split(" "));
		byte[] arrived = new byte[length];
		int at = 0;
		for (Packet packet : packets) {
			byte[] payload = packet.payload();
			System.arraycopy(payload, 0, arrived, at, payload.length);
			at += payload.length;
		}
		assertThat(at).isEqualTo(length);
		if (length > 0) {
			assertThat(arrived).isEqualTo(content);
		}
		assertThat(Reth.length(packets.get(0).bytes(), 0)).isEqualTo(length);
		Packet last = packets.get(packets.size() - 1);
		assertThat(Bth.isAckRequested(last.bytes(), 0)).isTrue();
	}

	@Test
	void whenPeerMissesPacketsThenAllFromThereAreSentAgain() {
		connect();
		for (int i = 0; i < 4; i++) {
			write(i, 10);
		}
		assertThat(psns(4)).containsExactly(FIRST, 0, 1, 2);
		answer(1, Syndrome.NAK_PSN_SEQUENCE);
		assertThat(psns(2)).containsExactly(1, 2);
		assertThat(this.endpoint.awaitSends(2)).extracting("wrId").containsExactly(0L, 1L);
		// the same answer again, as the network may double it
		answer(1, Syndrome.NAK_PSN_SEQUENCE);
		this.peer.assertNothingWithin(QUIET);
		acknowledge(2);
		assertThat(this.endpoint.awaitSends(2)).extracting("wrId").containsExactly(2L, 3L);
	}

	@Test
	void whenPacketInTheMiddleOfAMessageIsMissingThenTheMessageGoesOnThere() {
		connect();
		write(1, 4 * MTU);
		packets(4);
		answer(1, Syndrome.NAK_PSN_SEQUENCE);
		List<Packet> again = packets(2);
		assertThat(again).extracting(Packet::psn).containsExactly(1, 2);
		assertThat(again).extracting(Packet::opcode).containsExactly(Opcode.WRITE_MIDDLE, Opcode.WRITE_LAST);
		acknowledge(2);
		assertThat(this.endpoint.awaitSend().status()).isEqualTo(CompletionStatus.SUCCESS);
	}

	@Test
	void whenNothingIsAnsweredThenItIsSentAgainAsOftenAsConfigured() throws Exception {
		connectWith(12, 3);
		write(1, 10);
		assertThat(psns(4)).containsOnly(FIRST);
		assertThat(this.endpoint.awaitSend().status()).isEqualTo(CompletionStatus.RETRY_EXC_ERR);
		this.endpoint.awaitState(QueuePairState.ERR);
		this.peer.assertNothingWithin(QUIET);
	}

	@Test
	void whenAnswersComeThenRetriesStartAnew() throws Exception {
		connectWith(12, 1);
		for (int i = 0; i < 5; i++) {
			write(i, 10);
			int psn = FIRST + i & 0xff_ffff;
			assertThat(psns(2)).containsOnly(psn);
			acknowledge(psn);
			assertThat(this.endpoint.awaitSend().status()).isEqualTo(CompletionStatus.SUCCESS);
		}
	}

	@Test
	void whenPeerIsNotReadyThenTheMessageIsSentAgainAfterTheTimeItAsksFor() {
		connect();
		write(0, 10);
		this.endpoint.post((wr) -> wr.wrId(1).send().addSge(this.endpoint.memory(), 0, 10).signaled());
		write(2, 10);
		packets(3);
		long before = System.nanoTime();
		answer(0, Syndrome.rnr(20));
		assertThat(psns(2)).containsExactly(0, 1);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(10));
		acknowledge(1);
		assertThat(this.endpoint.awaitSends(3)).extracting("status").containsOnly(CompletionStatus.SUCCESS);
	}

	@Test
	void whenPeerIsNeverReadyThenItIsAskedAsOftenAsConfigured() {
		connect();
		this.endpoint.post((wr) -> wr.wrId(1).send().addSge(this.endpoint.memory(), 0, 10).signaled());
		for (int i = 0; i < 4; i++) {
			assertThat(this.peer.await().psn()).isEqualTo(FIRST);
			answer(FIRST, Syndrome.rnr(1));
		}
		assertThat(this.endpoint.awaitSend().status()).isEqualTo(CompletionStatus.RNR_RETRY_EXC_ERR);
	}

	@ParameterizedTest
	@CsvSource({ "0x61, REM_INV_REQ_ERR", "0x62, REM_ACCESS_ERR", "0x63, REM_OP_ERR" })
	void whenPeerRefusesThenTheMessageFailsAndThoseBeforeItDoNot(String syndrome, CompletionStatus status) {
		connect();
		write(1, 10);
		write(2, 10);
		write(3, 10);
		packets(3);
		answer(0, Integer.decode(syndrome));
		assertThat(this.endpoint.awaitSends(3)).extracting("status")
			.containsExactly(CompletionStatus.SUCCESS, status, CompletionStatus.WR_FLUSH_ERR);
		this.endpoint.awaitState(QueuePairState.ERR);
	}

	@Test
	void whenPartOfAReadIsLostThenTheRestIsAskedForAgain() {
		connect();
		read(1, 4 * MTU);
		Packet request = this.peer.await();
		assertThat(request.psn()).isEqualTo(FIRST);
		readAnswer(Opcode.READ_RESPONSE_FIRST, FIRST, "a".repeat(MTU));
		readAnswer(Opcode.READ_RESPONSE_MIDDLE, 1, "c".repeat(MTU));
		Packet again = this.peer.await();
		assertThat(again.opcode()).isEqualTo(Opcode.READ_REQUEST);
		assertThat(again.psn()).isZero();
		assertThat(Reth.address(again.bytes(), 0)).isEqualTo(ADDRESS + MTU);
		assertThat(Reth.length(again.bytes(), 0)).isEqualTo(3 * MTU);
		readAnswer(Opcode.READ_RESPONSE_LAST, 2, "d".repeat(MTU));
		this.peer.assertNothingWithin(QUIET);
		readAnswer(Opcode.READ_RESPONSE_FIRST, 0, "b".repeat(MTU));
		readAnswer(Opcode.READ_RESPONSE_MIDDLE, 1, "c".repeat(MTU));
		readAnswer(Opcode.READ_RESPONSE_LAST, 2, "d".repeat(MTU));
		assertThat(this.endpoint.awaitSend().status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(this.endpoint.text(0, 4 * MTU))
			.isEqualTo("a".repeat(MTU) + "b".repeat(MTU) + "c".repeat(MTU) + "d".repeat(MTU));
	}

	@Test
	void whenAnswerToAReadIsMissingThenAnAcknowledgementBehindItDoesNotCompleteIt() {
		connect();
		read(1, 10);
		write(2, 10);
		packets(2);
		acknowledge(0);
		assertThat(psns(2)).containsExactly(FIRST, 0);
		this.endpoint.sends().assertNoneWithin(QUIET);
		readAnswer(Opcode.READ_RESPONSE_ONLY, FIRST, "0123456789");
		acknowledge(0);
		assertThat(this.endpoint.awaitSends(2)).extracting("wrId").containsExactly(1L, 2L);
	}

	@Test
	void whenAnswerToALaterReadComesThenMessagesBeforeItAreComplete() {
		connect();
		write(1, 10);
		read(2, 4);
		packets(2);
		readAnswer(Opcode.READ_RESPONSE_ONLY, 0, "data");
		assertThat(this.endpoint.awaitSends(2)).extracting("wrId").containsExactly(1L, 2L);
		assertThat(this.endpoint.text(0, 4)).isEqualTo("data");
	}

	@Test
	void readsUnderWayShouldBeAsManyAsThePeerTakes() {
		connect();
		for (int i = 0; i < 3; i++) {
			read(i, 4);
		}
		assertThat(psns(2)).containsExactly(FIRST, 0);
		this.peer.assertNothingWithin(QUIET);
		readAnswer(Opcode.READ_RESPONSE_ONLY, FIRST, "one.");
		assertThat(this.peer.await().psn()).isEqualTo(1);
	}

	@Test
	void fencedMessageShouldWaitForReads() {
		connect();
		read(1, 4);
		write(2, 4);
		this.endpoint
			.post((wr) -> wr.wrId(3).rdmaWrite(ADDRESS, KEY).addSge(this.endpoint.memory(), 0, 4).fenced().signaled());
		assertThat(psns(2)).containsExactly(FIRST, 0);
		this.peer.assertNothingWithin(QUIET);
		readAnswer(Opcode.READ_RESPONSE_ONLY, FIRST, "done");
		assertThat(this.peer.await().psn()).isEqualTo(1);
	}

	@Test
	void packetsUnderWayShouldBeBounded() {
		connect();
		write(1, 1 << 20);
		List<Integer> psns = new ArrayList<>();
		for (int i = 0; i < 128; i++) {
			Packet packet = this.peer.await();
			psns.add(packet.psn());
			if (i % 16 == 15) {
				assertThat(Bth.isAckRequested(packet.bytes(), 0)).isTrue();
			}
		}
		assertThat(psns).doesNotHaveDuplicates();
		this.peer.assertNothingWithin(QUIET);
		acknowledge(psns.get(15));
		assertThat(psns(16)).doesNotContainAnyElementsOf(psns);
		this.peer.assertNothingWithin(QUIET);
	}

	@Test
	void whenPacketsAreLostThenFewerAreUnderWay() {
		connect();
		write(1, 1 << 20);
		packets(128);
		answer(0, Syndrome.NAK_PSN_SEQUENCE);
		packets(64);
		this.peer.assertNothingWithin(QUIET);
	}

	@Test
	void longReadShouldBeAskedForInParts() {
		connect();
		read(1, 1 << 16);
		Packet first = this.peer.await();
		Packet second = this.peer.await();
		this.peer.assertNothingWithin(QUIET);
		assertThat(Reth.length(first.bytes(), 0)).isEqualTo(32 * MTU);
		assertThat(Reth.address(second.bytes(), 0)).isEqualTo(ADDRESS + 32 * MTU);
		assertThat(second.psn()).isEqualTo(FIRST + 32 & 0xff_ffff);
	}

	@Test
	void whenAtomicIsAnsweredThenTheValueFoundIsThere() {
		connect();
		this.endpoint.post((wr) -> wr.wrId(1)
			.fetchAndAdd(ADDRESS, KEY, 5)
			.addSge(this.endpoint.memory(), 8, Long.BYTES)
			.signaled());
		assertThat(this.peer.await().opcode()).isEqualTo(Opcode.FETCH_AND_ADD);
		this.peer.send(Opcode.ATOMIC_ACKNOWLEDGE, FIRST, (at) -> {
			Aeth.write(this.peer.memory(), at, Syndrome.ACK, 1);
			AtomicAckEth.write(this.peer.memory(), at, 0x0102030405060708L);
		});
		assertThat(this.endpoint.awaitSend().status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(this.endpoint.getLong(8)).isEqualTo(0x0102030405060708L);
	}

	@Test
	void whenAnswerIsOfAnotherKindThenTheMessageFails() {
		connect();
		write(1, 10);
		this.peer.await();
		readAnswer(Opcode.READ_RESPONSE_ONLY, FIRST, "not asked for");
		assertThat(this.endpoint.awaitSend().status()).isEqualTo(CompletionStatus.BAD_RESP_ERR);
	}

	@Test
	void whenAnswerIsLongerThanTheReadThenTheReadFails() {
		connect();
		read(1, 4);
		this.peer.await();
		readAnswer(Opcode.READ_RESPONSE_ONLY, FIRST, "more than four");
		assertThat(this.endpoint.awaitSend().status()).isEqualTo(CompletionStatus.BAD_RESP_ERR);
		assertThat(this.endpoint.bytes(0, 16)).containsOnly(0);
	}

	@Test
	void whenAnswerIsForWhatWasNotSentThenItIsDropped() {
		connect();
		write(1, 10);
		this.peer.await();
		acknowledge(5);
		acknowledge(FIRST - 1);
		assertDropped(DropReason.PSN);
		assertDropped(DropReason.DUPLICATE);
		this.endpoint.sends().assertNoneWithin(QUIET);
		acknowledge(FIRST);
		assertThat(this.endpoint.awaitSend().status()).isEqualTo(CompletionStatus.SUCCESS);
	}

	@Test
	void whenPeerWasReadyAfterAllThenNothingWaits() {
		connect();
		this.endpoint.post((wr) -> wr.wrId(1).send().addSge(this.endpoint.memory(), 0, 10).signaled());
		write(2, 10);
		packets(2);
		// for 655 ms
		answer(FIRST, Syndrome.rnr(0));
		this.peer.assertNothingWithin(QUIET);
		// the message had been doubled on the way, and the second one found a receive
		acknowledge(FIRST);
		assertThat(this.endpoint.awaitSend().wrId()).isEqualTo(1);
		assertThat(this.peer.await().psn()).isZero();
		acknowledge(0);
		assertThat(this.endpoint.awaitSend().wrId()).isEqualTo(2);
		write(3, 10);
		assertThat(this.peer.await().psn()).isEqualTo(1);
	}

	@Test
	void whenPortIsDownThenNothingIsSent() {
		connect();
		this.context.setPortState(PortState.DOWN);
		write(1, 10);
		this.peer.assertNothingWithin(QUIET);
	}

	private void assertDropped(DropReason reason) {
		await().untilAsserted(() -> assertThat(this.context.counters()).filteredOn("reason", reason.label())
			.singleElement()
			.satisfies((counter) -> assertThat(counter.value().getAsLong()).isEqualTo(1)));
	}

	private void write(long wrId, int length) {
		this.endpoint
			.post((wr) -> wr.wrId(wrId).rdmaWrite(ADDRESS, KEY).addSge(this.endpoint.memory(), 0, length).signaled());
	}

	private void read(long wrId, int length) {
		this.endpoint
			.post((wr) -> wr.wrId(wrId).rdmaRead(ADDRESS, KEY).addSge(this.endpoint.memory(), 0, length).signaled());
	}

	private List<Packet> packets(int count) {
		List<Packet> packets = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			packets.add(this.peer.await());
		}
		return packets;
	}

	private List<Integer> psns(int count) {
		return packets(count).stream().map(Packet::psn).toList();
	}

	private void acknowledge(int psn) {
		answer(psn, Syndrome.ACK);
	}

	private void answer(int psn, int syndrome) {
		this.peer.send(Opcode.ACKNOWLEDGE, psn, (at) -> Aeth.write(this.peer.memory(), at, syndrome, 1));
	}

	private void readAnswer(int opcode, int psn, String content) {
		this.peer.send(opcode, psn, content.getBytes(StandardCharsets.UTF_8), (at) -> {
			if (Opcode.hasAeth(opcode)) {
				Aeth.write(this.peer.memory(), at, Syndrome.ACK, 1);
			}
		});
	}

}
