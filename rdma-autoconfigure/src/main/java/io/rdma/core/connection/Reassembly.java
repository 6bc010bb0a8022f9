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
 * Puts together the pieces of one message. One thread at a time: receives complete in
 * order.
 */
final class Reassembly {

	private byte @Nullable [] payload;

	private int filled;

	private int nextPiece;

	private @Nullable String contentType;

	/**
	 * Start a message.
	 * @param length the length of the whole
	 * @param contentType the content type
	 * @return whether an unfinished message was given up for it
	 */
	boolean start(int length, @Nullable String contentType) {
		boolean unfinished = this.payload != null;
		this.payload = new byte[length];
		this.contentType = contentType;
		this.filled = 0;
		this.nextPiece = 0;
		return unfinished;
	}

	/**
	 * Append a piece.
	 * @param piece its number
	 * @param source where it is
	 * @param at where in the source it starts
	 * @param length how many bytes it has
	 * @return {@code null}, or why it does not fit
	 */
	@Nullable String append(int piece, ByteBuffer source, int at, int length) {
		byte[] target = this.payload;
		if (target == null) {
			return "a piece came whose message has no start";
		}
		if (piece != this.nextPiece) {
			return "piece " + piece + " came in place of piece " + this.nextPiece;
		}
		if (length > target.length - this.filled) {
			return "the pieces are longer than the message of " + target.length + " bytes";
		}
		source.get(at, target, this.filled, length);
		this.filled += length;
		this.nextPiece++;
		return null;
	}

	/**
	 * Take the message, which is whole now.
	 * @return the payload, {@code null} if pieces are missing
	 */
	byte @Nullable [] finish() {
		byte[] whole = this.payload;
		this.payload = null;
		return (whole != null && this.filled == whole.length) ? whole : null;
	}

	@Nullable String contentType() {
		return this.contentType;
	}

}
