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

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.rdma.core.exception.RdmaException;
import io.rdma.core.memory.RdmaBuffer;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;

/**
 * Messages to a peer. What is said at {@link RdmaOperations} about time limits, futures
 * and threads holds here.
 *
 * @see RdmaOperations
 */
public interface RdmaSendOperations {

	/**
	 * Send a message.
	 * @param peer the name of the peer
	 * @param payload the bytes to send
	 * @throws RdmaException if it did not succeed
	 */
	default void send(String peer, byte[] payload) {
		send(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message.
	 * @param peer the name of the peer
	 * @param payload the bytes to send
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void send(String peer, byte[] payload, Duration timeout) {
		send(peer, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Send a message.
	 * @param peer the name of the peer
	 * @param payload taken from its position to its limit; its position is its limit
	 * afterwards, and unchanged after a failure
	 * @throws RdmaException if it did not succeed
	 */
	default void send(String peer, ByteBuffer payload) {
		send(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message.
	 * @param peer the name of the peer
	 * @param payload taken from its position to its limit; its position is its limit
	 * afterwards, and unchanged after a failure
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void send(String peer, ByteBuffer payload, Duration timeout) {
		send(peer, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Send a message.
	 * @param peer the name of the peer
	 * @param payload is read piece by piece, never as a whole
	 * @throws RdmaException if it did not succeed
	 */
	default void send(String peer, Resource payload) {
		send(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message.
	 * @param peer the name of the peer
	 * @param payload is read piece by piece, never as a whole
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void send(String peer, Resource payload, Duration timeout) {
		send(peer, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Send a message.
	 * @param peer the name of the peer
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @throws RdmaException if it did not succeed
	 */
	default void send(String peer, RdmaBuffer payload) {
		send(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message.
	 * @param peer the name of the peer
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void send(String peer, RdmaBuffer payload, Duration timeout) {
		send(peer, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Send a message. Returning means that a receive of the peer has it, not that its
	 * listener ran.
	 * @param peer the name of the peer
	 * @param payload the payload
	 * @throws RdmaException if it did not succeed
	 */
	void send(String peer, RdmaPayload payload);

	/**
	 * Send a message. Returning means that a receive of the peer has it, not that its
	 * listener ran.
	 * @param peer the name of the peer
	 * @param payload the payload
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	void send(String peer, RdmaPayload payload, Duration timeout);

	/**
	 * Send a message, without waiting.
	 * @param peer the name of the peer
	 * @param payload the bytes to send; leave them alone until the future ends
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> sendAsync(String peer, byte[] payload) {
		return sendAsync(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message, without waiting.
	 * @param peer the name of the peer
	 * @param payload taken from its position to its limit: leave it alone until the
	 * future ends; its position is its limit then, and unchanged after a failure
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> sendAsync(String peer, ByteBuffer payload) {
		return sendAsync(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message, without waiting.
	 * @param peer the name of the peer
	 * @param payload is read piece by piece, never as a whole
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> sendAsync(String peer, Resource payload) {
		return sendAsync(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message, without waiting.
	 * @param peer the name of the peer
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> sendAsync(String peer, RdmaBuffer payload) {
		return sendAsync(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message, without waiting.
	 * @param peer the name of the peer
	 * @param payload the payload
	 * @return a future that ends when the operation does
	 */
	CompletableFuture<@Nullable Void> sendAsync(String peer, RdmaPayload payload);

	/**
	 * Send a message, without waiting.
	 * @param peer the name of the peer
	 * @param payload the payload
	 * @param timeout the time limit for the whole call, above zero
	 * @return a future that ends when the operation does
	 */
	CompletableFuture<@Nullable Void> sendAsync(String peer, RdmaPayload payload, Duration timeout);

	/**
	 * Convert an object to a message and send it.
	 * @param peer the name of the peer
	 * @param payload what the message converter takes: String and {@code byte[]} by
	 * default
	 * @throws RdmaException if it did not succeed
	 */
	void convertAndSend(String peer, Object payload);

	/**
	 * Convert an object to a message and send it.
	 * @param peer the name of the peer
	 * @param payload what the message converter takes: String and {@code byte[]} by
	 * default
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	void convertAndSend(String peer, Object payload, Duration timeout);

	/**
	 * Convert an object to a message and send it, without waiting.
	 * @param peer the name of the peer
	 * @param payload what the message converter takes: String and {@code byte[]} by
	 * default
	 * @return a future that ends when the operation does
	 */
	CompletableFuture<@Nullable Void> convertAndSendAsync(String peer, Object payload);

}
