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
 * The atomic acknowledge extended transport header: the value that an atomic operation
 * found. It follows the {@link Aeth} of {@link Opcode#ATOMIC_ACKNOWLEDGE}.
 */
public final class AtomicAckEth {

	/** The length in bytes. */
	public static final int LENGTH = 8;

	private static final int ORIGINAL = Bth.LENGTH + Aeth.LENGTH;

	private AtomicAckEth() {
	}

	/**
	 * Write the header.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param original the value before the operation
	 */
	public static void write(ByteBuffer packet, int at, long original) {
		packet.putLong(at + ORIGINAL, original);
	}

	/**
	 * Return the value before the operation.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @return the value
	 */
	public static long original(ByteBuffer packet, int at) {
		return packet.getLong(at + ORIGINAL);
	}

}
