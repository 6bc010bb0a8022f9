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

import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaExceptionTranslator;
import io.rdma.verbs.VerbsException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * The state of a connection, why it ended, and who waits for what of it. Thread-safe.
 */
@RequiredArgsConstructor
final class ConnectionLife {

	/** What to do about a connection that was lost. */
	static final String RETRY = "The connection is made again by itself; repeat the operation if it may be carried "
			+ "out twice.";

	private static final long MIN_PARK_NANOS = 20_000;

	private static final long MAX_PARK_NANOS = 1_000_000;

	private final RdmaConnection connection;

	private final ConnectionOwner owner;

	/** Wakes all who wait for room in the send queue or for credits. */
	private final Runnable wakeSenders;

	private final ReentrantLock transition = new ReentrantLock();

	/** Our proof and the peer's. */
	private final CountDownLatch proof = new CountDownLatch(2);

	private final CountDownLatch farewell = new CountDownLatch(1);

	private volatile ConnectionState state = ConnectionState.CONNECTING;

	private volatile Instant since = Instant.now();

	private volatile @Nullable RdmaException failure;

	ConnectionState state() {
		return this.state;
	}

	Instant since() {
		return this.since;
	}

	@Nullable RdmaException failure() {
		return this.failure;
	}

	/**
	 * Let the connection be used.
	 * @return whether it can be, {@code false} if it failed meanwhile
	 */
	boolean ready() {
		return go(ConnectionState.CONNECTING, ConnectionState.READY, null);
	}

	/**
	 * Accept nothing new.
	 * @param reason why
	 * @return whether it was in use
	 */
	boolean drain(String reason) {
		return go(ConnectionState.READY, ConnectionState.DRAINING, reason);
	}

	/**
	 * End in order, unless it ended already.
	 * @param reason why
	 */
	void closed(String reason) {
		if (go(ConnectionState.DRAINING, ConnectionState.CLOSED, reason)
				|| go(ConnectionState.CONNECTING, ConnectionState.CLOSED, reason)) {
			wakeAll();
		}
	}

	private boolean go(ConnectionState from, ConnectionState to, @Nullable String reason) {
		this.transition.lock();
		try {
			if (this.state != from) {
				return false;
			}
			this.state = to;
			this.since = Instant.now();
			// told before anything else can happen, so that nobody hears of it in wrong
			// order
			this.owner.changed(this.connection, from, to, reason, null);
			return true;
		}
		finally {
			this.transition.unlock();
		}
	}

	/**
	 * Let the connection fail. The first cause counts.
	 * @param cause why
	 * @return whether this was the first
	 */
	boolean fail(RdmaException cause) {
		this.transition.lock();
		try {
			ConnectionState from = this.state;
			if (from.isFinal()) {
				return false;
			}
			this.failure = cause;
			this.state = ConnectionState.LOST;
			this.since = Instant.now();
			wakeAll();
			this.owner.changed(this.connection, from, ConnectionState.LOST, cause.getMessage(), cause);
			return true;
		}
		finally {
			this.transition.unlock();
		}
	}

	/**
	 * Let the connection fail since the library itself could not do its part.
	 * @param operation what it did
	 * @param problem what went wrong
	 * @param exception the cause
	 */
	void fail(String operation, String problem, Throwable exception) {
		RdmaErrorContext known = this.connection.context(operation);
		fail((exception instanceof VerbsException verbs) ? RdmaExceptionTranslator.translate(verbs, known)
				: new RdmaConnectionLostException(known, problem + ": " + exception, RETRY, exception));
	}

	private void wakeAll() {
		this.wakeSenders.run();
		this.proof.countDown();
		this.proof.countDown();
		this.farewell.countDown();
	}

	/**
	 * Take note of one half of the proof that the queue pair works.
	 */
	void proven() {
		this.proof.countDown();
	}

	/**
	 * Wait until our proof arrived and the peer's did.
	 * @param deadlineNanos until when
	 * @return whether both did
	 */
	boolean awaitProof(long deadlineNanos) {
		return await(() -> this.proof.getCount() == 0, deadlineNanos) && this.failure == null;
	}

	/**
	 * Take note that the peer sends nothing more over the queue pair.
	 */
	void farewell() {
		this.farewell.countDown();
	}

	boolean hasFarewell() {
		return this.farewell.getCount() == 0;
	}

	/**
	 * Wait until the peer sends nothing more.
	 * @param deadlineNanos until when
	 * @return whether it said so
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitFarewell(long deadlineNanos) throws InterruptedException {
		return this.farewell.await(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
	}

	/**
	 * Wait for a condition that completions bring about.
	 * @param condition the condition
	 * @param deadlineNanos until when
	 * @return whether it came about; {@code false} also if the thread was interrupted
	 */
	boolean await(BooleanSupplier condition, long deadlineNanos) {
		long park = MIN_PARK_NANOS;
		while (!condition.getAsBoolean()) {
			this.connection.assist();
			long remaining = deadlineNanos - System.nanoTime();
			if (remaining <= 0 || Thread.currentThread().isInterrupted()) {
				return condition.getAsBoolean();
			}
			LockSupport.parkNanos(this, Math.min(remaining, park));
			park = Math.min(2 * park, MAX_PARK_NANOS);
		}
		return true;
	}

	/**
	 * Make the exception of an operation that was not posted since the connection ended.
	 * @param kind what it does
	 * @return the exception
	 */
	RdmaException notPosted(OperationKind kind) {
		RdmaException cause = this.failure;
		RdmaErrorContext known = this.connection.context(kind.name());
		if (cause != null) {
			return new RdmaConnectionLostException(known,
					"the connection was lost before the operation was posted, so it has no effect: "
							+ cause.getMessage(),
					"Repeat the operation: the connection is made again by itself.", cause);
		}
		return new RdmaClosedException(known, "the connection is being closed, the operation has no effect",
				"Repeat the operation on a new connection, unless the application is shutting down.");
	}

	/**
	 * Make the exception of an operation that was under way when the connection ended.
	 * @param known what is known about the operation
	 * @return the exception
	 */
	RdmaException outcomeUnknown(RdmaErrorContext known) {
		RdmaException cause = this.failure;
		if (cause == null) {
			return new RdmaClosedException(known,
					"the connection was closed before the operation ended; whether it took effect is not known",
					"Repeat the operation if it may be carried out twice, unless the application is shutting down.");
		}
		return new RdmaConnectionLostException(known,
				"the connection was lost before the operation ended; whether it took effect is not known: "
						+ cause.getMessage(),
				RETRY, cause);
	}

}
