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

/**
 * The operation codes of the reliable connected transport that this device speaks: what a
 * packet is, and with that which extension headers it has. Any {@code int} may be asked
 * about; of an unknown code nothing is true.
 */
public final class Opcode {

	/** First packet of a SEND of several. */
	public static final int SEND_FIRST = 0x00;

	/** Neither the first nor the last packet of a SEND. */
	public static final int SEND_MIDDLE = 0x01;

	/** Last packet of a SEND of several. */
	public static final int SEND_LAST = 0x02;

	/** Last packet of a SEND of several, with immediate data. */
	public static final int SEND_LAST_WITH_IMMEDIATE = 0x03;

	/** The packet of a SEND of one. */
	public static final int SEND_ONLY = 0x04;

	/** The packet of a SEND of one, with immediate data. */
	public static final int SEND_ONLY_WITH_IMMEDIATE = 0x05;

	/** First packet of an RDMA WRITE of several; it alone says where to. */
	public static final int WRITE_FIRST = 0x06;

	/** Neither the first nor the last packet of an RDMA WRITE. */
	public static final int WRITE_MIDDLE = 0x07;

	/** Last packet of an RDMA WRITE of several. */
	public static final int WRITE_LAST = 0x08;

	/** Last packet of an RDMA WRITE of several, with immediate data. */
	public static final int WRITE_LAST_WITH_IMMEDIATE = 0x09;

	/** The packet of an RDMA WRITE of one. */
	public static final int WRITE_ONLY = 0x0a;

	/** The packet of an RDMA WRITE of one, with immediate data. */
	public static final int WRITE_ONLY_WITH_IMMEDIATE = 0x0b;

	/** Request of an RDMA READ. */
	public static final int READ_REQUEST = 0x0c;

	/** First packet of the response to an RDMA READ, of several. */
	public static final int READ_RESPONSE_FIRST = 0x0d;

	/** Neither the first nor the last packet of the response to an RDMA READ. */
	public static final int READ_RESPONSE_MIDDLE = 0x0e;

	/** Last packet of the response to an RDMA READ, of several. */
	public static final int READ_RESPONSE_LAST = 0x0f;

	/** The packet of the response to an RDMA READ, of one. */
	public static final int READ_RESPONSE_ONLY = 0x10;

	/** Acknowledgement, good or bad, of requests. */
	public static final int ACKNOWLEDGE = 0x11;

	/** Response to an atomic operation. */
	public static final int ATOMIC_ACKNOWLEDGE = 0x12;

	/** Request of a compare-and-swap. */
	public static final int COMPARE_AND_SWAP = 0x13;

	/** Request of a fetch-and-add. */
	public static final int FETCH_AND_ADD = 0x14;

	/** Last packet of a SEND of several, with a key to invalidate. */
	public static final int SEND_LAST_WITH_INVALIDATE = 0x16;

	/** The packet of a SEND of one, with a key to invalidate. */
	public static final int SEND_ONLY_WITH_INVALIDATE = 0x17;

	// Sets of codes: bit n stands for code n.

	private static final int FIRST = (1 << SEND_FIRST) | (1 << WRITE_FIRST) | (1 << READ_RESPONSE_FIRST);

	private static final int MIDDLE = (1 << SEND_MIDDLE) | (1 << WRITE_MIDDLE) | (1 << READ_RESPONSE_MIDDLE);

	private static final int LAST = (1 << SEND_LAST) | (1 << SEND_LAST_WITH_IMMEDIATE)
			| (1 << SEND_LAST_WITH_INVALIDATE) | (1 << WRITE_LAST) | (1 << WRITE_LAST_WITH_IMMEDIATE)
			| (1 << READ_RESPONSE_LAST);

	private static final int ATOMIC_REQUEST = (1 << COMPARE_AND_SWAP) | (1 << FETCH_AND_ADD);

	private static final int WITHOUT_PAYLOAD = (1 << READ_REQUEST) | (1 << ACKNOWLEDGE) | (1 << ATOMIC_ACKNOWLEDGE)
			| ATOMIC_REQUEST;

	private static final int ONLY = (1 << SEND_ONLY) | (1 << SEND_ONLY_WITH_IMMEDIATE)
			| (1 << SEND_ONLY_WITH_INVALIDATE) | (1 << WRITE_ONLY) | (1 << WRITE_ONLY_WITH_IMMEDIATE)
			| (1 << READ_RESPONSE_ONLY) | WITHOUT_PAYLOAD;

	private static final int KNOWN = FIRST | MIDDLE | LAST | ONLY;

	private static final int WITH_PAYLOAD = KNOWN & ~WITHOUT_PAYLOAD;

	private static final int SEND = (1 << SEND_FIRST) | (1 << SEND_MIDDLE) | (1 << SEND_LAST)
			| (1 << SEND_LAST_WITH_IMMEDIATE) | (1 << SEND_ONLY) | (1 << SEND_ONLY_WITH_IMMEDIATE)
			| (1 << SEND_LAST_WITH_INVALIDATE) | (1 << SEND_ONLY_WITH_INVALIDATE);

	private static final int WRITE = (1 << WRITE_FIRST) | (1 << WRITE_MIDDLE) | (1 << WRITE_LAST)
			| (1 << WRITE_LAST_WITH_IMMEDIATE) | (1 << WRITE_ONLY) | (1 << WRITE_ONLY_WITH_IMMEDIATE);

	private static final int READ_RESPONSE = (1 << READ_RESPONSE_FIRST) | (1 << READ_RESPONSE_MIDDLE)
			| (1 << READ_RESPONSE_LAST) | (1 << READ_RESPONSE_ONLY);

	private static final int RESPONSE = READ_RESPONSE | (1 << ACKNOWLEDGE) | (1 << ATOMIC_ACKNOWLEDGE);

	private static final int REQUEST = KNOWN & ~RESPONSE;

	private static final int WITH_RETH = (1 << WRITE_FIRST) | (1 << WRITE_ONLY) | (1 << WRITE_ONLY_WITH_IMMEDIATE)
			| (1 << READ_REQUEST);

	private static final int WITH_AETH = RESPONSE & ~(1 << READ_RESPONSE_MIDDLE);

	private static final int WITH_IMMEDIATE = (1 << SEND_LAST_WITH_IMMEDIATE) | (1 << SEND_ONLY_WITH_IMMEDIATE)
			| (1 << WRITE_LAST_WITH_IMMEDIATE) | (1 << WRITE_ONLY_WITH_IMMEDIATE);

	private static final int WITH_INVALIDATE = (1 << SEND_LAST_WITH_INVALIDATE) | (1 << SEND_ONLY_WITH_INVALIDATE);

	private static final String[] NAMES = { "SEND_FIRST", "SEND_MIDDLE", "SEND_LAST", "SEND_LAST_WITH_IMMEDIATE",
			"SEND_ONLY", "SEND_ONLY_WITH_IMMEDIATE", "WRITE_FIRST", "WRITE_MIDDLE", "WRITE_LAST",
			"WRITE_LAST_WITH_IMMEDIATE", "WRITE_ONLY", "WRITE_ONLY_WITH_IMMEDIATE", "READ_REQUEST",
			"READ_RESPONSE_FIRST", "READ_RESPONSE_MIDDLE", "READ_RESPONSE_LAST", "READ_RESPONSE_ONLY", "ACKNOWLEDGE",
			"ATOMIC_ACKNOWLEDGE", "COMPARE_AND_SWAP", "FETCH_AND_ADD", "", "SEND_LAST_WITH_INVALIDATE",
			"SEND_ONLY_WITH_INVALIDATE" };

	private static final int[] HEADER_LENGTHS = new int[Integer.SIZE];

	static {
		for (int opcode = 0; opcode < HEADER_LENGTHS.length; opcode++) {
			HEADER_LENGTHS[opcode] = isKnown(opcode) ? sumOfHeaders(opcode) : 0;
		}
	}

	private Opcode() {
	}

	private static int sumOfHeaders(int opcode) {
		int length = Bth.LENGTH;
		length += hasReth(opcode) ? Reth.LENGTH : 0;
		length += hasAtomicEth(opcode) ? AtomicEth.LENGTH : 0;
		length += hasAeth(opcode) ? Aeth.LENGTH : 0;
		length += (opcode == ATOMIC_ACKNOWLEDGE) ? AtomicAckEth.LENGTH : 0;
		length += hasImmediate(opcode) ? ImmediateData.LENGTH : 0;
		length += hasInvalidate(opcode) ? Ieth.LENGTH : 0;
		return length;
	}

	private static boolean contains(int set, int opcode) {
		return (opcode & -Integer.SIZE) == 0 && ((set >>> opcode) & 1) != 0;
	}

	/**
	 * Return whether this device speaks it.
	 * @param opcode the code
	 * @return whether it is one of the constants of this class
	 */
	public static boolean isKnown(int opcode) {
		return contains(KNOWN, opcode);
	}

	/**
	 * Return where the payload begins, counted from the base transport header: the length
	 * of that header and of all extension headers.
	 * @param opcode the code
	 * @return the length in bytes, a multiple of four; 0 if the code is unknown
	 */
	public static int headerLength(int opcode) {
		return isKnown(opcode) ? HEADER_LENGTHS[opcode] : 0;
	}

	/**
	 * Return whether the packet goes from a requester to a responder.
	 * @param opcode the code
	 * @return whether it is a packet of a request
	 */
	public static boolean isRequest(int opcode) {
		return contains(REQUEST, opcode);
	}

	/**
	 * Return whether the packet goes from a responder to a requester: acknowledgements
	 * and what READ and atomic operations return.
	 * @param opcode the code
	 * @return whether it is a packet of a response
	 */
	public static boolean isResponse(int opcode) {
		return contains(RESPONSE, opcode);
	}

	/**
	 * Return whether the packet belongs to a SEND.
	 * @param opcode the code
	 * @return whether it does
	 */
	public static boolean isSend(int opcode) {
		return contains(SEND, opcode);
	}

	/**
	 * Return whether the packet belongs to an RDMA WRITE.
	 * @param opcode the code
	 * @return whether it does
	 */
	public static boolean isWrite(int opcode) {
		return contains(WRITE, opcode);
	}

	/**
	 * Return whether the packet carries what an RDMA READ read.
	 * @param opcode the code
	 * @return whether it does
	 */
	public static boolean isReadResponse(int opcode) {
		return contains(READ_RESPONSE, opcode);
	}

	/**
	 * Return whether the packet requests an atomic operation.
	 * @param opcode the code
	 * @return whether it does
	 */
	public static boolean isAtomicRequest(int opcode) {
		return contains(ATOMIC_REQUEST, opcode);
	}

	/**
	 * Return whether the packet may carry payload.
	 * @param opcode the code
	 * @return whether it may
	 */
	public static boolean hasPayload(int opcode) {
		return contains(WITH_PAYLOAD, opcode);
	}

	/**
	 * Return whether the packet is the first of several. Its payload fills the path MTU.
	 * @param opcode the code
	 * @return whether it is
	 */
	public static boolean isFirst(int opcode) {
		return contains(FIRST, opcode);
	}

	/**
	 * Return whether the packet is neither the first nor the last of its message. Its
	 * payload fills the path MTU.
	 * @param opcode the code
	 * @return whether it is
	 */
	public static boolean isMiddle(int opcode) {
		return contains(MIDDLE, opcode);
	}

	/**
	 * Return whether the packet is the last of several. Its payload is not empty.
	 * @param opcode the code
	 * @return whether it is
	 */
	public static boolean isLast(int opcode) {
		return contains(LAST, opcode);
	}

	/**
	 * Return whether the packet is a whole message. Those that never carry payload always
	 * are.
	 * @param opcode the code
	 * @return whether it is
	 */
	public static boolean isOnly(int opcode) {
		return contains(ONLY, opcode);
	}

	/**
	 * Return whether a message begins with the packet.
	 * @param opcode the code
	 * @return whether it is the first or the only one
	 */
	public static boolean startsMessage(int opcode) {
		return contains(FIRST | ONLY, opcode);
	}

	/**
	 * Return whether a message ends with the packet.
	 * @param opcode the code
	 * @return whether it is the last or the only one
	 */
	public static boolean endsMessage(int opcode) {
		return contains(LAST | ONLY, opcode);
	}

	/**
	 * Return whether the packet has an RDMA extended transport header.
	 * @param opcode the code
	 * @return whether it has
	 * @see Reth
	 */
	public static boolean hasReth(int opcode) {
		return contains(WITH_RETH, opcode);
	}

	/**
	 * Return whether the packet has an atomic extended transport header.
	 * @param opcode the code
	 * @return whether it has
	 * @see AtomicEth
	 */
	public static boolean hasAtomicEth(int opcode) {
		return isAtomicRequest(opcode);
	}

	/**
	 * Return whether the packet has an acknowledge extended transport header.
	 * @param opcode the code
	 * @return whether it has
	 * @see Aeth
	 */
	public static boolean hasAeth(int opcode) {
		return contains(WITH_AETH, opcode);
	}

	/**
	 * Return whether the packet has immediate data.
	 * @param opcode the code
	 * @return whether it has
	 * @see ImmediateData
	 */
	public static boolean hasImmediate(int opcode) {
		return contains(WITH_IMMEDIATE, opcode);
	}

	/**
	 * Return whether the packet has a key to invalidate.
	 * @param opcode the code
	 * @return whether it has
	 * @see Ieth
	 */
	public static boolean hasInvalidate(int opcode) {
		return contains(WITH_INVALIDATE, opcode);
	}

	/**
	 * Return the name of a code, for people.
	 * @param opcode the code
	 * @return the name; {@code UNKNOWN} if the code is
	 */
	public static String name(int opcode) {
		return isKnown(opcode) ? NAMES[opcode] : "UNKNOWN";
	}

}
