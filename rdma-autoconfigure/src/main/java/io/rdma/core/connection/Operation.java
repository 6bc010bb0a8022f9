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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * One operation on a connection: what to do, until when, and what becomes of it. Set it up,
 * then hand it to {@link RdmaConnection#post(Operation)} or
 * {@link RdmaConnection#offer(Operation)}, once. If that throws, the exception is the
 * outcome; otherwise exactly one of {@link #succeeded(long)} and
 * {@link #failed(RdmaException)} is called.
 */
public abstract class Operation {

	private static final VarHandle STATE;

	private static final VarHandle PENDING;

	static {
		try {
			STATE = MethodHandles.lookup().findVarHandle(Operation.class, "state", int.class);
			PENDING = MethodHandles.lookup().findVarHandle(Operation.class, "pending", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	/** It was handed to a connection. */
	private static final int POSTED = 1;

	/** Its outcome is known. */
	private static final int DONE = 1 << 1;

	/** It timed out: its memory counts as held back. */
	private static final int HELD = 1 << 2;

	/** The device is done with its memory. */
	private static final int QUIET = 1 << 3;

	private final OperationKind kind;

	private volatile int state;

	/** How many of its work requests may still touch its memory. */
	private volatile int pending;

	private @Nullable RdmaConnection connection;

	private long startNanos;

	private volatile long expiredNanos;

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
	public final OperationKind kind() {
		return this.kind;
	}

	/**
	 * Set the local memory: what is sent or written, or where what is read goes; for an
	 * atomic operation 8 bytes, in which the value found is put in the byte order of the
	 * machine. The buffer is retained until the device is done with it, and may be released
	 * by the caller as soon as the operation is posted.
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
	 * Set the local memory to a part of a region, which must stay open until the outcome is
	 * known and, after a timeout, until the connection is closed.
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
				contentType == null || contentType
					.getBytes(StandardCharsets.UTF_8).length <= MessageHeader.MAX_CONTENT_TYPE,
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

	/**
	 * Start the operation.
	 * @param connection where it is posted
	 * @param now the time
	 * @throws IllegalStateException if it was posted before or has no deadline
	 */
	final void begin(RdmaConnection connection, long now) {
		Assert.state(this.deadlineSet, "The operation needs a deadline");
		Assert.state(STATE.compareAndSet(this, 0, POSTED), "The operation was posted before; make a new one");
		this.connection = connection;
		this.startNanos = now;
	}

	/**
	 * Forget that the operation was offered: nothing came of it.
	 */
	final void reset() {
		this.state = 0;
	}

	/**
	 * Note how many work requests the operation is made of, before the first is posted.
	 * @param count how many
	 */
	final void expect(int count) {
		RdmaBuffer held = this.buffer;
		if (held != null) {
			held.retain();
		}
		this.pending = count;
	}

	/**
	 * Note that work requests were not posted, or that the device is done with them.
	 * @param count how many
	 * @return whether they were the last
	 */
	final boolean arrived(int count) {
		return (int) PENDING.getAndAdd(this, -count) == count;
	}

	/**
	 * Let go of the memory: the device is done with it.
	 */
	final void release() {
		int before = (int) STATE.getAndBitwiseOr(this, QUIET);
		RdmaBuffer held = this.buffer;
		if (held != null) {
			if ((before & HELD) != 0) {
				connection().heldBack(-held.capacity());
			}
			held.release();
		}
	}

	final boolean isDone() {
		return (this.state & DONE) != 0;
	}

	final boolean isHeld() {
		int current = this.state;
		return (current & HELD) != 0 && (current & QUIET) == 0;
	}

	private boolean done() {
		return ((int) STATE.getAndBitwiseOr(this, DONE) & DONE) == 0;
	}

	/**
	 * End the operation well, if it has not ended.
	 */
	final void complete() {
		if (done()) {
			record(OperationMetrics.SUCCESS, this.length);
			succeeded(this.length);
		}
	}

	/**
	 * End the operation with a failure, if it has not ended.
	 * @param exception why
	 */
	final void fail(RdmaException exception) {
		if (done()) {
			record((exception instanceof RdmaTimeoutException) ? OperationMetrics.TIMEOUT : OperationMetrics.ERROR, 0);
			failed(exception);
		}
	}

	/**
	 * End the operation, if it has not ended, with an exception that its caller is about to
	 * get.
	 * @param outcome the outcome for the metrics
	 * @return whether it had not ended
	 */
	final boolean abandon(String outcome) {
		if (done()) {
			record(outcome, 0);
			return true;
		}
		return false;
	}

	/**
	 * End the operation, if it has not ended, while the device may still touch its memory.
	 * @param exception why
	 * @param now the time
	 */
	final void expire(RdmaException exception, long now) {
		if (done()) {
			this.expiredNanos = now;
			RdmaBuffer held = this.buffer;
			int before = (int) STATE.getAndBitwiseOr(this, HELD);
			if (held != null && (before & QUIET) == 0) {
				connection().heldBack(held.capacity());
			}
			record(OperationMetrics.TIMEOUT, 0);
			failed(exception);
		}
	}

	private void record(String outcome, long bytes) {
		connection().record(this.kind, outcome, bytes, System.nanoTime() - this.startNanos);
	}

	final RdmaConnection connection() {
		RdmaConnection current = this.connection;
		if (current == null) {
			throw new IllegalStateException("The operation was not posted");
		}
		return current;
	}

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

	final long deadlineNanos() {
		return this.deadlineNanos;
	}

	final long expiredNanos() {
		return this.expiredNanos;
	}

	/**
	 * Take the outcome of an operation that did what it should. Called on a thread that
	 * polls: must be short, must not wait and must not run user code.
	 * @param bytes how many bytes it moved
	 */
	protected abstract void succeeded(long bytes);

	/**
	 * Take the outcome of an operation that failed. Called on a thread that polls or keeps
	 * time: must be short, must not wait and must not run user code.
	 * @param exception why
	 */
	protected abstract void failed(RdmaException exception);

}
