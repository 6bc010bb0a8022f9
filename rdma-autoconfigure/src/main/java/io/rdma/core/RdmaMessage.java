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

import java.nio.charset.StandardCharsets;

import io.rdma.core.connection.InboundMessage;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A message that was received. Immutable, except that its payload is not copied.
 */
@Getter
@Accessors(fluent = true)
public final class RdmaMessage {

	/**
	 * Name of the peer that sent it.
	 */
	private final String peer;

	/**
	 * Its bytes, not a copy. Empty for a write with immediate.
	 */
	private final byte[] payload;

	/**
	 * MIME type that the sender gave, for example {@code text/plain;charset=UTF-8}.
	 */
	private final @Nullable String contentType;

	/**
	 * Immediate value, {@code null} unless this tells of a write with immediate.
	 */
	private final @Nullable Integer immediate;

	/**
	 * How many bytes: of the payload, or those that a write with immediate wrote.
	 */
	private final long length;

	@Getter(AccessLevel.NONE)
	private final @Nullable InboundMessage request;

	private RdmaMessage(String peer, byte[] payload, @Nullable String contentType, @Nullable Integer immediate,
			long length, @Nullable InboundMessage request) {
		this.peer = peer;
		this.payload = payload;
		this.contentType = contentType;
		this.immediate = immediate;
		this.length = length;
		this.request = request;
	}

	/**
	 * Return a message as if it had come from a peer, for tests of listeners.
	 * @param peer the name of the peer
	 * @param payload the bytes
	 * @return the message, which asks for no reply
	 */
	public static RdmaMessage of(String peer, byte[] payload) {
		Assert.hasText(peer, "'peer' must not be empty");
		Assert.notNull(payload, "'payload' must not be null");
		return new RdmaMessage(peer, payload, null, null, payload.length, null);
	}

	/**
	 * Return a message that came over a connection.
	 * @param message what came
	 * @return the message
	 */
	public static RdmaMessage of(InboundMessage message) {
		return new RdmaMessage(message.peer(), message.payload(), message.contentType(), message.immediate(),
				message.length(), message.request() ? message : null);
	}

	/**
	 * Return whether the peer waits for a reply.
	 * @return whether {@link RdmaMessageOperations#reply(RdmaMessage, RdmaPayload)} can
	 * be called with this message
	 */
	public boolean isReplyRequested() {
		return this.request != null;
	}

	/**
	 * Return what a reply answers.
	 * @return the request
	 * @throws IllegalStateException if no reply is wanted
	 */
	InboundMessage request() {
		Assert.state(this.request != null, () -> "The peer does not wait for a reply to " + this);
		return this.request;
	}

	/**
	 * Return the payload as text.
	 * @return the payload decoded as UTF-8
	 */
	public String text() {
		return new String(this.payload, StandardCharsets.UTF_8);
	}

	@Override
	public String toString() {
		return "RdmaMessage[peer=%s, length=%d, contentType=%s, immediate=%s, replyRequested=%s]".formatted(this.peer,
				this.length, this.contentType, this.immediate, isReplyRequested());
	}

}
