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

/**
 * Well-formed packets of every operation with random content, the same ones again from
 * the same seed. Most would be accepted by the queue pair that they are for, if they came
 * in their turn; some break a rule that only a queue pair can check: a payload of a wrong
 * size for its place in the message, a wrong key, memory outside of what is allowed.
 * Allocates nothing. Not thread-safe.
 */
public final class RandomPackets {

	private static final int[] OPCODES = { Opcode.SEND_FIRST, Opcode.SEND_MIDDLE, Opcode.SEND_LAST,
			Opcode.SEND_LAST_WITH_IMMEDIATE, Opcode.SEND_ONLY, Opcode.SEND_ONLY_WITH_IMMEDIATE, Opcode.WRITE_FIRST,
			Opcode.WRITE_MIDDLE, Opcode.WRITE_LAST, Opcode.WRITE_LAST_WITH_IMMEDIATE, Opcode.WRITE_ONLY,
			Opcode.WRITE_ONLY_WITH_IMMEDIATE, Opcode.READ_REQUEST, Opcode.READ_RESPONSE_FIRST,
			Opcode.READ_RESPONSE_MIDDLE, Opcode.READ_RESPONSE_LAST, Opcode.READ_RESPONSE_ONLY, Opcode.ACKNOWLEDGE,
			Opcode.ATOMIC_ACKNOWLEDGE, Opcode.COMPARE_AND_SWAP, Opcode.FETCH_AND_ADD, Opcode.SEND_LAST_WITH_INVALIDATE,
			Opcode.SEND_ONLY_WITH_INVALIDATE };

	private static final int[] SYNDROMES = { Syndrome.ACK, Syndrome.ACK, 0x00, Syndrome.rnr(0), Syndrome.rnr(1),
			Syndrome.NAK_PSN_SEQUENCE, Syndrome.NAK_INVALID_REQUEST, Syndrome.NAK_REMOTE_ACCESS,
			Syndrome.NAK_REMOTE_OPERATION, 0x64, 0x40, 0x80 };

	/** One packet in so many breaks a rule, for each rule. */
	private static final int RARELY = 32;

	private final SplittableRandom random;

	private final Icrc icrc = new Icrc();

	/**
	 * Create a source of packets.
	 * @param seed decides which packets come
	 */
	public RandomPackets(long seed) {
		this.random = new SplittableRandom(seed);
	}

	/**
	 * Write a packet of a random operation.
	 * @param packet the buffer
	 * @param at the index of the base transport header, with room for
	 * {@link PacketCheck#MAX_LENGTH} bytes
	 * @param target the queue pair that it is for
	 * @param psn the packet sequence number
	 * @return the length of the packet in bytes
	 */
	public int write(ByteBuffer packet, int at, PacketTarget target, int psn) {
		return write(packet, at, target, psn, OPCODES[this.random.nextInt(OPCODES.length)]);
	}

	/**
	 * Write a packet of an operation.
	 * @param packet the buffer
	 * @param at the index of the base transport header, with room for
	 * {@link PacketCheck#MAX_LENGTH} bytes
	 * @param target the queue pair that it is for
	 * @param psn the packet sequence number
	 * @param opcode the operation code
	 * @return the length of the packet in bytes
	 */
	public int write(ByteBuffer packet, int at, PacketTarget target, int psn, int opcode) {
		int payload = Opcode.hasPayload(opcode) ? payloadLength(opcode, target.mtu()) : 0;
		int pad = Padding.of(payload);
		Bth.write(packet, at, opcode, this.random.nextBoolean(), pad, target.queuePair(), this.random.nextBoolean(),
				psn);
		writeExtensions(packet, at, target, opcode, payload);
		int header = Opcode.headerLength(opcode);
		writePayload(packet, at + header, payload);
		Padding.write(packet, at + header + payload, pad);
		int end = header + payload + pad;
		this.icrc.seal(packet, at, end, target.flow(), this.random.nextInt(0x1_0000));
		return end + PacketCheck.ICRC_LENGTH;
	}

	private int payloadLength(int opcode, int mtu) {
		if (rarely()) {
			return this.random.nextInt(PacketCheck.MAX_PAYLOAD + 1);
		}
		if (Opcode.isFirst(opcode) || Opcode.isMiddle(opcode)) {
			return mtu;
		}
		return Opcode.isLast(opcode) ? 1 + this.random.nextInt(mtu) : this.random.nextInt(mtu + 1);
	}

	private void writeExtensions(ByteBuffer packet, int at, PacketTarget target, int opcode, int payload) {
		int key = rarely() ? this.random.nextInt() : target.key();
		if (Opcode.hasReth(opcode)) {
			int length = messageLength(target, opcode, payload);
			Reth.write(packet, at, address(target, length), key, length);
		}
		if (Opcode.hasAtomicEth(opcode)) {
			long address = address(target, Long.BYTES);
			AtomicEth.write(packet, at, rarely() ? address : address & -Long.BYTES, key, this.random.nextLong(),
					this.random.nextLong());
		}
		if (Opcode.hasAeth(opcode)) {
			Aeth.write(packet, at, SYNDROMES[this.random.nextInt(SYNDROMES.length)], this.random.nextInt());
		}
		if (opcode == Opcode.ATOMIC_ACKNOWLEDGE) {
			AtomicAckEth.write(packet, at, this.random.nextLong());
		}
		if (Opcode.hasImmediate(opcode)) {
			ImmediateData.write(packet, at, opcode, this.random.nextInt());
		}
		if (Opcode.hasInvalidate(opcode)) {
			Ieth.write(packet, at, key);
		}
	}

	private int messageLength(PacketTarget target, int opcode, int payload) {
		if (rarely()) {
			return this.random.nextInt();
		}
		if (opcode == Opcode.READ_REQUEST || Opcode.isFirst(opcode)) {
			return this.random.nextInt(target.length() + 1);
		}
		return payload;
	}

	private long address(PacketTarget target, int length) {
		if (rarely()) {
			return this.random.nextBoolean() ? this.random.nextLong() : target.address() + target.length() - length + 1;
		}
		return target.address() + this.random.nextInt(Math.max(target.length() - Math.max(length, 0), 0) + 1);
	}

	private void writePayload(ByteBuffer packet, int at, int length) {
		int i = 0;
		for (; i + Long.BYTES <= length; i += Long.BYTES) {
			packet.putLong(at + i, this.random.nextLong());
		}
		for (; i < length; i++) {
			packet.put(at + i, (byte) this.random.nextInt());
		}
	}

	private boolean rarely() {
		return this.random.nextInt(RARELY) == 0;
	}

}
