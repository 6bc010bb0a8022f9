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

import java.io.IOException;
import java.nio.ByteBuffer;

import io.rdma.core.memory.RdmaBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The local end of a transfer.
 */
interface LocalEnd {

	/**
	 * Return the pool buffer that is used with no copy.
	 * @return the buffer, {@code null} if pieces go through buffers of the pool
	 */
	default @Nullable RdmaBuffer buffer() {
		return null;
	}

	/**
	 * Return where in {@link #buffer()} the transfer starts.
	 * @return the offset in bytes
	 */
	default int start() {
		return 0;
	}

	/**
	 * Fill a piece that is about to be written.
	 * @param piece is filled from its position to its limit
	 * @throws IOException if that fails
	 */
	default void fill(ByteBuffer piece) throws IOException {
	}

	/**
	 * Take a piece that was read. Called in order.
	 * @param piece is taken from its position to its limit
	 * @throws IOException if that fails
	 */
	default void take(ByteBuffer piece) throws IOException {
	}

	/**
	 * A pool buffer of the user, to be written from or read into.
	 *
	 * @param payload what part of the buffer
	 */
	record Registered(RegisteredPayload payload) implements LocalEnd {

		@Override
		public RdmaBuffer buffer() {
			return this.payload.buffer();
		}

		@Override
		public int start() {
			return this.payload.start();
		}

	}

	/**
	 * Anything that is written from.
	 *
	 * @param reader gives the bytes
	 */
	record Source(PayloadReader reader) implements LocalEnd {

		@Override
		public void fill(ByteBuffer piece) throws IOException {
			this.reader.read(piece);
		}

	}

	/**
	 * Anything that is read into.
	 */
	@FunctionalInterface
	interface Sink extends LocalEnd {

		@Override
		void take(ByteBuffer piece) throws IOException;

	}

}
