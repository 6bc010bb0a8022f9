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

package io.rdma.core;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

import lombok.RequiredArgsConstructor;

/**
 * A payload that comes out of a channel of known length.
 */
@RequiredArgsConstructor
final class ChannelPayload extends RdmaPayload {

	private final ReadableByteChannel channel;

	private final long length;

	@Override
	long length() {
		return this.length;
	}

	@Override
	boolean isExternal() {
		return true;
	}

	@Override
	PayloadReader open(long length) {
		return new Reader(this.channel, length);
	}

	/**
	 * Reads a channel.
	 */
	@RequiredArgsConstructor
	static final class Reader implements PayloadReader {

		private final ReadableByteChannel channel;

		private final long length;

		private long count;

		@Override
		public void read(ByteBuffer target) throws IOException {
			while (target.hasRemaining()) {
				int read = this.channel.read(target);
				if (read < 0) {
					throw new EOFException("It ended after %d of %d bytes".formatted(this.count, this.length));
				}
				if (read == 0) {
					throw new IOException("It gave no byte; a channel must be in blocking mode");
				}
				this.count += read;
			}
		}

	}

}
