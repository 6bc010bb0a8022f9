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
 * The zeros that bring the payload of a packet to a multiple of four bytes.
 */
public final class Padding {

	private Padding() {
	}

	/**
	 * Return how many bytes of pad a payload needs.
	 * @param payloadLength the length of the payload in bytes
	 * @return 0 to 3
	 */
	public static int of(int payloadLength) {
		return -payloadLength & 3;
	}

	/**
	 * Write the pad behind a payload.
	 * @param packet the buffer
	 * @param end the index of the first byte behind the payload
	 * @param pad how many bytes, 0 to 3
	 */
	public static void write(ByteBuffer packet, int end, int pad) {
		for (int i = 0; i < pad; i++) {
			packet.put(end + i, (byte) 0);
		}
	}

}
