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

package io.rdma.core.connection;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * What stands in front of the payload of each SEND: 32 bytes in network order, in the
 * first piece of a message followed by the content type where that has no code.
 *
 * <pre>
 *  0 type          1 flags            2 code of content type   3 bytes of content type
 *  4 credit: how many receives the sender has posted since the start, modulo 2^32
 *  8 correlation id
 * 16 bytes of payload in the whole message
 * 24 bytes of payload in this piece
 * 28 number of this piece, from 0
 * </pre>
 */
final class MessageHeader {

	static final int SIZE = 32;

	/** Largest content type in bytes. */
	static final int MAX_CONTENT_TYPE = 96;

	/** Room for the largest header. */
	static final int MAX_SIZE = SIZE + MAX_CONTENT_TYPE;

	/** Smallest receive buffer: the largest header and some payload. */
	static final int MIN_BUFFER = 256;

	/** The proof that the queue pair works; takes a credit, carries nothing. */
	static final byte READY = 1;

	/** A message or a piece of one. */
	static final byte DATA = 2;

	static final int FIRST = 1;

	static final int LAST = 1 << 1;

	static final int REQUEST = 1 << 2;

	static final int REPLY = 1 << 3;

	private static final String[] CONTENT_TYPES = { "", "application/octet-stream", "text/plain",
			"text/plain;charset=UTF-8", "application/json" };

	private static final int NO_CONTENT_TYPE = 0;

	private static final int WRITTEN_OUT = 0xff;

	private MessageHeader() {
	}

	static void write(ByteBuffer memory, int at, byte type, int flags, int credit, long correlationId,
			int contentTypeCode, int contentTypeBytes, long totalLength, int pieceLength, int piece) {
		memory.put(at, type);
		memory.put(at + 1, (byte) flags);
		memory.put(at + 2, (byte) contentTypeCode);
		memory.put(at + 3, (byte) contentTypeBytes);
		memory.putInt(at + 4, credit);
		memory.putLong(at + 8, correlationId);
		memory.putLong(at + 16, totalLength);
		memory.putInt(at + 24, pieceLength);
		memory.putInt(at + 28, piece);
	}

	static byte type(ByteBuffer memory) {
		return memory.get(0);
	}

	static int flags(ByteBuffer memory) {
		return memory.get(1);
	}

	static int contentTypeBytes(ByteBuffer memory) {
		return memory.get(3) & 0xff;
	}

	static int credit(ByteBuffer memory) {
		return memory.getInt(4);
	}

	static long correlationId(ByteBuffer memory) {
		return memory.getLong(8);
	}

	static long totalLength(ByteBuffer memory) {
		return memory.getLong(16);
	}

	static int pieceLength(ByteBuffer memory) {
		return memory.getInt(24);
	}

	static int piece(ByteBuffer memory) {
		return memory.getInt(28);
	}

	static @Nullable String contentType(ByteBuffer memory) {
		int code = memory.get(2) & 0xff;
		if (code == NO_CONTENT_TYPE) {
			return null;
		}
		if (code == WRITTEN_OUT) {
			byte[] bytes = new byte[contentTypeBytes(memory)];
			memory.get(SIZE, bytes);
			return new String(bytes, StandardCharsets.UTF_8);
		}
		return (code < CONTENT_TYPES.length) ? CONTENT_TYPES[code] : null;
	}

	/**
	 * Return the code of a content type.
	 * @param contentType the content type
	 * @return its code; {@link #isWrittenOut} says whether it must be written out
	 */
	static int contentTypeCode(@Nullable String contentType) {
		if (contentType == null) {
			return NO_CONTENT_TYPE;
		}
		for (int i = 1; i < CONTENT_TYPES.length; i++) {
			if (CONTENT_TYPES[i].equals(contentType)) {
				return i;
			}
		}
		return WRITTEN_OUT;
	}

	static boolean isWrittenOut(int contentTypeCode) {
		return contentTypeCode == WRITTEN_OUT;
	}

}
