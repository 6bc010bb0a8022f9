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

import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.memory.RdmaBuffer;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * How far an operation is: posted, ended, its memory let go. Ends exactly once, whichever
 * of completion, time limit and failure of the connection comes first; its memory is let
 * go when the device is done with it, which can be later. Thread-safe.
 */
abstract class OperationProgress {

	private static final VarHandle STATE;

	private static final VarHandle PENDING;

	static {
		try {
			STATE = MethodHandles.lookup().findVarHandle(OperationProgress.class, "state", int.class);
			PENDING = MethodHandles.lookup().findVarHandle(OperationProgress.class, "pending", int.class);
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

	private volatile int state;

	/** How many of its work requests may still touch its memory. */
	@SuppressWarnings("UnusedVariable")
	private volatile int pending;

	private @Nullable RdmaConnection connection;

	private long startNanos;

	private volatile long expiredNanos;

	abstract OperationKind kind();

	abstract @Nullable RdmaBuffer buffer();

	abstract int length();

	abstract boolean hasDeadline();

	protected abstract void succeeded(long bytes);

	protected abstract void failed(RdmaException exception);

	/**
	 * Start the operation.
	 * @param connection where it is posted
	 * @param now the time
	 * @throws IllegalStateException if it was posted before or has no deadline
	 */
	final void begin(RdmaConnection connection, long now) {
		Assert.state(hasDeadline(), "The operation needs a deadline");
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
		RdmaBuffer held = buffer();
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
		RdmaBuffer held = buffer();
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
			record(OperationMetrics.SUCCESS, length());
			succeeded(length());
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
	 * End the operation, if it has not ended, with an exception that its caller is about
	 * to get.
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
	 * End the operation, if it has not ended, while the device may still touch its
	 * memory.
	 * @param exception why
	 * @param now the time
	 */
	final void expire(RdmaException exception, long now) {
		if (done()) {
			this.expiredNanos = now;
			RdmaBuffer held = buffer();
			int before = (int) STATE.getAndBitwiseOr(this, HELD);
			if (held != null && (before & QUIET) == 0) {
				connection().heldBack(held.capacity());
			}
			record(OperationMetrics.TIMEOUT, 0);
			failed(exception);
		}
	}

	private void record(String outcome, long bytes) {
		connection().record(kind(), outcome, bytes, System.nanoTime() - this.startNanos);
	}

	final RdmaConnection connection() {
		RdmaConnection current = this.connection;
		if (current == null) {
			throw new IllegalStateException("The operation was not posted");
		}
		return current;
	}

	final long expiredNanos() {
		return this.expiredNanos;
	}

}
