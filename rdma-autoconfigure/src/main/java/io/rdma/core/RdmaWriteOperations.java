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
 * Writes to regions of a peer, whose processor takes no part in them. Bounds and access
 * rights are checked on this side before anything is posted. What is said at
 * {@link RdmaOperations} about time limits, futures and threads holds here.
 *
 * @see RdmaOperations
 */
public interface RdmaWriteOperations {

	/**
	 * Write into a region of a peer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the bytes to send
	 * @throws RdmaException if it did not succeed
	 */
	default void write(String peer, String region, long offset, byte[] payload) {
		write(peer, region, offset, RdmaPayload.of(payload));
	}

	/**
	 * Write into a region of a peer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the bytes to send
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void write(String peer, String region, long offset, byte[] payload, Duration timeout) {
		write(peer, region, offset, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Write into a region of a peer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload taken from its position to its limit; its position is its limit
	 * afterwards, and unchanged after a failure
	 * @throws RdmaException if it did not succeed
	 */
	default void write(String peer, String region, long offset, ByteBuffer payload) {
		write(peer, region, offset, RdmaPayload.of(payload));
	}

	/**
	 * Write into a region of a peer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload taken from its position to its limit; its position is its limit
	 * afterwards, and unchanged after a failure
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void write(String peer, String region, long offset, ByteBuffer payload, Duration timeout) {
		write(peer, region, offset, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Write into a region of a peer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is read piece by piece, never as a whole
	 * @throws RdmaException if it did not succeed
	 */
	default void write(String peer, String region, long offset, Resource payload) {
		write(peer, region, offset, RdmaPayload.of(payload));
	}

	/**
	 * Write into a region of a peer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is read piece by piece, never as a whole
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void write(String peer, String region, long offset, Resource payload, Duration timeout) {
		write(peer, region, offset, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Write into a region of a peer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @throws RdmaException if it did not succeed
	 */
	default void write(String peer, String region, long offset, RdmaBuffer payload) {
		write(peer, region, offset, RdmaPayload.of(payload));
	}

	/**
	 * Write into a region of a peer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void write(String peer, String region, long offset, RdmaBuffer payload, Duration timeout) {
		write(peer, region, offset, RdmaPayload.of(payload), timeout);
	}

	/**
	 * Write into a region of a peer. Returning means that the bytes are in the peer's
	 * memory. A payload larger than one piece is split; after a failure some pieces may
	 * have been written.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the payload
	 * @throws RdmaException if it did not succeed
	 */
	default void write(String peer, String region, long offset, RdmaPayload payload) {
		write(peer, region, offset, payload, TransferOptions.defaults());
	}

	/**
	 * Write into a region of a peer. Returning means that the bytes are in the peer's
	 * memory. A payload larger than one piece is split; after a failure some pieces may
	 * have been written.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the payload
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void write(String peer, String region, long offset, RdmaPayload payload, Duration timeout) {
		write(peer, region, offset, payload, TransferOptions.within(timeout));
	}

	/**
	 * Write into a region of a peer. Returning means that the bytes are in the peer's
	 * memory. A payload larger than one piece is split; after a failure some pieces may
	 * have been written.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the payload
	 * @param options time limit and progress
	 * @throws RdmaException if it did not succeed
	 */
	void write(String peer, String region, long offset, RdmaPayload payload, TransferOptions options);

	/**
	 * Write into a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the bytes to send; leave them alone until the future ends
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> writeAsync(String peer, String region, long offset, byte[] payload) {
		return writeAsync(peer, region, offset, RdmaPayload.of(payload));
	}

	/**
	 * Write into a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload taken from its position to its limit: leave it alone until the
	 * future ends; its position is its limit then, and unchanged after a failure
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> writeAsync(String peer, String region, long offset, ByteBuffer payload) {
		return writeAsync(peer, region, offset, RdmaPayload.of(payload));
	}

	/**
	 * Write into a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is read piece by piece, never as a whole
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> writeAsync(String peer, String region, long offset, Resource payload) {
		return writeAsync(peer, region, offset, RdmaPayload.of(payload));
	}

	/**
	 * Write into a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> writeAsync(String peer, String region, long offset, RdmaBuffer payload) {
		return writeAsync(peer, region, offset, RdmaPayload.of(payload));
	}

	/**
	 * Write into a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the payload
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> writeAsync(String peer, String region, long offset, RdmaPayload payload) {
		return writeAsync(peer, region, offset, payload, TransferOptions.defaults());
	}

	/**
	 * Write into a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the payload
	 * @param options time limit and progress
	 * @return a future that ends when the operation does
	 */
	CompletableFuture<@Nullable Void> writeAsync(String peer, String region, long offset, RdmaPayload payload,
			TransferOptions options);

}
