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
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random packets are what they promise, and whatever is done to them, reading them is
 * safe.
 */
class PacketMutatorTests {

	private static final int AT = 16;

	private static final int ROOM = PacketCheck.MAX_LENGTH;

	private static final int PACKETS = 200_000;

	private final ByteBuffer packet = ByteBuffer.allocateDirect(AT + ROOM + AT);

	private final Icrc icrc = new Icrc();

	private final PacketTarget target = new PacketTarget(
			new Flow().source(0, 0xffff_7f00_0002L, 49_152).destination(0, 0xffff_7f00_0003L, 4791), 0x1234, 1024,
			0x7000_0000, 0x99, 8192);

	@ParameterizedTest
	@ValueSource(ints = { 256, 1024, 4096 })
	void randomPacketShouldBeWellFormed(int mtu) {
		PacketTarget other = new PacketTarget(this.target.flow(), 0x11, mtu, 0, 1, 8192);
		RandomPackets packets = new RandomPackets(mtu);
		Set<Integer> opcodes = new HashSet<>();
		int fitting = 0;
		for (int i = 0; i < 10_000; i++) {
			int length = packets.write(this.packet, AT, other, i);
			assertThat(PacketCheck.check(this.packet, AT, length)).isNull();
			assertThat(this.icrc.check(this.packet, AT, length, other.flow())).isNotEqualTo(Icrc.CORRUPT);
			assertThat(Bth.psn(this.packet, AT)).isEqualTo(i);
			assertThat(Bth.destinationQp(this.packet, AT)).isEqualTo(0x11);
			opcodes.add(Bth.opcode(this.packet, AT));
			fitting += (PacketCheck.payloadLength(this.packet, AT, length) <= mtu) ? 1 : 0;
		}
		assertThat(opcodes).hasSize(23).allMatch(Opcode::isKnown);
		assertThat(fitting).isGreaterThan(9_500);
	}

	@Test
	void mutatedPacketShouldStayInItsRoomAndBeReadSafely() {
		RandomPackets packets = new RandomPackets(1);
		PacketMutator mutator = new PacketMutator(2);
		Map<DropReason, Integer> dropped = new EnumMap<>(DropReason.class);
		int passed = 0;
		for (int i = 0; i < PACKETS; i++) {
			int length = packets.write(this.packet, AT, this.target, i);
			int room = Math.max(length, ROOM - (i & 0xff));
			this.packet.putLong(AT - Long.BYTES, ~0L).putLong(AT + room, ~0L);
			int mutated = mutator.mutate(this.packet, AT, length, room, this.target.flow());
			assertThat(mutated).isBetween(0, room);
			assertThat(this.packet.getLong(AT - Long.BYTES)).isEqualTo(~0L);
			assertThat(this.packet.getLong(AT + room)).isEqualTo(~0L);
			assertThat(PacketText.describe(this.packet, AT, mutated)).isNotEmpty();
			DropReason reason = PacketCheck.check(this.packet, AT, mutated);
			if (reason == null && this.icrc.check(this.packet, AT, mutated, this.target.flow()) == Icrc.CORRUPT) {
				reason = DropReason.ICRC;
			}
			if (reason == null) {
				passed++;
			}
			else {
				dropped.merge(reason, 1, Integer::sum);
			}
		}
		assertThat(passed).isBetween(PACKETS / 5, PACKETS * 4 / 5);
		assertThat(dropped.keySet())
			.containsExactlyInAnyOrderElementsOf(EnumSet.of(DropReason.TOO_SHORT, DropReason.OPCODE, DropReason.LENGTH,
					DropReason.VERSION, DropReason.QP_NUMBER, DropReason.PKEY, DropReason.ICRC));
		assertThat(dropped.values()).allMatch((count) -> count > PACKETS / 1000);
	}

	@Test
	void mutatorShouldDoTheSameFromTheSameSeed() {
		ByteBuffer first = mutate(5);
		assertThat(mutate(5)).isEqualTo(first);
		assertThat(mutate(6)).isNotEqualTo(first);
	}

	private ByteBuffer mutate(long seed) {
		ByteBuffer buffer = ByteBuffer.allocate(ROOM + Integer.BYTES);
		RandomPackets packets = new RandomPackets(seed);
		PacketMutator mutator = new PacketMutator(seed);
		for (int i = 0; i < 100; i++) {
			int length = packets.write(buffer, 0, this.target, i);
			buffer.putInt(ROOM, mutator.mutate(buffer, 0, length, ROOM, this.target.flow()));
		}
		return buffer;
	}

	@Test
	void emptyPacketShouldBeMutatedToo() {
		PacketMutator mutator = new PacketMutator(3);
		int length = 0;
		for (int i = 0; i < 10_000; i++) {
			length = mutator.mutate(this.packet, AT, length, PacketCheck.MIN_LENGTH, this.target.flow());
			assertThat(length).isBetween(0, PacketCheck.MIN_LENGTH);
		}
	}

	@Test
	void mutatorShouldTellWhatItDid() {
		PacketMutator mutator = new PacketMutator(4);
		int length = new RandomPackets(4).write(this.packet, AT, this.target, 0);
		mutator.mutate(this.packet, AT, length, ROOM, this.target.flow());
		assertThat(mutator.describeLast()).matches("([A-Z_]+ ){1,3}(not )?sealed");
	}

}
