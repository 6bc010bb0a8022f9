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
 * The acknowledge extended transport header: how a request fared, and how many the
 * responder has completed. It follows the base transport header of the packets of which
 * {@link Opcode#hasAeth} says so.
 */
public final class Aeth {

	/** The length in bytes. */
	public static final int LENGTH = 4;

	private static final int SYNDROME_SHIFT = 24;

	private Aeth() {
	}

	/**
	 * Write the header.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param syndrome how it fared
	 * @param msn the message sequence number: how many messages the responder has
	 * completed, 24 bits
	 * @see Syndrome
	 */
	public static void write(ByteBuffer packet, int at, int syndrome, int msn) {
		packet.putInt(at + Bth.LENGTH, (syndrome << SYNDROME_SHIFT) | (msn & Psn.MASK));
	}

	/**
	 * Return how the request fared.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @return the syndrome, 0 to 255
	 * @see Syndrome
	 */
	public static int syndrome(ByteBuffer packet, int at) {
		return packet.get(at + Bth.LENGTH) & 0xff;
	}

	/**
	 * Return how many messages the responder has completed.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @return the message sequence number, 24 bits
	 */
	public static int msn(ByteBuffer packet, int at) {
		return packet.getInt(at + Bth.LENGTH) & Psn.MASK;
	}

}
