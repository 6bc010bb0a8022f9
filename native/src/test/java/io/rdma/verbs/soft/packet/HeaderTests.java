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
import java.util.HexFormat;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the fields of the headers are.
 */
class HeaderTests {

	private static final int AT = 3;

	private static final int LENGTH = Bth.LENGTH + AtomicEth.LENGTH;

	private final ByteBuffer packet = ByteBuffer.allocateDirect(AT + LENGTH + AT);

	@Test
	void baseHeaderShouldBeWrittenWhole() {
		Bth.write(this.packet, AT, Opcode.SEND_ONLY_WITH_IMMEDIATE, true, 3, 0x12_3456, true, 0xab_cdef);
		assertThat(hex(Bth.LENGTH)).isEqualTo("05f0ffff0012345680abcdef");
		Bth.write(this.packet, AT, Opcode.ACKNOWLEDGE, false, 0, 0x11, false, 1);
		assertThat(hex(Bth.LENGTH)).isEqualTo("1140ffff0000001100000001");
	}

	@Test
	void baseHeaderShouldDropBitsThatDoNotFit() {
		Bth.write(this.packet, AT, Opcode.SEND_FIRST, false, 4, 0xff00_0011, false, 0xff00_0001);
		assertThat(hex(Bth.LENGTH)).isEqualTo("0040ffff0000001100000001");
	}

	@Test
	void setterShouldChangeItsFieldOnly() {
		ByteBuffer p = this.packet;
		expect("ff0000000000000000000000", () -> Bth.opcode(p, AT, 0xff));
		expect("008000000000000000000000", () -> Bth.solicited(p, AT, true));
		expect("004000000000000000000000", () -> Bth.migrated(p, AT, true));
		expect("003000000000000000000000", () -> Bth.pad(p, AT, 3));
		expect("000f00000000000000000000", () -> Bth.transportVersion(p, AT, 15));
		expect("0000ffff0000000000000000", () -> Bth.pkey(p, AT, 0xffff));
		expect("0000000000ffffff00000000", () -> Bth.destinationQp(p, AT, 0xff_ffff));
		expect("000000000000000080000000", () -> Bth.ackRequested(p, AT, true));
		expect("000000000000000000ffffff", () -> Bth.psn(p, AT, 0xff_ffff));
	}

	/**
	 * Expect bits to be set, and the others to stay as they are.
	 * @param bits the bits, as hexadecimal digits
	 * @param setter sets every bit of its field
	 */
	private void expect(String bits, Runnable setter) {
		fill(0);
		setter.run();
		assertThat(hex(Bth.LENGTH)).isEqualTo(bits);
		fill(0xff);
		setter.run();
		assertThat(hex(Bth.LENGTH)).isEqualTo("ff".repeat(Bth.LENGTH));
	}

	private void fill(int value) {
		for (int i = 0; i < this.packet.capacity(); i++) {
			this.packet.put(i, (byte) value);
		}
	}

	@Test
	void setterShouldClear() {
		fill(0xff);
		Bth.opcode(this.packet, AT, 0);
		Bth.solicited(this.packet, AT, false);
		Bth.migrated(this.packet, AT, false);
		Bth.pad(this.packet, AT, 0);
		Bth.transportVersion(this.packet, AT, 0);
		Bth.pkey(this.packet, AT, 0);
		Bth.destinationQp(this.packet, AT, 0);
		Bth.ackRequested(this.packet, AT, false);
		Bth.psn(this.packet, AT, 0);
		assertThat(hex(Bth.LENGTH)).isEqualTo("00000000ff0000007f000000");
		assertThat(this.packet.get(AT - 1)).isEqualTo((byte) -1);
		assertThat(this.packet.get(AT + Bth.LENGTH)).isEqualTo((byte) -1);
	}

	@Test
	void getterShouldReadItsFieldOnly() {
		put("1ab7fffe5512345691abcdef");
		assertThat(Bth.opcode(this.packet, AT)).isEqualTo(0x1a);
		assertThat(Bth.isSolicited(this.packet, AT)).isTrue();
		assertThat(Bth.isMigrated(this.packet, AT)).isFalse();
		assertThat(Bth.pad(this.packet, AT)).isEqualTo(3);
		assertThat(Bth.transportVersion(this.packet, AT)).isEqualTo(7);
		assertThat(Bth.pkey(this.packet, AT)).isEqualTo(0xfffe);
		assertThat(Bth.destinationQp(this.packet, AT)).isEqualTo(0x12_3456);
		assertThat(Bth.isAckRequested(this.packet, AT)).isTrue();
		assertThat(Bth.psn(this.packet, AT)).isEqualTo(0xab_cdef);
		put("ff480000000000007f000000");
		assertThat(Bth.opcode(this.packet, AT)).isEqualTo(0xff);
		assertThat(Bth.isSolicited(this.packet, AT)).isFalse();
		assertThat(Bth.isMigrated(this.packet, AT)).isTrue();
		assertThat(Bth.pad(this.packet, AT)).isZero();
		assertThat(Bth.transportVersion(this.packet, AT)).isEqualTo(8);
		assertThat(Bth.isAckRequested(this.packet, AT)).isFalse();
	}

	@Test
	void extensionHeadersShouldFollowTheBaseHeader() {
		Reth.write(this.packet, AT, 0x0102_0304_0506_0708L, 0x1112_1314, 0xfffe_fdfc);
		assertThat(extension(Reth.LENGTH)).isEqualTo("010203040506070811121314fffefdfc");
		assertThat(Reth.address(this.packet, AT)).isEqualTo(0x0102_0304_0506_0708L);
		assertThat(Reth.key(this.packet, AT)).isEqualTo(0x1112_1314);
		assertThat(Reth.length(this.packet, AT)).isEqualTo(0xfffe_fdfcL);
		AtomicEth.write(this.packet, AT, -2, -3, 0x2122_2324_2526_2728L, 0x3132_3334_3536_3738L);
		assertThat(extension(AtomicEth.LENGTH)).isEqualTo("fffffffffffffffefffffffd21222324252627283132333435363738");
		assertThat(AtomicEth.address(this.packet, AT)).isEqualTo(-2);
		assertThat(AtomicEth.key(this.packet, AT)).isEqualTo(-3);
		assertThat(AtomicEth.swapOrAdd(this.packet, AT)).isEqualTo(0x2122_2324_2526_2728L);
		assertThat(AtomicEth.compare(this.packet, AT)).isEqualTo(0x3132_3334_3536_3738L);
		Aeth.write(this.packet, AT, Syndrome.NAK_REMOTE_ACCESS, 0xff00_0009);
		AtomicAckEth.write(this.packet, AT, 0x0f0e_0d0c_0b0a_0908L);
		assertThat(extension(Aeth.LENGTH + AtomicAckEth.LENGTH)).isEqualTo("620000090f0e0d0c0b0a0908");
		assertThat(Aeth.syndrome(this.packet, AT)).isEqualTo(Syndrome.NAK_REMOTE_ACCESS);
		assertThat(Aeth.msn(this.packet, AT)).isEqualTo(9);
		assertThat(AtomicAckEth.original(this.packet, AT)).isEqualTo(0x0f0e_0d0c_0b0a_0908L);
		Ieth.write(this.packet, AT, 0x5152_5354);
		assertThat(extension(Ieth.LENGTH)).isEqualTo("51525354");
		assertThat(Ieth.key(this.packet, AT)).isEqualTo(0x5152_5354);
	}

	@Test
	void immediateDataShouldBeTheLastHeader() {
		fill(0);
		ImmediateData.write(this.packet, AT, Opcode.SEND_ONLY_WITH_IMMEDIATE, 0x6162_6364);
		assertThat(extension(ImmediateData.LENGTH)).isEqualTo("61626364");
		assertThat(ImmediateData.value(this.packet, AT, Opcode.WRITE_LAST_WITH_IMMEDIATE)).isEqualTo(0x6162_6364);
		fill(0);
		ImmediateData.write(this.packet, AT, Opcode.WRITE_ONLY_WITH_IMMEDIATE, 0x6162_6364);
		assertThat(extension(Reth.LENGTH + ImmediateData.LENGTH)).isEqualTo("00".repeat(Reth.LENGTH) + "61626364");
		assertThat(ImmediateData.value(this.packet, AT, Opcode.WRITE_ONLY_WITH_IMMEDIATE)).isEqualTo(0x6162_6364);
	}

	private void put(String hex) {
		this.packet.put(AT, HexFormat.of().parseHex(hex));
	}

	private String hex(int length) {
		return hex(AT, length);
	}

	private String extension(int length) {
		return hex(AT + Bth.LENGTH, length);
	}

	private String hex(int from, int length) {
		byte[] bytes = new byte[length];
		this.packet.get(from, bytes);
		return HexFormat.of().formatHex(bytes);
	}

}
