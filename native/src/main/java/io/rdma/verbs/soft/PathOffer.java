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

package io.rdma.verbs.soft;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.UUID;

import io.rdma.verbs.soft.shm.SharedMemoryOffer;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair tells its peer of the ways by which it can be reached.
 *
 * @param processId what tells this process from all others
 * @param udpPort the UDP port of the device, 0 if it has none
 * @param sharedMemory where the shared memory is, {@code null} if there is none
 */
record PathOffer(UUID processId, int udpPort, @Nullable SharedMemoryOffer sharedMemory) {

	private static final byte VERSION = 1;

	private static final int FIXED = 1 + 16 + 2 + 2;

	private static final UUID THIS_PROCESS = UUID.randomUUID();

	private static final byte[] NOTHING = new byte[0];

	/**
	 * Return what tells this process from all others.
	 * @return the identity
	 */
	static UUID thisProcess() {
		return THIS_PROCESS;
	}

	boolean isOfThisProcess() {
		return this.processId.equals(THIS_PROCESS);
	}

	/**
	 * Return the offer as bytes.
	 * @return the bytes, at most 900
	 */
	byte[] encode() {
		byte[] shared = (this.sharedMemory != null) ? this.sharedMemory.encode() : NOTHING;
		ByteBuffer bytes = ByteBuffer.allocate(FIXED + shared.length).put(VERSION);
		bytes.putLong(this.processId.getMostSignificantBits()).putLong(this.processId.getLeastSignificantBits());
		bytes.putShort((short) this.udpPort).putShort((short) shared.length).put(shared);
		return bytes.array();
	}

	/**
	 * Read what a peer sent. What follows a known version is left alone, so that a later
	 * version can add to it.
	 * @param bytes the bytes
	 * @return the offer, {@code null} if it says nothing or makes no sense
	 */
	static @Nullable PathOffer decode(byte[] bytes) {
		ByteBuffer buffer = ByteBuffer.wrap(bytes);
		try {
			if (buffer.get() != VERSION) {
				return null;
			}
			UUID process = new UUID(buffer.getLong(), buffer.getLong());
			int port = Short.toUnsignedInt(buffer.getShort());
			int length = Short.toUnsignedInt(buffer.getShort());
			if (length > buffer.remaining()) {
				return null;
			}
			byte[] shared = new byte[length];
			buffer.get(shared);
			return new PathOffer(process, port, SharedMemoryOffer.decode(shared));
		}
		catch (BufferUnderflowException ex) {
			return null;
		}
	}

}
