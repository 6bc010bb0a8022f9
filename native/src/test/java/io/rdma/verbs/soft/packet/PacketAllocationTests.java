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

import io.rdma.verbs.testing.AllocationMeter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Packets are made and read without allocating anything.
 */
class PacketAllocationTests {

	private static final int PACKETS = 1_000_000;

	private static final int SLOT = PacketCheck.MAX_LENGTH;

	private final ByteBuffer sent = ByteBuffer.allocateDirect(2 * SLOT);

	private final ByteBuffer received = ByteBuffer.allocateDirect(2 * SLOT);

	private final Icrc icrc = new Icrc();

	private final Flow flow = new Flow();

	private int psn;

	private int intact;

	private int dropped;

	@ParameterizedTest
	@ValueSource(longs = { 0, 0xfd77_0000_0000_0000L })
	void packetShouldBeMadeAndReadWithoutAllocation(long prefix) {
		this.flow.source(prefix, 0xffff_0a4d_0001L, 4791).destination(prefix, 0xffff_0a4d_0002L, 4791);
		assertThat(bytesAllocatedBy(() -> {
			int length = write(SLOT, this.psn & 0xff);
			this.received.put(0, this.sent, SLOT, length);
			read(0, length);
			this.psn = Psn.next(this.psn);
		})).isZero();
		assertThat(this.intact).isGreaterThan(PACKETS);
		assertThat(this.dropped).isZero();
	}

	private int write(int at, int payload) {
		int opcode = Opcode.WRITE_ONLY_WITH_IMMEDIATE;
		int pad = Padding.of(payload);
		Bth.write(this.sent, at, opcode, false, pad, 0x11, true, this.psn);
		Reth.write(this.sent, at, 0x1000, 0x99, payload);
		ImmediateData.write(this.sent, at, opcode, this.psn);
		int end = Opcode.headerLength(opcode) + payload;
		Padding.write(this.sent, at + end, pad);
		this.icrc.seal(this.sent, at, end + pad, this.flow, this.psn);
		return end + pad + PacketCheck.ICRC_LENGTH;
	}

	private void read(int at, int length) {
		boolean good = PacketCheck.check(this.received, at, length) == null && Bth.psn(this.received, at) == this.psn
				&& this.icrc.check(this.received, at, length, this.flow) != Icrc.CORRUPT
				&& Reth.length(this.received, at) == PacketCheck.payloadLength(this.received, at, length);
		this.intact += good ? 1 : 0;
		this.dropped += good ? 0 : 1;
	}

	@Test
	void damagedPacketShouldBeDroppedWithoutAllocation() {
		this.flow.source(0, 0xffff_0a4d_0001L, 4791).destination(0, 0xffff_0a4d_0002L, 4791);
		int length = write(0, PacketCheck.MAX_PAYLOAD / 16);
		this.received.put(0, this.sent, 0, length);
		this.received.put(Bth.LENGTH, (byte) 1);
		assertThat(bytesAllocatedBy(() -> read(0, length))).isZero();
		assertThat(this.dropped).isGreaterThan(PACKETS);
		assertThat(this.intact).isZero();
	}

	private static long bytesAllocatedBy(Runnable operation) {
		return new AllocationMeter().bytesAllocatedBy(operation, PACKETS);
	}

}
