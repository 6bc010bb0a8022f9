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
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.util.Assert;

/**
 * What an operation sends. One of a byte array, a {@link ByteBuffer}, a {@link Resource},
 * a stream or channel of known length, or an {@link RdmaBuffer}.
 */
public abstract sealed class RdmaPayload permits ByteBufferPayload, ChannelPayload, ResourcePayload, RegisteredPayload {

	/**
	 * Return a payload of a byte array, which must not change until the operation ends.
	 * @param bytes the bytes
	 * @return the payload
	 */
	public static RdmaPayload of(byte[] bytes) {
		Assert.notNull(bytes, "'payload' must not be null");
		return new ByteBufferPayload(ByteBuffer.wrap(bytes));
	}

	/**
	 * Return a payload of a buffer from its position to its limit. When the operation has
	 * succeeded its position is its limit; after a failure its position is unchanged.
	 * @param buffer the buffer, which must be left alone until the operation ends
	 * @return the payload
	 */
	public static RdmaPayload of(ByteBuffer buffer) {
		Assert.notNull(buffer, "'payload' must not be null");
		return new ByteBufferPayload(buffer);
	}

	/**
	 * Return a payload of a resource. Its stream is opened once, read piece by piece and
	 * closed. Its {@link Resource#contentLength()} must be cheap and right: that of a
	 * file is; for a stream use {@link #of(InputStream, long)}.
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
	 * Return a payload of a pool buffer, from the position to the limit of its
	 * {@link RdmaBuffer#byteBuffer()}. It is sent with no copy, and retained until the
	 * device is done with it.
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
		return new ByteBufferPayload(ByteBuffer.allocate(0));
	}

	/**
	 * Return how many bytes there are. The answer is for the moment of the call and must
	 * not be asked for on a thread that must not run user code.
	 * @return the length
	 * @throws IOException if a resource cannot tell
	 */
	abstract long length() throws IOException;

	/**
	 * Return whether reading it runs code that is not of this library, or blocks.
	 * @return whether it is a stream, channel or resource
	 */
	abstract boolean isExternal();

	/**
	 * Open a reader of exactly {@code length} bytes.
	 * @param length as {@link #length()} said
	 * @return the reader
	 * @throws IOException if it cannot be opened
	 */
	abstract PayloadReader open(long length) throws IOException;

	/**
	 * Return the pool buffer that this is.
	 * @return the buffer, {@code null} if this is something else
	 */
	@Nullable RdmaBuffer buffer() {
		return null;
	}

	/**
	 * The operation succeeded: the payload counts as consumed.
	 */
	void consumed() {
	}

}
