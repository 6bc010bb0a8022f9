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

package io.rdma.verbs.soft.packet;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Packets of Linux, of a network card and of scapy are read as what they are, and made
 * again from their fields.
 */
class PacketSampleTests {

	private static final int OTHER_PLACE = 5;

	private final Icrc icrc = new Icrc();

	static List<PacketSample> samples() {
		return PacketSample.all();
	}

	static List<PacketSample> packetsOfRc() {
		return samples().stream().filter((sample) -> !sample.operation().startsWith("0x")).toList();
	}

	@Test
	void samplesAreAllThere() {
		assertThat(samples()).hasSizeGreaterThan(110)
			.anyMatch(PacketSample::isIpv4)
			.anyMatch((sample) -> !sample.isIpv4())
			.anyMatch((sample) -> sample.identification() == Icrc.CORRUPT);
	}

	@ParameterizedTest
	@MethodSource("samples")
	void headersShouldBeRead(PacketSample sample) {
		int opcode = Bth.opcode(sample.buffer(), sample.at());
		String name = Opcode.isKnown(opcode) ? Opcode.name(opcode) : "0x%02x".formatted(opcode);
		assertThat(name).isEqualTo(sample.operation());
		DropReason reason = PacketCheck.check(sample.buffer(), sample.at(), sample.length());
		assertThat((reason != null) ? reason.label() : "good").isEqualTo(sample.form());
	}

	@ParameterizedTest
	@MethodSource("samples")
	void identificationShouldBeFound(PacketSample sample) {
		assertThat(this.icrc.check(sample.buffer(), sample.at(), sample.length(), sample.flow()))
			.isEqualTo(sample.identification());
	}

	@ParameterizedTest
	@MethodSource("samples")
	void icrcShouldBeTheSame(PacketSample sample) {
		byte[] original = sample.packet();
		int length = sample.length() - PacketCheck.ICRC_LENGTH;
		this.icrc.seal(sample.buffer(), sample.at(), length, sample.flow(), Math.max(sample.identification(), 0));
		if (sample.identification() == Icrc.CORRUPT) {
			assertThat(sample.packet()).startsWith(firstOf(original, length)).isNotEqualTo(original);
		}
		else {
			assertThat(sample.packet()).isEqualTo(original);
		}
	}

	@ParameterizedTest
	@MethodSource("packetsOfRc")
	void packetShouldBeMadeAgainFromItsFields(PacketSample sample) {
		int length = sample.length();
		ByteBuffer copy = ByteBuffer.allocateDirect(OTHER_PLACE + length);
		copy.putLong(OTHER_PLACE, -1);
		copyHeaders(sample, copy);
		copyPayload(sample, copy);
		byte[] bytes = new byte[length];
		if (sample.identification() == Icrc.CORRUPT) {
			int covered = length - PacketCheck.ICRC_LENGTH;
			copy.get(OTHER_PLACE, bytes);
			assertThat(bytes).startsWith(firstOf(sample.packet(), covered));
			return;
		}
		this.icrc.seal(copy, OTHER_PLACE, length - PacketCheck.ICRC_LENGTH, sample.flow(), sample.identification());
		copy.get(OTHER_PLACE, bytes);
		assertThat(bytes).isEqualTo(sample.packet());
	}

	private static void copyHeaders(PacketSample sample, ByteBuffer copy) {
		ByteBuffer from = sample.buffer();
		int at = sample.at();
		int to = OTHER_PLACE;
		int opcode = Bth.opcode(from, at);
		Bth.write(copy, to, opcode, Bth.isSolicited(from, at), Bth.pad(from, at), Bth.destinationQp(from, at),
				Bth.isAckRequested(from, at), Bth.psn(from, at));
		Bth.migrated(copy, to, Bth.isMigrated(from, at));
		Bth.pkey(copy, to, Bth.pkey(from, at));
		if (Opcode.hasReth(opcode)) {
			Reth.write(copy, to, Reth.address(from, at), Reth.key(from, at), (int) Reth.length(from, at));
		}
		if (Opcode.hasAtomicEth(opcode)) {
			AtomicEth.write(copy, to, AtomicEth.address(from, at), AtomicEth.key(from, at),
					AtomicEth.swapOrAdd(from, at), AtomicEth.compare(from, at));
		}
		if (Opcode.hasAeth(opcode)) {
			Aeth.write(copy, to, Aeth.syndrome(from, at), Aeth.msn(from, at));
		}
		if (opcode == Opcode.ATOMIC_ACKNOWLEDGE) {
			AtomicAckEth.write(copy, to, AtomicAckEth.original(from, at));
		}
		if (Opcode.hasImmediate(opcode)) {
			ImmediateData.write(copy, to, opcode, ImmediateData.value(from, at, opcode));
		}
	}

	private static void copyPayload(PacketSample sample, ByteBuffer copy) {
		int header = Opcode.headerLength(Bth.opcode(sample.buffer(), sample.at()));
		int payload = sample.payloadLength();
		copy.put(OTHER_PLACE + header, sample.buffer(), sample.at() + header, payload);
		Padding.write(copy, OTHER_PLACE + header + payload, Padding.of(payload));
	}

	private static byte[] firstOf(byte[] bytes, int count) {
		return Arrays.copyOf(bytes, count);
	}

}
