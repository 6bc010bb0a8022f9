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

import java.time.Duration;
import java.util.function.Function;

import io.rdma.core.connection.Operation;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.core.memory.RdmaMemoryPool;
import org.jspecify.annotations.Nullable;

/**
 * An operation that nobody waits for. It is started at once if that needs no waiting, and
 * by a thread of a {@link PostingLane} otherwise.
 *
 * @param <T> the type of the result
 */
final class AsyncCall<T extends @Nullable Object> extends Operation {

	private final OperationSpec spec;

	private final RdmaConnections connections;

	private final RdmaMemoryPool pool;

	private final long deadline;

	private final Function<@Nullable RdmaBuffer, T> result;

	private final Completion<T> completion;

	private @Nullable RdmaBuffer buffer;

	AsyncCall(OperationSpec spec, RdmaConnections connections, RdmaMemoryPool pool, long deadline,
			Function<@Nullable RdmaBuffer, T> result, Completion<T> completion) {
		super(spec.kind());
		this.spec = spec;
		this.connections = connections;
		this.pool = pool;
		this.deadline = deadline;
		this.result = result;
		this.completion = completion;
		RdmaBuffer given = spec.buffer();
		this.buffer = (given != null) ? given.retain() : null;
		deadline(deadline);
	}

	/**
	 * Start it if that needs no waiting. If this throws, {@link #refuse(Throwable)} must
	 * be called.
	 * @return whether it was started
	 */
	boolean tryStart() {
		RdmaConnection fixed = this.spec.connection();
		RdmaConnection connection = (fixed != null) ? fixed : this.connections.ready(this.spec.peer());
		if (connection == null || this.spec.isExternal()) {
			return false;
		}
		int length = this.spec.check(connection);
		if (this.buffer == null && length > 0) {
			this.buffer = this.pool.tryAcquire(length);
			if (this.buffer == null) {
				return false;
			}
			this.spec.fill(this.buffer, length);
		}
		configure(connection, length);
		return connection.offer(this);
	}

	/**
	 * Start it, waiting for what it needs until its deadline. Never throws.
	 */
	void start() {
		try {
			RdmaConnection fixed = this.spec.connection();
			RdmaConnection connection = (fixed != null) ? fixed : this.connections.get(this.spec.peer(), this.deadline);
			int length = this.spec.check(connection);
			if (this.buffer == null && length > 0) {
				long remaining = Math.max(0, this.deadline - System.nanoTime());
				this.buffer = this.pool.acquire(length, Duration.ofNanos(remaining));
				this.spec.fill(this.buffer, length);
			}
			configure(connection, length);
			connection.post(this);
		}
		catch (RdmaInterruptedException ex) {
			// only closing the template interrupts the thread that runs this
			refuse(OperationRunner.closedException(RdmaErrorContext.peer(this.spec.peer()).withOperation(kind().name()),
					ex));
		}
		catch (Throwable ex) {
			refuse(ex);
		}
	}

	private void configure(RdmaConnection connection, int length) {
		if (this.buffer != null) {
			local(this.buffer, this.spec.start(), length);
		}
		this.spec.configure(this, connection);
	}

	/**
	 * End it, since it could not be started.
	 * @param failure why
	 */
	void refuse(Throwable failure) {
		release();
		this.completion.failed(failure);
	}

	@Override
	protected void succeeded(long bytes) {
		T value = this.result.apply(this.buffer);
		release();
		this.spec.succeeded();
		this.completion.succeeded(value);
	}

	@Override
	protected void failed(RdmaException exception) {
		refuse(exception);
	}

	private void release() {
		if (this.buffer != null) {
			this.buffer.release();
			this.buffer = null;
		}
	}

	/**
	 * Takes the outcome.
	 *
	 * @param <T> the type of the result
	 */
	interface Completion<T extends @Nullable Object> {

		/**
		 * It succeeded.
		 * @param value the result
		 */
		void succeeded(T value);

		/**
		 * It failed.
		 * @param failure why
		 */
		void failed(Throwable failure);

	}

}
