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

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which bytes are a packet.
 */
class PacketCheckTests {

	private static final int AT = 7;

	private final ByteBuffer packet = ByteBuffer.allocateDirect(AT + PacketCheck.MAX_LENGTH + Integer.BYTES);

	@BeforeEach
	void writeSendOnly() {
		header(Opcode.SEND_ONLY, 0);
	}

	private void header(int opcode, int pad) {
		Bth.write(this.packet, AT, opcode, false, pad, 0x11, true, 5);
	}

	@ParameterizedTest
	@ValueSource(ints = { Integer.MIN_VALUE, -1, 0, 1, 11, 12, 15 })
	void shorterThanAnyPacketShouldBeTooShort(int length) {
		assertThat(PacketCheck.check(this.packet, AT, length)).isEqualTo(DropReason.TOO_SHORT);
	}

	@Test
	void shortestPacketShouldPass() {
		assertThat(PacketCheck.check(this.packet, AT, PacketCheck.MIN_LENGTH)).isNull();
		assertThat(PacketCheck.payloadLength(this.packet, AT, PacketCheck.MIN_LENGTH)).isZero();
	}

	@Test
	void everyPayloadWithItsPadShouldPass() {
		for (int opcode = 0; opcode <= 0xff; opcode++) {
			if (Opcode.hasPayload(opcode)) {
				for (int payload = 0; payload <= PacketCheck.MAX_PAYLOAD; payload++) {
					int pad = Padding.of(payload);
					header(opcode, pad);
					int length = Opcode.headerLength(opcode) + payload + pad + PacketCheck.ICRC_LENGTH;
					assertThat(PacketCheck.check(this.packet, AT, length)).isNull();
					assertThat(PacketCheck.payloadLength(this.packet, AT, length)).isEqualTo(payload);
				}
			}
		}
	}

	@Test
	void lengthThatIsNoMultipleOfFourShouldNotPass() {
		for (int payload = 0; payload < 64; payload++) {
			for (int pad = 0; pad < 4; pad++) {
				header(Opcode.SEND_ONLY, pad);
				int length = Bth.LENGTH + payload + pad + PacketCheck.ICRC_LENGTH;
				assertThat(PacketCheck.check(this.packet, AT, length))
					.isEqualTo((pad == Padding.of(payload)) ? null : DropReason.LENGTH);
			}
		}
	}

	@Test
	void packetThatEndsInItsHeadersShouldNotPass() {
		for (int opcode = 0; opcode <= 0xff; opcode++) {
			if (Opcode.isKnown(opcode)) {
				header(opcode, 0);
				int length = Opcode.headerLength(opcode) + PacketCheck.ICRC_LENGTH;
				assertThat(PacketCheck.check(this.packet, AT, length)).isNull();
				assertThat(PacketCheck.check(this.packet, AT, length - 4))
					.isEqualTo((length > PacketCheck.MIN_LENGTH) ? DropReason.LENGTH : DropReason.TOO_SHORT);
				header(opcode, 1);
				assertThat(PacketCheck.check(this.packet, AT, length)).isEqualTo(DropReason.LENGTH);
			}
		}
	}

	@Test
	void payloadWhereNoneBelongsShouldNotPass() {
		int[] opcodes = { Opcode.READ_REQUEST, Opcode.ACKNOWLEDGE, Opcode.ATOMIC_ACKNOWLEDGE, Opcode.COMPARE_AND_SWAP,
				Opcode.FETCH_AND_ADD };
		for (int opcode : opcodes) {
			header(opcode, 0);
			int length = Opcode.headerLength(opcode) + PacketCheck.ICRC_LENGTH;
			assertThat(PacketCheck.check(this.packet, AT, length)).isNull();
			assertThat(PacketCheck.check(this.packet, AT, length + 4)).isEqualTo(DropReason.LENGTH);
		}
	}

	@Test
	void payloadAboveEveryMtuShouldNotPass() {
		int longest = Bth.LENGTH + PacketCheck.MAX_PAYLOAD + PacketCheck.ICRC_LENGTH;
		assertThat(PacketCheck.check(this.packet, AT, longest)).isNull();
		assertThat(PacketCheck.check(this.packet, AT, longest + 4)).isEqualTo(DropReason.LENGTH);
		assertThat(PacketCheck.check(this.packet, AT, Integer.MAX_VALUE - 3)).isEqualTo(DropReason.LENGTH);
	}

	@Test
	void unknownOperationShouldNotPass() {
		for (int opcode = 0; opcode <= 0xff; opcode++) {
			header(opcode, 0);
			int length = Math.max(Opcode.headerLength(opcode) + PacketCheck.ICRC_LENGTH, PacketCheck.MIN_LENGTH);
			assertThat(PacketCheck.check(this.packet, AT, length))
				.isEqualTo(Opcode.isKnown(opcode) ? null : DropReason.OPCODE);
		}
	}

	@Test
	void otherVersionShouldNotPass() {
		for (int version = 1; version < 16; version++) {
			Bth.transportVersion(this.packet, AT, version);
			assertThat(check()).isEqualTo(DropReason.VERSION);
		}
	}

	@Test
	void queuePairZeroShouldNotPass() {
		Bth.destinationQp(this.packet, AT, 0);
		assertThat(check()).isEqualTo(DropReason.QP_NUMBER);
	}

	@Test
	void defaultPartitionOnlyShouldPass() {
		Bth.pkey(this.packet, AT, 0x7fff);
		assertThat(check()).isNull();
		for (int pkey : new int[] { 0x0000, 0x8000, 0x1234, 0x9234, 0x7ffe, 0xfffe, 0xefff }) {
			Bth.pkey(this.packet, AT, pkey);
			assertThat(check()).isEqualTo(DropReason.PKEY);
		}
	}

	@Test
	void reservedBitsShouldNotMatter() {
		this.packet.put(AT + Bth.VARIANT_BYTE, (byte) 0xff);
		this.packet.put(AT + 8, (byte) 0x7f);
		assertThat(check()).isNull();
	}

	private @Nullable DropReason check() {
		return PacketCheck.check(this.packet, AT, PacketCheck.MIN_LENGTH);
	}

	@Test
	void labelsShouldBeDistinct() {
		assertThat(Arrays.stream(DropReason.values()).map(DropReason::label)).doesNotHaveDuplicates()
			.allMatch((label) -> label.matches("[a-z]+(-[a-z]+)*"));
		assertThat(Arrays.stream(DropReason.values()).map(DropReason::description)).doesNotHaveDuplicates();
	}

	@Test
	void padShouldFillUpToFourBytes() {
		for (int length = 0; length <= PacketCheck.MAX_PAYLOAD; length++) {
			assertThat(Padding.of(length)).isBetween(0, 3);
			assertThat((length + Padding.of(length)) % 4).isZero();
		}
		this.packet.putInt(20, -1);
		Padding.write(this.packet, 20, 3);
		assertThat(this.packet.getInt(20)).isEqualTo(0xff);
	}

}
