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
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;

import io.rdma.core.memory.RdmaBuffer;

import org.springframework.core.io.Resource;
import org.springframework.util.Assert;

/**
 * What an operation sends: a byte array, a {@link ByteBuffer}, a {@link Resource}, a
 * stream or channel of known length, or an {@link RdmaBuffer}. What it is made of must be
 * left alone until the operation ends.
 */
public abstract sealed class RdmaPayload permits ByteBufferPayload, ChannelPayload, RegisteredPayload, ResourcePayload {

	/**
	 * Return a payload of a byte array.
	 * @param bytes the bytes, which are not copied
	 * @return the payload
	 */
	public static RdmaPayload of(byte[] bytes) {
		Assert.notNull(bytes, "'payload' must not be null");
		return new ByteBufferPayload(ByteBuffer.wrap(bytes));
	}

	/**
	 * Return a payload of a buffer from its position to its limit. When the operation has
	 * succeeded its position is its limit; after a failure its position is unchanged.
	 * @param buffer the buffer
	 * @return the payload
	 */
	public static RdmaPayload of(ByteBuffer buffer) {
		Assert.notNull(buffer, "'payload' must not be null");
		return new ByteBufferPayload(buffer);
	}

	/**
	 * Return a payload of a resource. Its stream is opened once for each operation, read
	 * piece by piece and closed. Its {@link Resource#contentLength()} must be right and
	 * cheap: that of a file is; for a stream use {@link #of(InputStream, long)}.
	 * Asynchronous operations read it on a thread that is kept for this, never on one
	 * that polls or keeps time.
	 * @param resource the resource
	 * @return the payload
	 */
	public static RdmaPayload of(Resource resource) {
		Assert.notNull(resource, "'payload' must not be null");
		return new ResourcePayload(resource);
	}

	/**
	 * Return a payload of the next bytes of a stream, which is not closed. It can be used
	 * for one operation.
	 * @param stream the stream
	 * @param length how many bytes to take from it, from 0
	 * @return the payload
	 */
	public static RdmaPayload of(InputStream stream, long length) {
		Assert.notNull(stream, "'payload' must not be null");
		return of(Channels.newChannel(stream), length);
	}

	/**
	 * Return a payload of the next bytes of a channel in blocking mode, which is not
	 * closed. It can be used for one operation.
	 * @param channel the channel
	 * @param length how many bytes to take from it, from 0
	 * @return the payload
	 */
	public static RdmaPayload of(ReadableByteChannel channel, long length) {
		Assert.notNull(channel, "'payload' must not be null");
		Assert.isTrue(length >= 0, () -> "'length' must not be negative, but is " + length);
		return new ChannelPayload(channel, length);
	}

	/**
	 * Return a payload of a pool buffer, from the position to the limit that its
	 * {@link RdmaBuffer#byteBuffer()} has now. It is sent with no copy, and retained
	 * until the device is done with it.
	 * @param buffer the buffer
	 * @return the payload
	 */
	public static RdmaPayload of(RdmaBuffer buffer) {
		Assert.notNull(buffer, "'payload' must not be null");
		return new RegisteredPayload(buffer);
	}

	/**
	 * Return a payload of no bytes.
	 * @return the payload
	 */
	public static RdmaPayload empty() {
		return of(new byte[0]);
	}

	/**
	 * Return how many bytes there are.
	 * @return the length
	 * @throws IOException if a resource cannot tell
	 */
	abstract long length() throws IOException;

	/**
	 * Return whether reading it can block or runs code that is not of this library.
	 * @return whether it is a resource or channel
	 */
	boolean isExternal() {
		return false;
	}

	/**
	 * Open a reader.
	 * @param length how many bytes it will be asked for in all
	 * @return the reader
	 * @throws IOException if it cannot be opened
	 */
	abstract PayloadReader open(long length) throws IOException;

	/**
	 * The operation succeeded: the payload counts as consumed.
	 */
	void consumed() {
	}

}
