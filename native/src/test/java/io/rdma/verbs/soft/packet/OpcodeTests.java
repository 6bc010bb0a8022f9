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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each operation code stands for.
 */
class OpcodeTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			00 | SEND_FIRST                | request  send  first payload
			01 | SEND_MIDDLE               | request  send  middle payload
			02 | SEND_LAST                 | request  send  last payload
			03 | SEND_LAST_WITH_IMMEDIATE  | request  send  last payload immediate
			04 | SEND_ONLY                 | request  send  only payload
			05 | SEND_ONLY_WITH_IMMEDIATE  | request  send  only payload immediate
			06 | WRITE_FIRST               | request  write first payload reth
			07 | WRITE_MIDDLE              | request  write middle payload
			08 | WRITE_LAST                | request  write last payload
			09 | WRITE_LAST_WITH_IMMEDIATE | request  write last payload immediate
			0a | WRITE_ONLY                | request  write only payload reth
			0b | WRITE_ONLY_WITH_IMMEDIATE | request  write only payload reth immediate
			0c | READ_REQUEST              | request  only reth
			0d | READ_RESPONSE_FIRST       | response read  first payload aeth
			0e | READ_RESPONSE_MIDDLE      | response read  middle payload
			0f | READ_RESPONSE_LAST        | response read  last payload aeth
			10 | READ_RESPONSE_ONLY        | response read  only payload aeth
			11 | ACKNOWLEDGE               | response only aeth
			12 | ATOMIC_ACKNOWLEDGE        | response only aeth
			13 | COMPARE_AND_SWAP          | request  only atomic
			14 | FETCH_AND_ADD             | request  only atomic
			16 | SEND_LAST_WITH_INVALIDATE | request  send last payload invalidate
			17 | SEND_ONLY_WITH_INVALIDATE | request  send only payload invalidate
			""")
	void codeShouldHaveItsProperties(String code, String name, String properties) {
		int opcode = Integer.parseInt(code, 16);
		assertThat(Opcode.isKnown(opcode)).isTrue();
		assertThat(Opcode.name(opcode)).isEqualTo(name);
		assertThat(properties(opcode)).containsExactlyInAnyOrder(properties.split(" +", -1));
	}

	private static String[] properties(int opcode) {
		StringBuilder text = new StringBuilder();
		append(text, "request", Opcode.isRequest(opcode));
		append(text, "response", Opcode.isResponse(opcode));
		append(text, "send", Opcode.isSend(opcode));
		append(text, "write", Opcode.isWrite(opcode));
		append(text, "read", Opcode.isReadResponse(opcode));
		append(text, "first", Opcode.isFirst(opcode));
		append(text, "middle", Opcode.isMiddle(opcode));
		append(text, "last", Opcode.isLast(opcode));
		append(text, "only", Opcode.isOnly(opcode));
		append(text, "payload", Opcode.hasPayload(opcode));
		append(text, "reth", Opcode.hasReth(opcode));
		append(text, "atomic", Opcode.hasAtomicEth(opcode));
		append(text, "aeth", Opcode.hasAeth(opcode));
		append(text, "immediate", Opcode.hasImmediate(opcode));
		append(text, "invalidate", Opcode.hasInvalidate(opcode));
		return text.toString().trim().split(" ", -1);
	}

	private static void append(StringBuilder text, String property, boolean value) {
		if (value) {
			text.append(property).append(' ');
		}
	}

	@Test
	void messageShouldStartAndEndWhereItsPacketsSay() {
		for (int opcode = 0; opcode <= 0xff; opcode++) {
			assertThat(Opcode.startsMessage(opcode)).isEqualTo(Opcode.isFirst(opcode) || Opcode.isOnly(opcode));
			assertThat(Opcode.endsMessage(opcode)).isEqualTo(Opcode.isLast(opcode) || Opcode.isOnly(opcode));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { Integer.MIN_VALUE, -1, 0x15, 0x18, 0x1c, 0x1d, 0x1f, 0x20, 0x24, 0x35, 0x40, 0x64, 0x81, 0xff,
			0x100, Integer.MAX_VALUE })
	void unknownCodeShouldBeNothing(int opcode) {
		assertThat(Opcode.isKnown(opcode)).isFalse();
		assertThat(Opcode.headerLength(opcode)).isZero();
		assertThat(Opcode.name(opcode)).isEqualTo("UNKNOWN");
		assertThat(properties(opcode)).containsExactly("");
		assertThat(Opcode.startsMessage(opcode) || Opcode.endsMessage(opcode)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "SEND_FIRST, 12", "SEND_LAST_WITH_IMMEDIATE, 16", "WRITE_FIRST, 28", "WRITE_LAST_WITH_IMMEDIATE, 16",
			"WRITE_ONLY_WITH_IMMEDIATE, 32", "READ_REQUEST, 28", "READ_RESPONSE_FIRST, 16", "READ_RESPONSE_MIDDLE, 12",
			"ACKNOWLEDGE, 16", "ATOMIC_ACKNOWLEDGE, 24", "COMPARE_AND_SWAP, 40", "FETCH_AND_ADD, 40",
			"SEND_ONLY_WITH_INVALIDATE, 16" })
	void headerLengthShouldCountAllHeaders(String name, int length) {
		assertThat(Opcode.headerLength(opcode(name))).isEqualTo(length);
	}

	@Test
	void noHeaderShouldBeLongerThanTheLimit() {
		for (int opcode = 0; opcode <= 0xff; opcode++) {
			assertThat(Opcode.headerLength(opcode)).isLessThanOrEqualTo(PacketCheck.MAX_HEADER_LENGTH);
		}
	}

	private static int opcode(String name) {
		int opcode = 0;
		while (!Opcode.name(opcode).equals(name)) {
			opcode++;
		}
		return opcode;
	}

}
