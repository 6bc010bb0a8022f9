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

/**
 * The base transport header, with which every packet begins.
 */
public final class Bth {

	/** The length in bytes. */
	public static final int LENGTH = 12;

	/** The partition key of a full member of the default partition, the only one here. */
	public static final int DEFAULT_PKEY = 0xffff;

	/** The highest number of a queue pair, and the bits that such a number has. */
	public static final int MAX_QP_NUMBER = 0xff_ffff;

	/** The index of the byte that routers may change on the way. */
	static final int VARIANT_BYTE = 4;

	private static final int FLAGS = 1;

	private static final int PKEY = 2;

	private static final int DESTINATION = 4;

	private static final int SEQUENCE = 8;

	private static final int LOW_24_BITS = 0xff_ffff;

	private static final int SOLICITED = 0x80;

	/**
	 * The path is the one that the connection was made with. Network cards set it, and
	 * some take it for an offer to change the path if it is missing; Linux ignores it.
	 */
	private static final int MIGRATED = 0x40;

	private static final int PAD_SHIFT = 4;

	private static final int PAD_MASK = 0x3;

	private static final int VERSION_MASK = 0xf;

	private static final int ACK_REQUEST = 0x80;

	private Bth() {
	}

	/**
	 * Write a whole header: version 0, of the default partition, with the migrated bit
	 * set.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @param opcode the operation code
	 * @param solicited whether the receiver asks for an event
	 * @param pad how many bytes of pad follow the payload, 0 to 3
	 * @param destinationQp the number of the queue pair that it goes to, 24 bits
	 * @param ackRequested whether the receiver shall acknowledge at once
	 * @param psn the packet sequence number, 24 bits
	 */
	public static void write(ByteBuffer packet, int at, int opcode, boolean solicited, int pad, int destinationQp,
			boolean ackRequested, int psn) {
		int flags = (solicited ? SOLICITED : 0) | MIGRATED | ((pad & PAD_MASK) << PAD_SHIFT);
		packet.putInt(at, (opcode << 24) | (flags << 16) | DEFAULT_PKEY);
		packet.putInt(at + DESTINATION, destinationQp & LOW_24_BITS);
		packet.putInt(at + SEQUENCE, (ackRequested ? ACK_REQUEST << 24 : 0) | (psn & LOW_24_BITS));
	}

	/**
	 * Return the operation code.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @return the code, 0 to 255
	 * @see Opcode
	 */
	public static int opcode(ByteBuffer packet, int at) {
		return packet.get(at) & 0xff;
	}

	/**
	 * Set the operation code.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @param opcode the code
	 */
	public static void opcode(ByteBuffer packet, int at, int opcode) {
		packet.put(at, (byte) opcode);
	}

	/**
	 * Return whether the receiver is asked for an event.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @return whether it is solicited
	 */
	public static boolean isSolicited(ByteBuffer packet, int at) {
		return (packet.get(at + FLAGS) & SOLICITED) != 0;
	}

	/**
	 * Set whether the receiver is asked for an event.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @param solicited whether it is
	 */
	public static void solicited(ByteBuffer packet, int at, boolean solicited) {
		setFlag(packet, at + FLAGS, SOLICITED, solicited);
	}

	/**
	 * Return whether the path is the one that the connection was made with.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @return the migrated bit
	 */
	public static boolean isMigrated(ByteBuffer packet, int at) {
		return (packet.get(at + FLAGS) & MIGRATED) != 0;
	}

	/**
	 * Set whether the path is the one that the connection was made with.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @param migrated the migrated bit
	 */
	public static void migrated(ByteBuffer packet, int at, boolean migrated) {
		setFlag(packet, at + FLAGS, MIGRATED, migrated);
	}

	/**
	 * Return how many bytes of pad follow the payload.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @return 0 to 3
	 */
	public static int pad(ByteBuffer packet, int at) {
		return (packet.get(at + FLAGS) >>> PAD_SHIFT) & PAD_MASK;
	}

	/**
	 * Set how many bytes of pad follow the payload.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @param pad 0 to 3
	 */
	public static void pad(ByteBuffer packet, int at, int pad) {
		int others = packet.get(at + FLAGS) & ~(PAD_MASK << PAD_SHIFT);
		packet.put(at + FLAGS, (byte) (others | ((pad & PAD_MASK) << PAD_SHIFT)));
	}

	/**
	 * Return the version of the header.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @return 0 to 15; 0 is the only version there is
	 */
	public static int transportVersion(ByteBuffer packet, int at) {
		return packet.get(at + FLAGS) & VERSION_MASK;
	}

	/**
	 * Set the version of the header.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @param version 0 to 15
	 */
	public static void transportVersion(ByteBuffer packet, int at, int version) {
		int others = packet.get(at + FLAGS) & ~VERSION_MASK;
		packet.put(at + FLAGS, (byte) (others | (version & VERSION_MASK)));
	}

	/**
	 * Return the partition key.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @return 16 bits; the highest marks a full member
	 */
	public static int pkey(ByteBuffer packet, int at) {
		return packet.getShort(at + PKEY) & 0xffff;
	}

	/**
	 * Set the partition key.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @param pkey 16 bits
	 */
	public static void pkey(ByteBuffer packet, int at, int pkey) {
		packet.putShort(at + PKEY, (short) pkey);
	}

	/**
	 * Return the number of the queue pair that the packet goes to.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @return 24 bits
	 */
	public static int destinationQp(ByteBuffer packet, int at) {
		return packet.getInt(at + DESTINATION) & LOW_24_BITS;
	}

	/**
	 * Set the number of the queue pair that the packet goes to.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @param number 24 bits
	 */
	public static void destinationQp(ByteBuffer packet, int at, int number) {
		setLow24Bits(packet, at + DESTINATION, number);
	}

	/**
	 * Return whether the sender asks for an acknowledgement.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @return whether it does
	 */
	public static boolean isAckRequested(ByteBuffer packet, int at) {
		return (packet.get(at + SEQUENCE) & ACK_REQUEST) != 0;
	}

	/**
	 * Set whether the sender asks for an acknowledgement.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @param requested whether it does
	 */
	public static void ackRequested(ByteBuffer packet, int at, boolean requested) {
		setFlag(packet, at + SEQUENCE, ACK_REQUEST, requested);
	}

	/**
	 * Return the packet sequence number.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @return 24 bits
	 * @see Psn
	 */
	public static int psn(ByteBuffer packet, int at) {
		return packet.getInt(at + SEQUENCE) & LOW_24_BITS;
	}

	/**
	 * Set the packet sequence number.
	 * @param packet the buffer
	 * @param at the index of the header
	 * @param psn 24 bits
	 */
	public static void psn(ByteBuffer packet, int at, int psn) {
		setLow24Bits(packet, at + SEQUENCE, psn);
	}

	private static void setFlag(ByteBuffer packet, int index, int flag, boolean value) {
		int others = packet.get(index) & ~flag;
		packet.put(index, (byte) (value ? others | flag : others));
	}

	private static void setLow24Bits(ByteBuffer packet, int index, int value) {
		packet.putInt(index, (packet.getInt(index) & ~LOW_24_BITS) | (value & LOW_24_BITS));
	}

}
