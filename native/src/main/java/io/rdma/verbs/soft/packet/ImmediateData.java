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
 * Four bytes that travel with a message beside its payload, the last header of the
 * packets of which {@link Opcode#hasImmediate} says so.
 */
public final class ImmediateData {

	/** The length in bytes. */
	public static final int LENGTH = 4;

	private ImmediateData() {
	}

	/**
	 * Write the data.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param opcode the operation code of the packet
	 * @param value the data, as a big-endian number
	 */
	public static void write(ByteBuffer packet, int at, int opcode, int value) {
		packet.putInt(at + Opcode.headerLength(opcode) - LENGTH, value);
	}

	/**
	 * Return the data.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param opcode the operation code of the packet
	 * @return the data, as a big-endian number
	 */
	public static int value(ByteBuffer packet, int at, int opcode) {
		return packet.getInt(at + Opcode.headerLength(opcode) - LENGTH);
	}

}
