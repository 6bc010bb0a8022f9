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

import io.rdma.core.connection.Operation;
import io.rdma.core.connection.OperationKind;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaPayloadException;
import io.rdma.core.memory.RdmaBuffer;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.RequiredArgsConstructor;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

/**
 * What one operation is to do, whatever connection carries it and however its outcome is
 * taken.
 */
@Getter
@Accessors(fluent = true)
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
abstract class OperationSpec {

	private final OperationKind kind;

	private final String peer;

	/**
	 * What to send, or a pool buffer that takes what is read.
	 */
	private final @Nullable RdmaPayload payload;

	/**
	 * Return the connection that it must go over.
	 * @return the connection, {@code null} for any that the peer has
	 */
	@Nullable RdmaConnection connection() {
		return null;
	}

	/**
	 * Check that a connection can carry it.
	 * @param connection the connection
	 * @return how many bytes of local memory it needs
	 * @throws io.rdma.core.exception.RdmaException if it is refused
	 */
	abstract int check(RdmaConnection connection);

	/**
	 * Set up an operation, except for its local memory.
	 * @param operation the operation
	 * @param connection where it will be posted
	 */
	abstract void configure(Operation operation, RdmaConnection connection);

	/**
	 * Return the pool buffer that the user gave.
	 * @return the buffer, {@code null} if one has to be taken from the pool
	 */
	final @Nullable RdmaBuffer buffer() {
		return (this.payload instanceof RegisteredPayload registered) ? registered.buffer() : null;
	}

	/**
	 * Return where the local memory starts in its buffer.
	 * @return the offset in bytes
	 */
	final int start() {
		return (this.payload instanceof RegisteredPayload registered) ? registered.start() : 0;
	}

	/**
	 * Return whether filling a buffer can block or runs code that is not of this library.
	 * @return whether the payload is a resource or channel
	 */
	final boolean isExternal() {
		return this.payload != null && this.payload.isExternal();
	}

	/**
	 * Copy the payload to a buffer from the pool, if there is one.
	 * @param buffer the buffer
	 * @param length how many bytes
	 */
	final void fill(RdmaBuffer buffer, int length) {
		if (this.payload == null || this.payload instanceof RegisteredPayload) {
			return;
		}
		try (PayloadReader reader = this.payload.open(length)) {
			ByteBuffer target = buffer.byteBuffer();
			reader.read(target.clear().limit(length));
			target.flip();
		}
		catch (IOException ex) {
			throw unreadable(ex);
		}
	}

	/**
	 * Note that the operation succeeded.
	 */
	final void succeeded() {
		if (this.payload != null) {
			this.payload.consumed();
		}
	}

	final long payloadLength() {
		if (this.payload == null) {
			return 0;
		}
		try {
			long length = this.payload.length();
			if (length < 0) {
				throw new IOException("Its length is not known");
			}
			return length;
		}
		catch (IOException ex) {
			throw unreadable(ex);
		}
	}

	final RdmaErrorContext context(RdmaConnection connection) {
		return RdmaErrorContext.of(connection.peer(), connection.queuePairNumber(), this.kind.name());
	}

	private RdmaPayloadException unreadable(IOException ex) {
		return unreadable(RdmaErrorContext.peer(this.peer).withOperation(this.kind.name()), ex);
	}

	static RdmaPayloadException unreadable(RdmaErrorContext context, IOException ex) {
		return new RdmaPayloadException(context, "the payload could not be read (%s)".formatted(ex.getMessage()),
				"Give a resource or stream that exists and has as many bytes as it says.", ex);
	}

}
