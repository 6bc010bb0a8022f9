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
 * Writes to regions of a peer that the peer is told of. Bounds and access rights are
 * checked on this side before anything is posted. What is said at {@link RdmaOperations}
 * about time limits, futures and threads holds here.
 *
 * @see RdmaOperations
 */
public interface RdmaImmediateOperations {

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the bytes to send
	 * @param immediate 32 bits that the peer receives with it
	 * @throws RdmaException if it did not succeed
	 */
	default void writeWithImmediate(String peer, String region, long offset, byte[] payload, int immediate) {
		writeWithImmediate(peer, region, offset, RdmaPayload.of(payload), immediate);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the bytes to send
	 * @param immediate 32 bits that the peer receives with it
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void writeWithImmediate(String peer, String region, long offset, byte[] payload, int immediate,
			Duration timeout) {
		writeWithImmediate(peer, region, offset, RdmaPayload.of(payload), immediate, timeout);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload taken from its position to its limit; its position is its limit
	 * afterwards, and unchanged after a failure
	 * @param immediate 32 bits that the peer receives with it
	 * @throws RdmaException if it did not succeed
	 */
	default void writeWithImmediate(String peer, String region, long offset, ByteBuffer payload, int immediate) {
		writeWithImmediate(peer, region, offset, RdmaPayload.of(payload), immediate);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload taken from its position to its limit; its position is its limit
	 * afterwards, and unchanged after a failure
	 * @param immediate 32 bits that the peer receives with it
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void writeWithImmediate(String peer, String region, long offset, ByteBuffer payload, int immediate,
			Duration timeout) {
		writeWithImmediate(peer, region, offset, RdmaPayload.of(payload), immediate, timeout);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is read piece by piece, never as a whole
	 * @param immediate 32 bits that the peer receives with it
	 * @throws RdmaException if it did not succeed
	 */
	default void writeWithImmediate(String peer, String region, long offset, Resource payload, int immediate) {
		writeWithImmediate(peer, region, offset, RdmaPayload.of(payload), immediate);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is read piece by piece, never as a whole
	 * @param immediate 32 bits that the peer receives with it
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void writeWithImmediate(String peer, String region, long offset, Resource payload, int immediate,
			Duration timeout) {
		writeWithImmediate(peer, region, offset, RdmaPayload.of(payload), immediate, timeout);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @param immediate 32 bits that the peer receives with it
	 * @throws RdmaException if it did not succeed
	 */
	default void writeWithImmediate(String peer, String region, long offset, RdmaBuffer payload, int immediate) {
		writeWithImmediate(peer, region, offset, RdmaPayload.of(payload), immediate);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @param immediate 32 bits that the peer receives with it
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void writeWithImmediate(String peer, String region, long offset, RdmaBuffer payload, int immediate,
			Duration timeout) {
		writeWithImmediate(peer, region, offset, RdmaPayload.of(payload), immediate, timeout);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value. The message comes when all bytes are in the peer's
	 * memory; of a payload larger than one piece it tells the length of the last piece.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the payload
	 * @param immediate 32 bits that the peer receives with it
	 * @throws RdmaException if it did not succeed
	 */
	default void writeWithImmediate(String peer, String region, long offset, RdmaPayload payload, int immediate) {
		writeWithImmediate(peer, region, offset, payload, immediate, TransferOptions.defaults());
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value. The message comes when all bytes are in the peer's
	 * memory; of a payload larger than one piece it tells the length of the last piece.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the payload
	 * @param immediate 32 bits that the peer receives with it
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void writeWithImmediate(String peer, String region, long offset, RdmaPayload payload, int immediate,
			Duration timeout) {
		writeWithImmediate(peer, region, offset, payload, immediate, TransferOptions.within(timeout));
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value. The message comes when all bytes are in the peer's
	 * memory; of a payload larger than one piece it tells the length of the last piece.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the payload
	 * @param immediate 32 bits that the peer receives with it
	 * @param options time limit and progress
	 * @throws RdmaException if it did not succeed
	 */
	void writeWithImmediate(String peer, String region, long offset, RdmaPayload payload, int immediate,
			TransferOptions options);

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the bytes to send; leave them alone until the future ends
	 * @param immediate 32 bits that the peer receives with it
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> writeWithImmediateAsync(String peer, String region, long offset,
			byte[] payload, int immediate) {
		return writeWithImmediateAsync(peer, region, offset, RdmaPayload.of(payload), immediate);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload taken from its position to its limit: leave it alone until the
	 * future ends; its position is its limit then, and unchanged after a failure
	 * @param immediate 32 bits that the peer receives with it
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> writeWithImmediateAsync(String peer, String region, long offset,
			ByteBuffer payload, int immediate) {
		return writeWithImmediateAsync(peer, region, offset, RdmaPayload.of(payload), immediate);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is read piece by piece, never as a whole
	 * @param immediate 32 bits that the peer receives with it
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> writeWithImmediateAsync(String peer, String region, long offset,
			Resource payload, int immediate) {
		return writeWithImmediateAsync(peer, region, offset, RdmaPayload.of(payload), immediate);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload is sent from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()} with no copy, and retained until the device is done
	 * with it
	 * @param immediate 32 bits that the peer receives with it
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> writeWithImmediateAsync(String peer, String region, long offset,
			RdmaBuffer payload, int immediate) {
		return writeWithImmediateAsync(peer, region, offset, RdmaPayload.of(payload), immediate);
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the payload
	 * @param immediate 32 bits that the peer receives with it
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> writeWithImmediateAsync(String peer, String region, long offset,
			RdmaPayload payload, int immediate) {
		return writeWithImmediateAsync(peer, region, offset, payload, immediate, TransferOptions.defaults());
	}

	/**
	 * Write into a region of a peer and have it receive a message with no payload that
	 * tells the immediate value, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param payload the payload
	 * @param immediate 32 bits that the peer receives with it
	 * @param options time limit and progress
	 * @return a future that ends when the operation does
	 */
	CompletableFuture<@Nullable Void> writeWithImmediateAsync(String peer, String region, long offset,
			RdmaPayload payload, int immediate, TransferOptions options);

}
