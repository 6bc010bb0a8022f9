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
 * Changes packets at random into such as a broken or hostile sender may send, in the same
 * way again from the same seed: flipped bits, truncation, more bytes than belong there,
 * exchanged fields, other operations, sequence numbers near and far, wrong lengths. Some
 * get a right CRC in the end, so that they come further than the check of it. Allocates
 * nothing. Not thread-safe.
 */
public final class PacketMutator {

	private static final int MAX_CHANGES = 3;

	private static final int MAX_STRETCH = 64;

	private static final int NEAR = 4;

	/** Values at which something may overflow, or change its sign or meaning. */
	private static final int[] EDGES = { 0, 1, 2, 3, 4, 7, 8, 255, 256, 257, 4095, 4096, 4097, 0x7fff_ffff, 0x8000_0000,
			0x8000_0001, -1, -2, -8, -4096 };

	private static final Change[] CHANGES = Change.values();

	private final SplittableRandom random;

	private final Icrc icrc = new Icrc();

	private final Change[] last = new Change[MAX_CHANGES];

	private int lastCount;

	private boolean lastSealed;

	/**
	 * Create a mutator.
	 * @param seed decides how packets are changed
	 */
	public PacketMutator(long seed) {
		this.random = new SplittableRandom(seed);
	}

	/**
	 * Change a packet in one to three ways, and seal it again in three of four cases.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param length the length of the packet in bytes, not negative
	 * @param room how many bytes from {@code at} on may be used, at least {@code length}
	 * and {@link PacketCheck#MIN_LENGTH}
	 * @param flow where the packet comes from and goes to
	 * @return the new length in bytes, 0 to {@code room}
	 */
	public int mutate(ByteBuffer packet, int at, int length, int room, Flow flow) {
		int current = length;
		this.lastCount = 1 + this.random.nextInt(MAX_CHANGES);
		for (int i = 0; i < this.lastCount; i++) {
			Change change = CHANGES[this.random.nextInt(CHANGES.length)];
			this.last[i] = change;
			current = apply(change, packet, at, current, room);
		}
		this.lastSealed = current >= PacketCheck.MIN_LENGTH && this.random.nextInt(4) != 0;
		if (this.lastSealed) {
			this.icrc.seal(packet, at, current - PacketCheck.ICRC_LENGTH, flow, this.random.nextInt(0x1_0000));
		}
		return current;
	}

	/**
	 * Describe how the last packet was changed.
	 * @return the text
	 */
	public String describeLast() {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < this.lastCount; i++) {
			text.append(this.last[i]).append(' ');
		}
		return text.append(this.lastSealed ? "sealed" : "not sealed").toString();
	}

	private int apply(Change change, ByteBuffer packet, int at, int length, int room) {
		switch (change) {
			case TRUNCATE -> {
				return this.random.nextInt(length + 1);
			}
			case SHORTEN -> {
				return Math.max(length - 1 - this.random.nextInt(8), 0);
			}
			case EXTEND -> {
				return extend(packet, at, length, room);
			}
			default -> {
				if (length < PacketCheck.MIN_LENGTH) {
					return extend(packet, at, length, room);
				}
				changeContent(change, packet, at, length);
				return length;
			}
		}
	}

	private int extend(ByteBuffer packet, int at, int length, int room) {
		int end = Math.min(length + 1 + this.random.nextInt(MAX_STRETCH), room);
		for (int i = length; i < end; i++) {
			packet.put(at + i, (byte) this.random.nextInt());
		}
		return end;
	}

	private void changeContent(Change change, ByteBuffer packet, int at, int length) {
		int place = at + this.random.nextInt(length);
		switch (change) {
			case BIT -> packet.put(place, (byte) (packet.get(place) ^ (1 << this.random.nextInt(Byte.SIZE))));
			case BYTE -> packet.put(place, (byte) this.random.nextInt());
			case HEADER_BIT -> flipHeaderBit(packet, at, length);
			case WORD -> packet.putInt(word(at, length), edge());
			case SWAP -> swap(packet, word(at, length), word(at, length));
			case OPCODE -> Bth.opcode(packet, at, this.random.nextInt(Opcode.SEND_ONLY_WITH_INVALIDATE + 1));
			case ANY_OPCODE -> Bth.opcode(packet, at, this.random.nextInt());
			case PSN_NEAR ->
				Bth.psn(packet, at, Psn.add(Bth.psn(packet, at), this.random.nextInt(2 * NEAR + 1) - NEAR));
			case PSN_FAR -> Bth.psn(packet, at, this.random.nextInt());
			case PAD -> Bth.pad(packet, at, this.random.nextInt());
			case FLAGS -> {
				Bth.solicited(packet, at, this.random.nextBoolean());
				Bth.migrated(packet, at, this.random.nextBoolean());
				Bth.ackRequested(packet, at, this.random.nextBoolean());
			}
			case VERSION -> Bth.transportVersion(packet, at, this.random.nextInt());
			case PKEY -> Bth.pkey(packet, at, this.random.nextInt());
			case QUEUE_PAIR -> Bth.destinationQp(packet, at, edge());
			case MEMORY -> changeMemory(packet, at, length);
			case SYNDROME -> packet.put(at + Bth.LENGTH, (byte) this.random.nextInt());
			default -> throw new IllegalStateException(change + " changes the length");
		}
	}

	private void flipHeaderBit(ByteBuffer packet, int at, int length) {
		int index = at + this.random.nextInt(Math.min(length, PacketCheck.MAX_HEADER_LENGTH));
		packet.put(index, (byte) (packet.get(index) ^ (1 << this.random.nextInt(Byte.SIZE))));
	}

	/**
	 * Change one field of the {@link Reth}, or what stands at its place.
	 */
	private void changeMemory(ByteBuffer packet, int at, int length) {
		if (length < Bth.LENGTH + Reth.LENGTH) {
			return;
		}
		int messageLength = (int) Reth.length(packet, at);
		switch (this.random.nextInt(4)) {
			case 0 -> Reth.write(packet, at, Reth.address(packet, at) + edge(), Reth.key(packet, at), messageLength);
			case 1 -> Reth.write(packet, at, Reth.address(packet, at), edge(), messageLength);
			case 2 -> Reth.write(packet, at, Reth.address(packet, at), Reth.key(packet, at), edge());
			default -> Reth.write(packet, at, Reth.address(packet, at), Reth.key(packet, at), messageLength + edge());
		}
	}

	private int word(int at, int length) {
		int words = Math.min(length, PacketCheck.MAX_HEADER_LENGTH) / Integer.BYTES;
		return at + this.random.nextInt(words) * Integer.BYTES;
	}

	private static void swap(ByteBuffer packet, int first, int second) {
		int kept = packet.getInt(first);
		packet.putInt(first, packet.getInt(second));
		packet.putInt(second, kept);
	}

	private int edge() {
		int choice = this.random.nextInt(EDGES.length + 1);
		return (choice < EDGES.length) ? EDGES[choice] : this.random.nextInt();
	}

	private enum Change {

		BIT, BYTE, HEADER_BIT, WORD, SWAP, TRUNCATE, SHORTEN, EXTEND, OPCODE, ANY_OPCODE, PSN_NEAR, PSN_FAR, PAD, FLAGS,
		VERSION, PKEY, QUEUE_PAIR, MEMORY, SYNDROME

	}

}
