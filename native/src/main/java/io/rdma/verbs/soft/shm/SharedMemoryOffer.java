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

package io.rdma.verbs.soft.shm;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * What a peer needs to know to find one end of a connection over shared memory: where the
 * file with its rings is, and where it listens. Nothing in it is secret, and what proves
 * that both see the same memory stands in that memory only.
 *
 * @param sealed whether the files of this process exist in memory only and cannot be
 * truncated; else they stand in the directory
 * @param endpoint the number that the user of the connection has, for a queue pair its
 * number
 * @param processNumber the number of the process, as it sees itself
 * @param fileId the number of the file with the rings among those of this process
 * @param descriptor the descriptor of that file in this process, if it is sealed
 * @param slots how many requests the ring holds, a power of two
 * @param directory the directory with the socket and, if they are not sealed, the files
 * @param socket the name of the socket in it
 */
public record SharedMemoryOffer(boolean sealed, int endpoint, long processNumber, long fileId, int descriptor,
		int slots, String directory, String socket) {

	private static final byte VERSION = 1;

	private static final int FIXED = 2 + 4 + 8 + 8 + 4 + 4;

	/** So that the whole offer of a queue pair stays below 1024 bytes. */
	private static final int MAX_TEXT = 400;

	/**
	 * Return the offer as bytes.
	 * @return the bytes, at most 850
	 */
	public byte[] encode() {
		byte[] directoryBytes = this.directory.getBytes(StandardCharsets.UTF_8);
		byte[] socketBytes = this.socket.getBytes(StandardCharsets.UTF_8);
		ByteBuffer bytes = ByteBuffer.allocate(FIXED + 4 + directoryBytes.length + socketBytes.length);
		bytes.put(VERSION).put((byte) (this.sealed ? 1 : 0));
		bytes.putInt(this.endpoint).putLong(this.processNumber).putLong(this.fileId);
		bytes.putInt(this.descriptor).putInt(this.slots);
		bytes.putShort((short) directoryBytes.length).put(directoryBytes);
		bytes.putShort((short) socketBytes.length).put(socketBytes);
		return bytes.array();
	}

	/**
	 * Read an offer that came from a peer.
	 * @param bytes the bytes
	 * @return the offer, {@code null} if it is of another version or makes no sense
	 */
	public static @Nullable SharedMemoryOffer decode(byte[] bytes) {
		ByteBuffer buffer = ByteBuffer.wrap(bytes);
		try {
			if (buffer.get() != VERSION) {
				return null;
			}
			boolean sealed = buffer.get() == 1;
			int endpoint = buffer.getInt();
			long process = buffer.getLong();
			long file = buffer.getLong();
			int descriptor = buffer.getInt();
			int slots = buffer.getInt();
			String directory = text(buffer);
			String socket = text(buffer);
			boolean sound = process > 0 && file > 0 && (!sealed || descriptor >= 0) && RingLayout.isSlotCount(slots)
					&& directory.startsWith("/") && directory.indexOf('\0') < 0 && isName(socket);
			return sound ? new SharedMemoryOffer(sealed, endpoint, process, file, descriptor, slots, directory, socket)
					: null;
		}
		catch (BufferUnderflowException ex) {
			return null;
		}
	}

	private static String text(ByteBuffer buffer) {
		int length = Short.toUnsignedInt(buffer.getShort());
		if (length > MAX_TEXT) {
			throw new BufferUnderflowException();
		}
		byte[] bytes = new byte[length];
		buffer.get(bytes);
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private static boolean isName(String text) {
		return !text.isEmpty() && text.indexOf('/') < 0 && text.indexOf('\0') < 0 && !text.equals(".")
				&& !text.equals("..");
	}

}
