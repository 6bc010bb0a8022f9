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

import org.springframework.core.io.Resource;

/**
 * Messages to a peer that wait for a reply. What is said at {@link RdmaOperations} about
 * time limits, futures and threads holds here.
 *
 * @see RdmaOperations
 */
public interface RdmaRequestOperations {

	/**
	 * Send a message and wait for the reply to it.
	 * @param peer the name of the peer
	 * @param payload the bytes to send
	 * @return the reply
	 * @throws RdmaException if it did not succeed
	 */
	default RdmaMessage sendAndReceive(String peer, byte[] payload) {
		return sendAndReceive(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message and wait for the reply to it.
	 * @param peer the name of the peer
	 * @param payload the bytes to send
	 * @param timeout the time limit for the whole call, above zero
	 * @return the reply
	 * @throws RdmaException if it did not succeed
	 */
	default RdmaMessage sendAndReceive(String peer, byte[] payload, Duration timeout) {
		return sendAndReceive(peer, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Send a message and wait for the reply to it.
	 * @param peer the name of the peer
	 * @param payload taken from its position to its limit; its position is its limit
	 * afterwards, and unchanged after a failure
	 * @return the reply
	 * @throws RdmaException if it did not succeed
	 */
	default RdmaMessage sendAndReceive(String peer, ByteBuffer payload) {
		return sendAndReceive(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message and wait for the reply to it.
	 * @param peer the name of the peer
	 * @param payload taken from its position to its limit; its position is its limit
	 * afterwards, and unchanged after a failure
	 * @param timeout the time limit for the whole call, above zero
	 * @return the reply
	 * @throws RdmaException if it did not succeed
	 */
	default RdmaMessage sendAndReceive(String peer, ByteBuffer payload, Duration timeout) {
		return sendAndReceive(peer, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Send a message and wait for the reply to it.
	 * @param peer the name of the peer
	 * @param payload is read piece by piece, never as a whole
	 * @return the reply
	 * @throws RdmaException if it did not succeed
	 */
	default RdmaMessage sendAndReceive(String peer, Resource payload) {
		return sendAndReceive(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message and wait for the reply to it.
	 * @param peer the name of the peer
	 * @param payload is read piece by piece, never as a whole
	 * @param timeout the time limit for the whole call, above zero
	 * @return the reply
	 * @throws RdmaException if it did not succeed
	 */
	default RdmaMessage sendAndReceive(String peer, Resource payload, Duration timeout) {
		return sendAndReceive(peer, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Send a message and wait for the reply to it.
	 * @param peer the name of the peer
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @return the reply
	 * @throws RdmaException if it did not succeed
	 */
	default RdmaMessage sendAndReceive(String peer, RdmaBuffer payload) {
		return sendAndReceive(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message and wait for the reply to it.
	 * @param peer the name of the peer
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @param timeout the time limit for the whole call, above zero
	 * @return the reply
	 * @throws RdmaException if it did not succeed
	 */
	default RdmaMessage sendAndReceive(String peer, RdmaBuffer payload, Duration timeout) {
		return sendAndReceive(peer, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Send a message and wait for the reply to it. Replies find their request by an id:
	 * any number of requests can be under way. A reply that comes after the time limit is
	 * dropped and counted.
	 * @param peer the name of the peer
	 * @param payload the payload
	 * @return the reply
	 * @throws RdmaException if it did not succeed
	 */
	RdmaMessage sendAndReceive(String peer, RdmaPayload payload);

	/**
	 * Send a message and wait for the reply to it. Replies find their request by an id:
	 * any number of requests can be under way. A reply that comes after the time limit is
	 * dropped and counted.
	 * @param peer the name of the peer
	 * @param payload the payload
	 * @param timeout the time limit for the whole call, above zero
	 * @return the reply
	 * @throws RdmaException if it did not succeed
	 */
	RdmaMessage sendAndReceive(String peer, RdmaPayload payload, Duration timeout);

	/**
	 * Send a message and wait for the reply to it, without waiting.
	 * @param peer the name of the peer
	 * @param payload the bytes to send; leave them alone until the future ends
	 * @return a future of the reply
	 */
	default CompletableFuture<RdmaMessage> sendAndReceiveAsync(String peer, byte[] payload) {
		return sendAndReceiveAsync(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message and wait for the reply to it, without waiting.
	 * @param peer the name of the peer
	 * @param payload taken from its position to its limit: leave it alone until the
	 * future ends; its position is its limit then, and unchanged after a failure
	 * @return a future of the reply
	 */
	default CompletableFuture<RdmaMessage> sendAndReceiveAsync(String peer, ByteBuffer payload) {
		return sendAndReceiveAsync(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message and wait for the reply to it, without waiting.
	 * @param peer the name of the peer
	 * @param payload is read piece by piece, never as a whole
	 * @return a future of the reply
	 */
	default CompletableFuture<RdmaMessage> sendAndReceiveAsync(String peer, Resource payload) {
		return sendAndReceiveAsync(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message and wait for the reply to it, without waiting.
	 * @param peer the name of the peer
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @return a future of the reply
	 */
	default CompletableFuture<RdmaMessage> sendAndReceiveAsync(String peer, RdmaBuffer payload) {
		return sendAndReceiveAsync(peer, RdmaPayload.of(payload));
	}

	/**
	 * Send a message and wait for the reply to it, without waiting.
	 * @param peer the name of the peer
	 * @param payload the payload
	 * @return a future of the reply
	 */
	CompletableFuture<RdmaMessage> sendAndReceiveAsync(String peer, RdmaPayload payload);

	/**
	 * Send a message and wait for the reply to it, without waiting.
	 * @param peer the name of the peer
	 * @param payload the payload
	 * @param timeout the time limit for the whole call, above zero
	 * @return a future of the reply
	 */
	CompletableFuture<RdmaMessage> sendAndReceiveAsync(String peer, RdmaPayload payload, Duration timeout);

	/**
	 * Convert an object to a message, send it, wait for the reply and convert that.
	 * @param peer the name of the peer
	 * @param payload what the message converter takes: String and {@code byte[]} by
	 * default
	 * @param type the type to convert to
	 * @param <T> the type
	 * @return the converted reply
	 * @throws RdmaException if it did not succeed
	 */
	<T> T convertSendAndReceive(String peer, Object payload, Class<T> type);

	/**
	 * Convert an object to a message, send it, wait for the reply and convert that.
	 * @param peer the name of the peer
	 * @param payload what the message converter takes: String and {@code byte[]} by
	 * default
	 * @param type the type to convert to
	 * @param timeout the time limit for the whole call, above zero
	 * @param <T> the type
	 * @return the converted reply
	 * @throws RdmaException if it did not succeed
	 */
	<T> T convertSendAndReceive(String peer, Object payload, Class<T> type, Duration timeout);

	/**
	 * Convert an object to a message, send it and convert the reply, without waiting.
	 * @param peer the name of the peer
	 * @param payload what the message converter takes: String and {@code byte[]} by
	 * default
	 * @param type the type to convert to
	 * @param <T> the type
	 * @return a future of the converted reply
	 */
	<T> CompletableFuture<T> convertSendAndReceiveAsync(String peer, Object payload, Class<T> type);

}
