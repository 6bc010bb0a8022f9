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

import lombok.AccessLevel;
import lombok.AllArgsConstructor;
import lombok.Getter;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

/**
 * A message from a peer. Holds a copy of its own: nothing has to be released. Immutable
 * but for the array that {@link #payload()} hands out.
 */
@Getter
@Accessors(fluent = true)
@AllArgsConstructor(access = AccessLevel.PACKAGE)
public final class InboundMessage {

	/** Name of the peer. */
	private final String peer;

	/** Connection that it came over; a reply goes the same way. It may be lost by now. */
	private final RdmaConnection connection;

	/** Content, empty if only immediate data came. */
	private final byte[] payload;

	/** Content type that the sender gave. */
	private final @Nullable String contentType;

	/** Number that joins a request and its reply, 0 if it is neither. */
	private final long correlationId;

	/** Whether the sender waits for a reply. */
	private final boolean request;

	/** Whether it is the reply to a request. */
	private final boolean reply;

	/** Immediate data of a WRITE_WITH_IMMEDIATE, {@code null} for a message. */
	private final @Nullable Integer immediate;

	/** How many bytes were sent, or written with the immediate data. */
	private final long length;

	@Override
	public String toString() {
		return ((this.immediate != null) ? "immediate data" : (this.reply ? "reply" : "message")) + " of " + this.length
				+ " bytes from peer '" + this.peer + "'";
	}

}
