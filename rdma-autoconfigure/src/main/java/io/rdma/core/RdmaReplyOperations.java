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
 * Replies to messages of a peer. What is said at {@link RdmaOperations} about time
 * limits, futures and threads holds here.
 *
 * @see RdmaOperations
 */
public interface RdmaReplyOperations {

	/**
	 * Reply to a message, over the connection that it came on.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload the bytes to send
	 * @throws RdmaException if it did not succeed
	 */
	default void reply(RdmaMessage request, byte[] payload) {
		reply(request, RdmaPayload.of(payload));
	}

	/**
	 * Reply to a message, over the connection that it came on.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload the bytes to send
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void reply(RdmaMessage request, byte[] payload, Duration timeout) {
		reply(request, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Reply to a message, over the connection that it came on.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload taken from its position to its limit; its position is its limit
	 * afterwards, and unchanged after a failure
	 * @throws RdmaException if it did not succeed
	 */
	default void reply(RdmaMessage request, ByteBuffer payload) {
		reply(request, RdmaPayload.of(payload));
	}

	/**
	 * Reply to a message, over the connection that it came on.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload taken from its position to its limit; its position is its limit
	 * afterwards, and unchanged after a failure
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void reply(RdmaMessage request, ByteBuffer payload, Duration timeout) {
		reply(request, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Reply to a message, over the connection that it came on.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload is read piece by piece, never as a whole
	 * @throws RdmaException if it did not succeed
	 */
	default void reply(RdmaMessage request, Resource payload) {
		reply(request, RdmaPayload.of(payload));
	}

	/**
	 * Reply to a message, over the connection that it came on.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload is read piece by piece, never as a whole
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void reply(RdmaMessage request, Resource payload, Duration timeout) {
		reply(request, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Reply to a message, over the connection that it came on.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @throws RdmaException if it did not succeed
	 */
	default void reply(RdmaMessage request, RdmaBuffer payload) {
		reply(request, RdmaPayload.of(payload));
	}

	/**
	 * Reply to a message, over the connection that it came on.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void reply(RdmaMessage request, RdmaBuffer payload, Duration timeout) {
		reply(request, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Reply to a message, over the connection that it came on.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload the payload
	 * @throws RdmaException if it did not succeed
	 */
	void reply(RdmaMessage request, RdmaPayload payload);

	/**
	 * Reply to a message, over the connection that it came on.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload the payload
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	void reply(RdmaMessage request, RdmaPayload payload, Duration timeout);

	/**
	 * Reply to a message, over the connection that it came on, without waiting.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload the bytes to send; leave them alone until the future ends
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> replyAsync(RdmaMessage request, byte[] payload) {
		return replyAsync(request, RdmaPayload.of(payload));
	}

	/**
	 * Reply to a message, over the connection that it came on, without waiting.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload taken from its position to its limit: leave it alone until the
	 * future ends; its position is its limit then, and unchanged after a failure
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> replyAsync(RdmaMessage request, ByteBuffer payload) {
		return replyAsync(request, RdmaPayload.of(payload));
	}

	/**
	 * Reply to a message, over the connection that it came on, without waiting.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload is read piece by piece, never as a whole
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> replyAsync(RdmaMessage request, Resource payload) {
		return replyAsync(request, RdmaPayload.of(payload));
	}

	/**
	 * Reply to a message, over the connection that it came on, without waiting.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> replyAsync(RdmaMessage request, RdmaBuffer payload) {
		return replyAsync(request, RdmaPayload.of(payload));
	}

	/**
	 * Reply to a message, over the connection that it came on, without waiting.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload the payload
	 * @return a future that ends when the operation does
	 */
	CompletableFuture<@Nullable Void> replyAsync(RdmaMessage request, RdmaPayload payload);

	/**
	 * Reply to a message, over the connection that it came on, without waiting.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload the payload
	 * @param timeout the time limit for the whole call, above zero
	 * @return a future that ends when the operation does
	 */
	CompletableFuture<@Nullable Void> replyAsync(RdmaMessage request, RdmaPayload payload, Duration timeout);

	/**
	 * Convert an object to a message and reply with it.
	 * @param request a message that {@linkplain RdmaMessage#isReplyRequested() asks for a
	 * reply}
	 * @param payload what the message converter takes: String and {@code byte[]} by
	 * default
	 * @throws RdmaException if it did not succeed
	 */
	void convertAndReply(RdmaMessage request, Object payload);

}
