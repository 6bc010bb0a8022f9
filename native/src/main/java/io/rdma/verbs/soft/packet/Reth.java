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
 * The RDMA extended transport header: which memory an RDMA WRITE or READ is about. It
 * follows the base transport header of the packets of which {@link Opcode#hasReth} says
 * so.
 */
public final class Reth {

	/** The length in bytes. */
	public static final int LENGTH = 16;

	private static final int ADDRESS = Bth.LENGTH;

	private static final int KEY = Bth.LENGTH + 8;

	private static final int DMA_LENGTH = Bth.LENGTH + 12;

	private Reth() {
	}

	/**
	 * Write the header.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param address the address in the memory of the responder
	 * @param key the remote key of that memory
	 * @param length the length of the whole message in bytes, an unsigned number of 32
	 * bits
	 */
	public static void write(ByteBuffer packet, int at, long address, int key, int length) {
		packet.putLong(at + ADDRESS, address);
		packet.putInt(at + KEY, key);
		packet.putInt(at + DMA_LENGTH, length);
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
	 * Return the length of the whole message.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @return the length in bytes, 0 to 2^32-1; a message may have 2^31
	 */
	public static long length(ByteBuffer packet, int at) {
		return Integer.toUnsignedLong(packet.getInt(at + DMA_LENGTH));
	}

}
