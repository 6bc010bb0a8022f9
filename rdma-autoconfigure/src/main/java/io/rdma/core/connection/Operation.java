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

package io.rdma.core.connection;

import java.nio.charset.StandardCharsets;

import io.rdma.core.exception.RdmaException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * One operation on a connection: what to do, until when, and what becomes of it. Set it
 * up, then hand it to {@link RdmaConnection#post(Operation)} or
 * {@link RdmaConnection#offer(Operation)}, once. If that throws, the exception is the
 * outcome; otherwise exactly one of {@link #succeeded(long)} and
 * {@link #failed(RdmaException)} is called.
 */
public abstract class Operation extends OperationProgress {

	private final OperationKind kind;

	private @Nullable RdmaBuffer buffer;

	private @Nullable MemoryRegion memory;

	private long memoryOffset;

	private int length;

	private @Nullable RemoteRegion region;

	private long remoteOffset;

	private int immediate;

	private long compare;

	private long swapOrAdd;

	private @Nullable String contentType;

	private long correlationId;

	private boolean request;

	private boolean reply;

	private boolean deadlineSet;

	private long deadlineNanos;

	/**
	 * Create an operation.
	 * @param kind what it does
	 */
	protected Operation(OperationKind kind) {
		this.kind = kind;
	}

	/**
	 * Return what it does.
	 * @return the kind
	 */
	@Override
	public final OperationKind kind() {
		return this.kind;
	}

	/**
	 * Set the local memory: what is sent or written, or where what is read goes; for an
	 * atomic operation 8 bytes, in which the value found is put in the byte order of the
	 * machine. The buffer is retained until the device is done with it, and may be
	 * released by the caller as soon as the operation is posted.
	 * @param buffer the buffer
	 * @param offset where in it, in bytes
	 * @param length how many bytes
	 * @return this
	 */
	public final Operation local(RdmaBuffer buffer, int offset, int length) {
		Assert.notNull(buffer, "'buffer' must not be null");
		checkLength(length);
		this.buffer = buffer;
		this.memory = null;
		this.memoryOffset = offset;
		this.length = length;
		return this;
	}

	/**
	 * Set the local memory to a part of a region, which must stay open until the outcome
	 * is known and, after a timeout, until the connection is closed.
	 * @param memory the region
	 * @param offset where in it, in bytes
	 * @param length how many bytes
	 * @return this
	 */
	public final Operation local(MemoryRegion memory, long offset, int length) {
		Assert.notNull(memory, "'memory' must not be null");
		checkLength(length);
		this.buffer = null;
		this.memory = memory;
		this.memoryOffset = offset;
		this.length = length;
		return this;
	}

	/**
	 * Set the place in the peer's memory.
	 * @param region the region, of the connection that the operation is posted on
	 * @param offset where in it, in bytes
	 * @return this
	 */
	public final Operation remote(RemoteRegion region, long offset) {
		this.region = region;
		this.remoteOffset = offset;
		return this;
	}

	/**
	 * Set the immediate data of a WRITE_WITH_IMMEDIATE.
	 * @param immediate the data
	 * @return this
	 */
	public final Operation immediate(int immediate) {
		this.immediate = immediate;
		return this;
	}

	/**
	 * Set what a COMPARE_AND_SWAP does.
	 * @param expected what must be found for the swap to happen
	 * @param newValue what is put in its place
	 * @return this
	 */
	public final Operation compareAndSwap(long expected, long newValue) {
		this.compare = expected;
		this.swapOrAdd = newValue;
		return this;
	}

	/**
	 * Set what a FETCH_AND_ADD adds.
	 * @param delta what is added
	 * @return this
	 */
	public final Operation fetchAndAdd(long delta) {
		this.swapOrAdd = delta;
		return this;
	}

	/**
	 * Set the content type of a message.
	 * @param contentType the type, at most 96 bytes in UTF-8; {@code null} for none
	 * @return this
	 */
	public final Operation contentType(@Nullable String contentType) {
		Assert.isTrue(
				contentType == null
						|| contentType.getBytes(StandardCharsets.UTF_8).length <= MessageHeader.MAX_CONTENT_TYPE,
				() -> "A content type has at most " + MessageHeader.MAX_CONTENT_TYPE + " bytes: '" + contentType + "'");
		this.contentType = contentType;
		return this;
	}

	/**
	 * Make a message a request.
	 * @param correlationId the number that the reply will carry
	 * @return this
	 */
	public final Operation request(long correlationId) {
		this.correlationId = correlationId;
		this.request = true;
		return this;
	}

	/**
	 * Make a message the reply to a request.
	 * @param correlationId the number of the request
	 * @return this
	 */
	public final Operation reply(long correlationId) {
		this.correlationId = correlationId;
		this.reply = true;
		return this;
	}

	/**
	 * Set until when the operation must have ended.
	 * @param deadlineNanos the time, as of {@link System#nanoTime()}
	 * @return this
	 */
	public final Operation deadline(long deadlineNanos) {
		this.deadlineNanos = deadlineNanos;
		this.deadlineSet = true;
		return this;
	}

	private static void checkLength(int length) {
		Assert.isTrue(length >= 0, () -> "A length cannot be negative: " + length);
	}

	@Override
	final @Nullable RdmaBuffer buffer() {
		return this.buffer;
	}

	final @Nullable MemoryRegion memory() {
		RdmaBuffer held = this.buffer;
		return (held != null) ? held.region() : this.memory;
	}

	/**
	 * Return where in the buffer or the region the local memory starts.
	 * @return the offset as it was given
	 */
	final long givenOffset() {
		return this.memoryOffset;
	}

	/**
	 * Return where in {@link #memory()} the local memory starts.
	 * @return the offset
	 */
	final long memoryOffset() {
		RdmaBuffer held = this.buffer;
		return (held != null) ? held.offset() + this.memoryOffset : this.memoryOffset;
	}

	@Override
	final int length() {
		return this.length;
	}

	final @Nullable RemoteRegion region() {
		return this.region;
	}

	final long remoteOffset() {
		return this.remoteOffset;
	}

	final int immediate() {
		return this.immediate;
	}

	final long compare() {
		return this.compare;
	}

	final long swapOrAdd() {
		return this.swapOrAdd;
	}

	final @Nullable String contentType() {
		return this.contentType;
	}

	final long correlationId() {
		return this.correlationId;
	}

	final boolean isRequest() {
		return this.request;
	}

	final boolean isReply() {
		return this.reply;
	}

	@Override
	final boolean hasDeadline() {
		return this.deadlineSet;
	}

	final long deadlineNanos() {
		return this.deadlineNanos;
	}

	/**
	 * Take the outcome of an operation that did what it should. Called on a thread that
	 * polls: must be short, must not wait and must not run user code.
	 * @param bytes how many bytes it moved
	 */
	@Override
	protected abstract void succeeded(long bytes);

	/**
	 * Take the outcome of an operation that failed. Called on a thread that polls or
	 * keeps time: must be short, must not wait and must not run user code.
	 * @param exception why
	 */
	@Override
	protected abstract void failed(RdmaException exception);

}
