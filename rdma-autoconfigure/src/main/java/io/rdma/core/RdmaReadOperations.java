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
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.rdma.core.exception.RdmaException;
import io.rdma.core.memory.RdmaBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads from regions of a peer, whose processor takes no part in them. Bounds and access
 * rights are checked on this side before anything is posted. What is said at
 * {@link RdmaOperations} about time limits, futures and threads holds here.
 *
 * @see RdmaOperations
 */
public interface RdmaReadOperations {

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
	default void read(String peer, String region, long offset, long length, OutputStream destination,
			TransferOptions options) {
		read(peer, region, offset, length, Channels.newChannel(destination), options);
	}

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

}
