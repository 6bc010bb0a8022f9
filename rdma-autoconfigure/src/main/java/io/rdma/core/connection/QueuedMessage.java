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

import org.jspecify.annotations.Nullable;

/**
 * A message in an inbox. A message of one piece is still in the buffer it was received
 * in, one that was put together is in an array; either way a receive, and so a credit of
 * the peer, is kept back until it is taken.
 */
final class QueuedMessage {

	private final RdmaConnection connection;

	private final ReceiveSlot slot;

	private final byte @Nullable [] whole;

	private final int payloadAt;

	private final int payloadLength;

	private final @Nullable String contentType;

	private final long correlationId;

	private final boolean request;

	private final @Nullable Integer immediate;

	private final long length;

	private final long arrivedNanos = System.nanoTime();

	private @Nullable InboundMessage detached;

	private QueuedMessage(RdmaConnection connection, ReceiveSlot slot, byte @Nullable [] whole, int payloadAt,
			int payloadLength, @Nullable String contentType, long correlationId, boolean request,
			@Nullable Integer immediate, long length) {
		this.connection = connection;
		this.slot = slot;
		this.whole = whole;
		this.payloadAt = payloadAt;
		this.payloadLength = payloadLength;
		this.contentType = contentType;
		this.correlationId = correlationId;
		this.request = request;
		this.immediate = immediate;
		this.length = length;
	}

	static QueuedMessage inBuffer(RdmaConnection connection, ReceiveSlot slot, int payloadAt, int length,
			@Nullable String contentType, long correlationId, boolean request) {
		return new QueuedMessage(connection, slot, null, payloadAt, length, contentType, correlationId, request, null,
				length);
	}

	static QueuedMessage whole(RdmaConnection connection, ReceiveSlot slot, byte[] whole, @Nullable String contentType,
			long correlationId, boolean request) {
		return new QueuedMessage(connection, slot, whole, 0, whole.length, contentType, correlationId, request, null,
				whole.length);
	}

	static QueuedMessage immediate(RdmaConnection connection, ReceiveSlot slot, int immediate, long length) {
		return new QueuedMessage(connection, slot, null, 0, 0, null, 0, false, immediate, length);
	}

	String peer() {
		return this.connection.peer();
	}

	/**
	 * Return how many bytes the message has outside of the buffer it was received in.
	 * @return the number of bytes
	 */
	int heldBytes() {
		return (this.whole != null) ? this.whole.length : 0;
	}

	ReceiveSlot slot() {
		return this.slot;
	}

	/**
	 * Copy the message out and give its receive back. To be called once, by whoever
	 * removed it from the inbox.
	 * @return the message
	 */
	InboundMessage take() {
		InboundMessage kept = this.detached;
		return (kept != null) ? kept : copy();
	}

	/**
	 * Copy the message out and give its receive back while it stays in the inbox.
	 */
	void detach() {
		if (this.detached == null) {
			this.detached = copy();
		}
	}

	private InboundMessage copy() {
		byte[] payload = this.whole;
		if (payload == null) {
			payload = new byte[this.payloadLength];
			this.slot.view().get(this.payloadAt, payload);
		}
		InboundMessage message = new InboundMessage(peer(), this.connection, payload, this.contentType,
				this.correlationId, this.request, false, this.immediate, this.length);
		this.connection.taken(this);
		this.connection.recordReceived(this.length, System.nanoTime() - this.arrivedNanos);
		return message;
	}

}
