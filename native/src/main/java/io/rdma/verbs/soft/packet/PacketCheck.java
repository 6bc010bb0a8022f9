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

import org.jspecify.annotations.Nullable;

/**
 * Whether bytes from the network are a packet at all: the checks that need nothing but
 * the bytes. They come before all others, and what fails is dropped without an answer.
 * The checksum is not looked at, since it costs most and is of use only for packets to a
 * queue pair that exists.
 */
public final class PacketCheck {

	/** The length of the invariant CRC in bytes. */
	public static final int ICRC_LENGTH = 4;

	/** The length of the shortest packet in bytes. */
	public static final int MIN_LENGTH = Bth.LENGTH + ICRC_LENGTH;

	/** The longest payload in bytes, that of the largest path MTU. */
	public static final int MAX_PAYLOAD = 4096;

	/** The length of the longest headers in bytes, those of a request for an atomic. */
	public static final int MAX_HEADER_LENGTH = Bth.LENGTH + AtomicEth.LENGTH;

	/** No packet is longer, in bytes. */
	public static final int MAX_LENGTH = MAX_HEADER_LENGTH + MAX_PAYLOAD + ICRC_LENGTH;

	/** All bits of a partition key but the one that tells full members from limited. */
	private static final int PARTITION = 0x7fff;

	private PacketCheck() {
	}

	/**
	 * Check the form of a packet. After that, every header that its operation code
	 * promises lies inside of it, and {@link #payloadLength} is from 0 to
	 * {@link #MAX_PAYLOAD}. Whether the payload fits the path MTU and the place in the
	 * message is not checked here, since that is answered and not dropped.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param length the length in bytes; any number
	 * @return why it is no packet, {@code null} if it is one
	 */
	public static @Nullable DropReason check(ByteBuffer packet, int at, int length) {
		if (length < MIN_LENGTH) {
			return DropReason.TOO_SHORT;
		}
		int opcode = Bth.opcode(packet, at);
		if (!Opcode.isKnown(opcode)) {
			return DropReason.OPCODE;
		}
		if (!isLengthRight(packet, at, length, opcode)) {
			return DropReason.LENGTH;
		}
		if (Bth.transportVersion(packet, at) != 0) {
			return DropReason.VERSION;
		}
		if (Bth.destinationQp(packet, at) == 0) {
			return DropReason.QP_NUMBER;
		}
		// A limited member may speak with a full one, which this device is.
		return ((Bth.pkey(packet, at) & PARTITION) != PARTITION) ? DropReason.PKEY : null;
	}

	private static boolean isLengthRight(ByteBuffer packet, int at, int length, int opcode) {
		int payload = payloadLength(packet, at, length);
		return (length & 3) == 0 && payload >= 0 && payload <= (Opcode.hasPayload(opcode) ? MAX_PAYLOAD : 0);
	}

	/**
	 * Return the length of the payload of a packet.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param length the length of the packet in bytes
	 * @return the length in bytes without pad; negative if the packet is shorter than its
	 * headers
	 */
	public static int payloadLength(ByteBuffer packet, int at, int length) {
		return length - Opcode.headerLength(Bth.opcode(packet, at)) - Bth.pad(packet, at) - ICRC_LENGTH;
	}

}
