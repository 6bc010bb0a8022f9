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
 * The atomic extended transport header: which eight bytes an atomic operation is about,
 * and its operands. It follows the base transport header of the packets of which
 * {@link Opcode#hasAtomicEth} says so.
 */
public final class AtomicEth {

	/** The length in bytes. */
	public static final int LENGTH = 28;

	private static final int ADDRESS = Bth.LENGTH;

	private static final int KEY = Bth.LENGTH + 8;

	private static final int SWAP_OR_ADD = Bth.LENGTH + 12;

	private static final int COMPARE = Bth.LENGTH + 20;

	private AtomicEth() {
	}

	/**
	 * Write the header.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param address the address in the memory of the responder
	 * @param key the remote key of that memory
	 * @param swapOrAdd the new value of a compare-and-swap, or what a fetch-and-add adds
	 * @param compare what a compare-and-swap expects; 0 for a fetch-and-add
	 */
	public static void write(ByteBuffer packet, int at, long address, int key, long swapOrAdd, long compare) {
		packet.putLong(at + ADDRESS, address);
		packet.putInt(at + KEY, key);
		packet.putLong(at + SWAP_OR_ADD, swapOrAdd);
		packet.putLong(at + COMPARE, compare);
	}

	/**
	 * Return the address in the memory of the responder.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @return the address
	 */
	public static long address(ByteBuffer packet, int at) {
		return packet.getLong(at + ADDRESS);
	}

	/**
	 * Return the remote key of the memory.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @return the key
	 */
	public static int key(ByteBuffer packet, int at) {
		return packet.getInt(at + KEY);
	}

	/**
	 * Return the new value of a compare-and-swap, or what a fetch-and-add adds.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @return the operand
	 */
	public static long swapOrAdd(ByteBuffer packet, int at) {
		return packet.getLong(at + SWAP_OR_ADD);
	}

	/**
	 * Return what a compare-and-swap expects.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @return the operand, which means nothing for a fetch-and-add
	 */
	public static long compare(ByteBuffer packet, int at) {
		return packet.getLong(at + COMPARE);
	}

}
