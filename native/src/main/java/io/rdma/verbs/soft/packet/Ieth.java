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
 * The invalidate extended transport header: a key of the receiver that ends with the
 * message. It follows the base transport header of the packets of which
 * {@link Opcode#hasInvalidate} says so.
 */
public final class Ieth {

	/** The length in bytes. */
	public static final int LENGTH = 4;

	private Ieth() {
	}

	/**
	 * Write the header.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param key the remote key to invalidate
	 */
	public static void write(ByteBuffer packet, int at, int key) {
		packet.putInt(at + Bth.LENGTH, key);
	}

	/**
	 * Return the remote key to invalidate.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @return the key
	 */
	public static int key(ByteBuffer packet, int at) {
		return packet.getInt(at + Bth.LENGTH);
	}

}
