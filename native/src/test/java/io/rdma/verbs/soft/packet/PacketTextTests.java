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
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Packets as text.
 */
class PacketTextTests {

	private static final int RANDOM_PACKETS = 10_000;

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			0430ffff0000123480fffffe 00070e151c000000 59a71b42 | \
			SEND_ONLY to QP 0x1234, PSN 16777214, acknowledgement requested, payload 5 bytes
			0590ffff0000001180fffffd deadbeef 61626300 588df44b | \
			SEND_ONLY_WITH_IMMEDIATE to QP 0x11, PSN 16777213, acknowledgement requested, solicited, \
			immediate 0xdeadbeef, payload 3 bytes
			0c00ffff0000123480000007 00000000000100000000009900 0009c4 05d6ff3e | \
			READ_REQUEST to QP 0x1234, PSN 7, acknowledgement requested, address 0x10000, key 0x99, length 2500
			1100ffff0000001100fffffe 1f000001 db7a71b0 | \
			ACKNOWLEDGE to QP 0x11, PSN 16777214, ACK, MSN 1
			1200ffff000000110000000b 1f000009 0f0e0d0c0b0a0908 b4ec5e15 | \
			ATOMIC_ACKNOWLEDGE to QP 0x11, PSN 11, ACK, MSN 9, original 0xf0e0d0c0b0a0908
			1300ffff000012348000000b 0000000000010008 00000099 1122334455667788 0706050403020100 821f3544 | \
			COMPARE_AND_SWAP to QP 0x1234, PSN 11, acknowledgement requested, address 0x10008, key 0x99, \
			swap or add 0x1122334455667788, compare 0x706050403020100
			1700ffff0000001100000001 00abcdef 00000000 | \
			SEND_ONLY_WITH_INVALIDATE to QP 0x11, PSN 1, invalidates key 0xabcdef, payload 0 bytes
			2460ffff000000d300cf1710 00000000 | \
			UNKNOWN to QP 0xd3, PSN 13571856, wrong: opcode (0x24)
			040012340000001180fffffc 64726f70 07f9a269 | \
			SEND_ONLY to QP 0x11, PSN 16777212, acknowledgement requested, wrong: pkey (0x1234)
			0403ffff0000001100000001 00000000 | SEND_ONLY to QP 0x11, PSN 1, wrong: version (3)
			0430ffff0000001100000001 00000000 | SEND_ONLY to QP 0x11, PSN 1, wrong: length (16 bytes, pad 3)
			0400ffff0000000000000001 00000000 | SEND_ONLY to QP 0x0, PSN 1, wrong: qp-number (16 bytes, pad 0)
			0400 | too short, 2 bytes
			""")
	void packetShouldBeDescribed(String hex, String text) {
		byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
		ByteBuffer packet = ByteBuffer.allocate(bytes.length + 1).put(1, bytes);
		assertThat(PacketText.describe(packet, 1, bytes.length)).isEqualTo(text);
	}

	@Test
	void anyBytesShouldBeDescribed() {
		SplittableRandom random = new SplittableRandom(7);
		byte[] bytes = new byte[64];
		for (int i = 0; i < RANDOM_PACKETS; i++) {
			random.nextBytes(bytes);
			int length = random.nextInt(bytes.length + 1);
			assertThat(PacketText.describe(ByteBuffer.wrap(bytes, 0, length).slice(), 0, length)).isNotEmpty();
		}
	}

}
