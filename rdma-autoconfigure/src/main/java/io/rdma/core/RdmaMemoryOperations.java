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

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.rdma.core.exception.RdmaException;
import io.rdma.core.memory.RdmaBuffer;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;

/**
 * The one-sided operations: the peer's processor takes no part in them. Bounds, access
 * rights and alignment are checked on this side before anything is posted. What is said
 * at {@link RdmaOperations} about time limits, futures and threads holds here.
 */
public interface RdmaMemoryOperations {

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

	/**
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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
	 * Write into a region of a peer and have it receive a message without payload that
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

	/**
	 * Read from a region of a peer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @return the bytes
	 * @throws RdmaException if it did not succeed
	 */
	default byte[] read(String peer, String region, long offset, int length) {
		return read(peer, region, offset, length, TransferOptions.defaults());
	}

	/**
	 * Read from a region of a peer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @param timeout the time limit for the whole call, above zero
	 * @return the bytes
	 * @throws RdmaException if it did not succeed
	 */
	default byte[] read(String peer, String region, long offset, int length, Duration timeout) {
		return read(peer, region, offset, length, TransferOptions.within(timeout));
	}

	/**
	 * Read from a region of a peer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @param options time limit and progress
	 * @return the bytes
	 * @throws RdmaException if it did not succeed
	 */
	byte[] read(String peer, String region, long offset, int length, TransferOptions options);

	/**
	 * Read from a region of a peer into a buffer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param destination is filled from its position to its limit; its position is its
	 * limit afterwards, and unchanged after a failure, when its content is undefined
	 * @throws RdmaException if it did not succeed
	 */
	default void read(String peer, String region, long offset, ByteBuffer destination) {
		read(peer, region, offset, destination, TransferOptions.defaults());
	}

	/**
	 * Read from a region of a peer into a buffer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param destination is filled from its position to its limit; its position is its
	 * limit afterwards, and unchanged after a failure, when its content is undefined
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void read(String peer, String region, long offset, ByteBuffer destination, Duration timeout) {
		read(peer, region, offset, destination, TransferOptions.within(timeout));
	}

	/**
	 * Read from a region of a peer into a buffer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param destination is filled from its position to its limit; its position is its
	 * limit afterwards, and unchanged after a failure, when its content is undefined
	 * @param options time limit and progress
	 * @throws RdmaException if it did not succeed
	 */
	void read(String peer, String region, long offset, ByteBuffer destination, TransferOptions options);

	/**
	 * Read from a region of a peer into a buffer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param destination is filled from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()}, with no copy; both stay as they are, so that the
	 * bytes read are its payload. Retained until the device is done with it
	 * @throws RdmaException if it did not succeed
	 */
	default void read(String peer, String region, long offset, RdmaBuffer destination) {
		read(peer, region, offset, destination, TransferOptions.defaults());
	}

	/**
	 * Read from a region of a peer into a buffer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param destination is filled from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()}, with no copy; both stay as they are, so that the
	 * bytes read are its payload. Retained until the device is done with it
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void read(String peer, String region, long offset, RdmaBuffer destination, Duration timeout) {
		read(peer, region, offset, destination, TransferOptions.within(timeout));
	}

	/**
	 * Read from a region of a peer into a buffer.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param destination is filled from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()}, with no copy; both stay as they are, so that the
	 * bytes read are its payload. Retained until the device is done with it
	 * @param options time limit and progress
	 * @throws RdmaException if it did not succeed
	 */
	void read(String peer, String region, long offset, RdmaBuffer destination, TransferOptions options);

	/**
	 * Read from a region of a peer, for any length.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @param destination is written piece by piece and in order, and is not closed; after
	 * a failure some pieces may have been written
	 * @throws RdmaException if it did not succeed
	 */
	default void read(String peer, String region, long offset, long length, OutputStream destination) {
		read(peer, region, offset, length, destination, TransferOptions.defaults());
	}

	/**
	 * Read from a region of a peer, for any length.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @param destination is written piece by piece and in order, and is not closed; after
	 * a failure some pieces may have been written
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void read(String peer, String region, long offset, long length, OutputStream destination,
			Duration timeout) {
		read(peer, region, offset, length, destination, TransferOptions.within(timeout));
	}

	/**
	 * Read from a region of a peer, for any length.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @param destination is written piece by piece and in order, and is not closed; after
	 * a failure some pieces may have been written
	 * @param options time limit and progress
	 * @throws RdmaException if it did not succeed
	 */
	void read(String peer, String region, long offset, long length, OutputStream destination, TransferOptions options);

	/**
	 * Read from a region of a peer, for any length.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @param destination is written piece by piece and in order, and is not closed; after
	 * a failure some pieces may have been written
	 * @throws RdmaException if it did not succeed
	 */
	default void read(String peer, String region, long offset, long length, WritableByteChannel destination) {
		read(peer, region, offset, length, destination, TransferOptions.defaults());
	}

	/**
	 * Read from a region of a peer, for any length.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @param destination is written piece by piece and in order, and is not closed; after
	 * a failure some pieces may have been written
	 * @param timeout the time limit for the whole call, above zero
	 * @throws RdmaException if it did not succeed
	 */
	default void read(String peer, String region, long offset, long length, WritableByteChannel destination,
			Duration timeout) {
		read(peer, region, offset, length, destination, TransferOptions.within(timeout));
	}

	/**
	 * Read from a region of a peer, for any length.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @param destination is written piece by piece and in order, and is not closed; after
	 * a failure some pieces may have been written
	 * @param options time limit and progress
	 * @throws RdmaException if it did not succeed
	 */
	void read(String peer, String region, long offset, long length, WritableByteChannel destination,
			TransferOptions options);

	/**
	 * Read from a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @return a future of the bytes
	 */
	default CompletableFuture<byte[]> readAsync(String peer, String region, long offset, int length) {
		return readAsync(peer, region, offset, length, TransferOptions.defaults());
	}

	/**
	 * Read from a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @param options time limit and progress
	 * @return a future of the bytes
	 */
	CompletableFuture<byte[]> readAsync(String peer, String region, long offset, int length, TransferOptions options);

	/**
	 * Read from a region of a peer into a buffer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param destination is filled from its position to its limit: leave it alone until
	 * the future ends
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> readAsync(String peer, String region, long offset,
			ByteBuffer destination) {
		return readAsync(peer, region, offset, destination, TransferOptions.defaults());
	}

	/**
	 * Read from a region of a peer into a buffer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param destination is filled from its position to its limit: leave it alone until
	 * the future ends
	 * @param options time limit and progress
	 * @return a future that ends when the operation does
	 */
	CompletableFuture<@Nullable Void> readAsync(String peer, String region, long offset, ByteBuffer destination,
			TransferOptions options);

	/**
	 * Read from a region of a peer into a buffer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param destination is filled from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()}, with no copy; both stay as they are, so that the
	 * bytes read are its payload. Retained until the device is done with it
	 * @return a future that ends when the operation does
	 */
	default CompletableFuture<@Nullable Void> readAsync(String peer, String region, long offset,
			RdmaBuffer destination) {
		return readAsync(peer, region, offset, destination, TransferOptions.defaults());
	}

	/**
	 * Read from a region of a peer into a buffer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param destination is filled from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()}, with no copy; both stay as they are, so that the
	 * bytes read are its payload. Retained until the device is done with it
	 * @param options time limit and progress
	 * @return a future that ends when the operation does
	 */
	CompletableFuture<@Nullable Void> readAsync(String peer, String region, long offset, RdmaBuffer destination,
			TransferOptions options);

	/**
	 * Read from a region of a peer, for any length, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, in bytes from its start
	 * @param length how many bytes, from 0
	 * @param destination is written piece by piece, in order and by one thread of the
	 * application executor at a time, and is not closed
	 * @param options time limit and progress
	 * @return a future that ends when the operation does
	 */
	CompletableFuture<@Nullable Void> readAsync(String peer, String region, long offset, long length,
			WritableByteChannel destination, TransferOptions options);

	/**
	 * Compare 8 bytes of a region of a peer with a value and, if they are equal, exchange
	 * them, atomically. The swap happened if the returned value is the expected one. The
	 * word is in the byte order of the machines.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param expected the value to compare with
	 * @param newValue the value to put there if it is equal
	 * @return the value before the operation
	 * @throws RdmaException if it did not succeed
	 */
	long compareAndSwap(String peer, String region, long offset, long expected, long newValue);

	/**
	 * Compare 8 bytes of a region of a peer with a value and, if they are equal, exchange
	 * them, atomically.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param expected the value to compare with
	 * @param newValue the value to put there if it is equal
	 * @param timeout the time limit for the whole call, above zero
	 * @return the value before the operation
	 * @throws RdmaException if it did not succeed
	 */
	long compareAndSwap(String peer, String region, long offset, long expected, long newValue, Duration timeout);

	/**
	 * Compare and exchange 8 bytes of a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param expected the value to compare with
	 * @param newValue the value to put there if it is equal
	 * @return a future of the value before the operation
	 */
	CompletableFuture<Long> compareAndSwapAsync(String peer, String region, long offset, long expected, long newValue);

	/**
	 * Compare and exchange 8 bytes of a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param expected the value to compare with
	 * @param newValue the value to put there if it is equal
	 * @param timeout the time limit for the whole call, above zero
	 * @return a future of the value before the operation
	 */
	CompletableFuture<Long> compareAndSwapAsync(String peer, String region, long offset, long expected, long newValue,
			Duration timeout);

	/**
	 * Add to 8 bytes of a region of a peer, atomically. The sum wraps around. The word is
	 * in the byte order of the machines.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param delta what to add
	 * @return the value before the operation
	 * @throws RdmaException if it did not succeed
	 */
	long fetchAndAdd(String peer, String region, long offset, long delta);

	/**
	 * Add to 8 bytes of a region of a peer, atomically.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param delta what to add
	 * @param timeout the time limit for the whole call, above zero
	 * @return the value before the operation
	 * @throws RdmaException if it did not succeed
	 */
	long fetchAndAdd(String peer, String region, long offset, long delta, Duration timeout);

	/**
	 * Add to 8 bytes of a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param delta what to add
	 * @return a future of the value before the operation
	 */
	CompletableFuture<Long> fetchAndAddAsync(String peer, String region, long offset, long delta);

	/**
	 * Add to 8 bytes of a region of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param region the name of a region that the peer offers
	 * @param offset where in the region, a multiple of 8
	 * @param delta what to add
	 * @param timeout the time limit for the whole call, above zero
	 * @return a future of the value before the operation
	 */
	CompletableFuture<Long> fetchAndAddAsync(String peer, String region, long offset, long delta, Duration timeout);

}
