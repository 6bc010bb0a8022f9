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

import org.jspecify.annotations.Nullable;

/**
 * Puts frames together from what comes off a socket. One thread at a time.
 */
final class FrameDecoder {

	private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);

	private @Nullable ByteBuffer body;

	private int maxFrame = Frame.MAX_FIRST;

	/**
	 * Allow frames larger than that of a stranger.
	 */
	void allowLarge() {
		this.maxFrame = Frame.MAX;
	}

	/**
	 * Take the next frame.
	 * @param source what came; what is used of it is consumed
	 * @return the frame, {@code null} if it is not whole yet
	 * @throws HandshakeException if what came is no frame
	 */
	@Nullable Frame next(ByteBuffer source) throws HandshakeException {
		ByteBuffer current = this.body;
		if (current == null) {
			transfer(source, this.length);
			if (this.length.hasRemaining()) {
				return null;
			}
			current = ByteBuffer.allocate(checkedLength());
			this.body = current;
		}
		transfer(source, current);
		if (current.hasRemaining()) {
			return null;
		}
		this.body = null;
		this.length.clear();
		current.flip();
		byte code = current.get();
		FrameType type = FrameType.of(code);
		if (type == null) {
			throw WireReader.malformed("its type is the unknown " + code);
		}
		byte[] bytes = new byte[current.remaining()];
		current.get(bytes);
		return new Frame(type, bytes);
	}

	private int checkedLength() throws HandshakeException {
		int size = this.length.getInt(0);
		if (size < 1 || size > this.maxFrame) {
			throw WireReader.malformed(
					"it has " + Integer.toUnsignedString(size) + " bytes, but " + this.maxFrame + " are allowed");
		}
		return size;
	}

	private static void transfer(ByteBuffer from, ByteBuffer to) {
		int count = Math.min(from.remaining(), to.remaining());
		int limit = from.limit();
		from.limit(from.position() + count);
		to.put(from);
		from.limit(limit);
	}

}
