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
import java.util.SplittableRandom;
import java.util.zip.CRC32;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The invariant CRC is made, checked, and gives away the identification of the datagram.
 */
class IcrcTests {

	private static final int AT = 9;

	private static final int[] LENGTHS = { 12, 16, 28, 40, 76, 1024 + 12, 1024 + 28, PacketCheck.MAX_LENGTH - 4 };

	private static final int DAMAGED_PACKETS = 1 << 19;

	private final SplittableRandom random = new SplittableRandom(4791);

	private final ByteBuffer packet = ByteBuffer.allocateDirect(AT + PacketCheck.MAX_LENGTH + AT);

	private final Icrc icrc = new Icrc();

	private static Flow ipv4() {
		return new Flow().source(0, 0xffff_0a4d_0001L, 0xf570).destination(0, 0xffff_c0a8_ff02L, 4791);
	}

	private static Flow ipv6() {
		return new Flow().source(0xfd77_0000_1111_0000L, 1, 0xc000)
			.destination(0x2001_0db8_0000_0000L, 0x8000_0000_0000_0002L, 4791);
	}

	@Test
	void flowShouldTellIpv4FromIpv6() {
		assertThat(ipv4().isIpv4()).isTrue();
		assertThat(ipv6().isIpv4()).isFalse();
		assertThat(new Flow().destination(0, 1, 4791).isIpv4()).isFalse();
		assertThat(new Flow().destination(1, 0xffff_0a4d_0001L, 4791).isIpv4()).isFalse();
		assertThat(new Flow().destination(0, 0x1_ffff_0a4d_0001L, 4791).isIpv4()).isFalse();
	}

	@Test
	void icrcShouldBeThatOfTheWholeDatagram() {
		for (int length = Bth.LENGTH; length <= PacketCheck.MAX_LENGTH - PacketCheck.ICRC_LENGTH; length++) {
			fill(length);
			int identification = this.random.nextInt(0x1_0000);
			assertThat(this.icrc.of(this.packet, AT, length, ipv4(), identification))
				.isEqualTo(crcOfIpv4(length, ipv4(), identification));
			assertThat(this.icrc.of(this.packet, AT, length, ipv6(), identification))
				.isEqualTo(crcOfIpv6(length, ipv6()));
		}
	}

	/**
	 * Compute the CRC from a datagram written out byte for byte.
	 */
	private int crcOfIpv4(int length, Flow flow, int identification) {
		ByteBuffer datagram = ByteBuffer.allocate(8 + 20 + 8 + length);
		datagram.putLong(-1).put((byte) 0x45).put((byte) 0xff).putShort((short) (20 + 8 + length + 4));
		datagram.putShort((short) identification).putShort((short) 0x4000);
		datagram.put((byte) 0xff).put((byte) 17).putShort((short) -1);
		datagram.putInt((int) flow.sourceLow()).putInt((int) flow.destinationLow());
		return crc(datagram, length, flow);
	}

	private int crcOfIpv6(int length, Flow flow) {
		ByteBuffer datagram = ByteBuffer.allocate(8 + 40 + 8 + length);
		datagram.putLong(-1).putInt(0x6fff_ffff).putShort((short) (8 + length + 4)).put((byte) 17).put((byte) 0xff);
		datagram.putLong(flow.sourceHigh()).putLong(flow.sourceLow());
		datagram.putLong(flow.destinationHigh()).putLong(flow.destinationLow());
		return crc(datagram, length, flow);
	}

	private int crc(ByteBuffer datagram, int length, Flow flow) {
		datagram.putShort((short) flow.sourcePort()).putShort((short) flow.destinationPort());
		datagram.putShort((short) (8 + length + 4)).putShort((short) -1);
		int bth = datagram.position();
		datagram.put(bth, this.packet, AT, length).put(bth + 4, (byte) 0xff);
		CRC32 crc = new CRC32();
		crc.update(datagram.clear());
		return (int) crc.getValue();
	}

	@Test
	void identificationShouldBeFoundForEveryLength() {
		for (int length = Bth.LENGTH; length <= PacketCheck.MAX_LENGTH - PacketCheck.ICRC_LENGTH; length++) {
			fill(length);
			int identification = this.random.nextInt(0x1_0000);
			this.icrc.seal(this.packet, AT, length, ipv4(), identification);
			assertThat(check(length, ipv4())).isEqualTo(identification);
			this.icrc.seal(this.packet, AT, length, ipv6(), identification);
			assertThat(check(length, ipv6())).isZero();
		}
	}

	@Test
	void everyIdentificationShouldBeFound() {
		fill(60);
		for (int identification = 0; identification <= 0xffff; identification++) {
			this.icrc.seal(this.packet, AT, 60, ipv4(), identification);
			assertThat(check(60, ipv4())).isEqualTo(identification);
		}
	}

	@Test
	void everyFlippedBitShouldBeNoticed() {
		for (int length : new int[] { 12, 16, 40, 76, 140 }) {
			fill(length);
			for (Flow flow : new Flow[] { ipv4(), ipv6() }) {
				this.icrc.seal(this.packet, AT, length, flow, 0xee6e);
				assertThat(unnoticedFlips(length, flow)).isZero();
			}
		}
	}

	@Test
	void flippedBitsOfTheLongestPacketShouldBeNoticed() {
		int length = PacketCheck.MAX_LENGTH - PacketCheck.ICRC_LENGTH;
		fill(length);
		this.icrc.seal(this.packet, AT, length, ipv6(), 0);
		assertThat(unnoticedFlips(length, ipv6())).isZero();
		this.icrc.seal(this.packet, AT, length, ipv4(), 7);
		// 33,000 bits, each of which has a chance of 1 in 65536
		assertThat(unnoticedFlips(length, ipv4())).isLessThanOrEqualTo(2);
	}

	/**
	 * Flip each bit of the packet and the CRC, but those of the byte that routers may
	 * change.
	 */
	private int unnoticedFlips(int length, Flow flow) {
		int unnoticed = 0;
		for (int bit = 0; bit < (length + PacketCheck.ICRC_LENGTH) * Byte.SIZE; bit++) {
			if (bit / Byte.SIZE != Bth.VARIANT_BYTE) {
				flip(bit);
				unnoticed += (check(length, flow) != Icrc.CORRUPT) ? 1 : 0;
				flip(bit);
			}
		}
		return unnoticed;
	}

	private void flip(int bit) {
		int index = AT + bit / Byte.SIZE;
		this.packet.put(index, (byte) (this.packet.get(index) ^ 1 << bit % Byte.SIZE));
	}

	@Test
	void manyDamagedBitsShouldBeNoticedButForTheExpectedFew() {
		int length = 76;
		int unnoticedInIpv4 = 0;
		for (int i = 0; i < DAMAGED_PACKETS; i++) {
			fill(length);
			this.packet.putInt(AT + length, this.random.nextInt());
			assertThat(check(length, ipv6())).isEqualTo(Icrc.CORRUPT);
			unnoticedInIpv4 += (check(length, ipv4()) != Icrc.CORRUPT) ? 1 : 0;
		}
		// 8 are to be expected
		assertThat(unnoticedInIpv4).isLessThan(30);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0x00, 0x01, 0x40, 0x80, 0xff })
	void byteThatRoutersChangeShouldNotMatter(int value) {
		fill(40);
		this.icrc.seal(this.packet, AT, 40, ipv4(), 3);
		this.packet.put(AT + Bth.VARIANT_BYTE, (byte) value);
		assertThat(check(40, ipv4())).isEqualTo(3);
	}

	@Test
	void otherFlowShouldBeNoticed() {
		fill(40);
		this.icrc.seal(this.packet, AT, 40, ipv4(), 3);
		assertThat(check(40, ipv4().source(0, 0xffff_0a4d_0003L, 0xf570))).isEqualTo(Icrc.CORRUPT);
		assertThat(check(40, ipv4().source(0, 0xffff_0a4d_0001L, 0xf571))).isEqualTo(Icrc.CORRUPT);
		assertThat(check(40, ipv4().destination(0, 0xffff_c0a8_ff03L, 4791))).isEqualTo(Icrc.CORRUPT);
		assertThat(check(40, ipv4().destination(0, 0xffff_c0a8_ff02L, 4790))).isEqualTo(Icrc.CORRUPT);
		this.icrc.seal(this.packet, AT, 40, ipv6(), 3);
		assertThat(check(40, ipv6().source(0xfd77_0000_1111_0001L, 1, 0xc000))).isEqualTo(Icrc.CORRUPT);
		assertThat(check(40, ipv6().destination(0x2001_0db8_0000_0000L, 2, 4791))).isEqualTo(Icrc.CORRUPT);
	}

	@Test
	void lengthThatNoPacketHasShouldBeCorrupt() {
		for (int length : new int[] { Integer.MIN_VALUE, -4, 0, 12, 15, PacketCheck.MAX_LENGTH + 1,
				Integer.MAX_VALUE }) {
			assertThat(this.icrc.check(this.packet, AT, length, ipv4())).isEqualTo(Icrc.CORRUPT);
		}
	}

	@Test
	void bufferShouldKeepItsPositionAndNotBeLimitedByIt() {
		fill(40);
		this.packet.position(3).limit(5);
		ByteBuffer all = this.packet.duplicate().clear();
		this.icrc.seal(all, AT, 40, ipv4(), 3);
		assertThat(all.position()).isZero();
		assertThat(all.limit()).isEqualTo(all.capacity());
		all.position(1).limit(AT + 44);
		assertThat(this.icrc.check(all, AT, 44, ipv4())).isEqualTo(3);
		assertThat(all.position()).isOne();
		assertThat(all.limit()).isEqualTo(AT + 44);
	}

	@Test
	void anyNumberOfBuffersShouldBeUsedInTurn() {
		ByteBuffer[] buffers = new ByteBuffer[12];
		for (int i = 0; i < buffers.length; i++) {
			fill(40 + i);
			buffers[i] = (i % 3 == 0) ? ByteBuffer.allocate(256) : ByteBuffer.allocateDirect(256);
			buffers[i].put(i, this.packet, AT, 40 + i);
			this.icrc.seal(buffers[i], i, 40 + i, ipv4(), i);
		}
		for (int round = 0; round < 1000; round++) {
			int i = this.random.nextInt(buffers.length);
			assertThat(this.icrc.check(buffers[i], i, 44 + i, ipv4())).isEqualTo(i);
		}
	}

	@Test
	void ipv4AndIpv6ShouldTakeTurns() {
		for (int i = 0; i < 1000; i++) {
			int length = LENGTHS[this.random.nextInt(LENGTHS.length)];
			Flow flow = this.random.nextBoolean() ? ipv4() : ipv6();
			fill(length);
			this.icrc.seal(this.packet, AT, length, flow, i);
			assertThat(check(length, flow)).isEqualTo(flow.isIpv4() ? i : 0);
		}
	}

	private void fill(int length) {
		byte[] bytes = new byte[length];
		this.random.nextBytes(bytes);
		this.packet.put(AT, bytes);
	}

	private int check(int length, Flow flow) {
		return this.icrc.check(this.packet, AT, length + PacketCheck.ICRC_LENGTH, flow);
	}

}
