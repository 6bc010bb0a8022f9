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

/**
 * Reads the body of a frame. What a peer sends is not trusted: everything is checked.
 */
final class WireReader {

	private final ByteBuffer body;

	WireReader(byte[] body) {
		this.body = ByteBuffer.wrap(body);
	}

	int getByte() throws HandshakeException {
		return need(Byte.BYTES).get() & 0xff;
	}

	int getShort() throws HandshakeException {
		return need(Short.BYTES).getShort() & 0xffff;
	}

	int getInt() throws HandshakeException {
		return need(Integer.BYTES).getInt();
	}

	int getInt(String field, int min, int max) throws HandshakeException {
		int value = getInt();
		if (value < min || value > max) {
			throw malformed(field + " is " + value + ", but must be from " + min + " to " + max);
		}
		return value;
	}

	long getLong() throws HandshakeException {
		return need(Long.BYTES).getLong();
	}

	byte[] getBytes(int count) throws HandshakeException {
		byte[] bytes = new byte[count];
		need(count).get(bytes);
		return bytes;
	}

	byte[] getBlob(String field, int maxBytes) throws HandshakeException {
		int length = getShort();
		if (length > maxBytes) {
			throw malformed(field + " has " + length + " bytes, but " + maxBytes + " are allowed");
		}
		return getBytes(length);
	}

	String getText(String field, int maxBytes) throws HandshakeException {
		String text = new String(getBlob(field, maxBytes), StandardCharsets.UTF_8);
		if (text.chars().anyMatch(Character::isISOControl)) {
			throw malformed(field + " has control characters");
		}
		return text;
	}

	<T extends Enum<T>> T getConstant(String field, Class<T> type) throws HandshakeException {
		int ordinal = getByte();
		T[] constants = type.getEnumConstants();
		if (ordinal >= constants.length) {
			throw malformed(field + " has the unknown value " + ordinal);
		}
		return constants[ordinal];
	}

	private ByteBuffer need(int count) throws HandshakeException {
		if (this.body.remaining() < count) {
			throw malformed("the frame ends too early");
		}
		return this.body;
	}

	static HandshakeException malformed(String reason) {
		return new HandshakeException(RejectCode.PROTOCOL, "a frame of the handshake is malformed: " + reason,
				"Check that a service with this library listens at the address, and no other program.");
	}

}
