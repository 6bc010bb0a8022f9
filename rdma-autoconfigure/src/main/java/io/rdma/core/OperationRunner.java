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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rdma.core.connection.BlockingOperation;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaQueueFullException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.core.memory.RdmaMemoryPool;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Runs operations, on the thread of the caller or for a future.
 */
final class OperationRunner {

	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

	private final Map<LaneKey, PostingLane> lanes = new ConcurrentHashMap<>();

	private final RdmaConnections connections;

	private final RdmaMemoryPool pool;

	private final FutureDispatcher dispatcher;

	private final TemplateSettings settings;

	private final ThreadPoolExecutor posters;

	private final ThreadPoolExecutor transfers;

	private volatile boolean closed;

	OperationRunner(RdmaConnections connections, RdmaMemoryPool pool, FutureDispatcher dispatcher,
			TemplateSettings settings) {
		this.connections = connections;
		this.pool = pool;
		this.dispatcher = dispatcher;
		this.settings = settings;
		this.posters = threads("rdma-post-", settings.transferThreads(), Integer.MAX_VALUE);
		this.transfers = threads("rdma-transfer-", settings.transferThreads(), settings.maxPending());
	}

	private static ThreadPoolExecutor threads(String name, int threads, int queue) {
		CustomizableThreadFactory factory = new CustomizableThreadFactory(name);
		factory.setDaemon(true);
		ThreadPoolExecutor executor = new ThreadPoolExecutor(threads, threads, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(queue), factory);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	/**
	 * Do an operation and wait for it.
	 * @param spec what to do
	 * @param limit until when
	 * @param result makes the result, of the local memory if the operation has any
	 * @param <T> the type of the result
	 * @return the result
	 */
	<T extends @Nullable Object> T perform(OperationSpec spec, TimeLimit limit,
			Function<@Nullable RdmaBuffer, T> result) {
		RdmaConnection fixed = spec.connection();
		RdmaConnection connection = (fixed != null) ? fixed : this.connections.get(spec.peer(), limit.deadline());
		int length = spec.check(connection);
		RdmaBuffer buffer = acquire(spec, length, limit);
		try {
			BlockingOperation operation = new BlockingOperation(spec.kind());
			if (buffer != null) {
				spec.fill(buffer, length);
				operation.local(buffer, spec.start(), length);
			}
			spec.configure(operation, connection);
			operation.deadline(limit.deadline());
			connection.post(operation);
			operation.await();
			spec.succeeded();
			return result.apply(buffer);
		}
		finally {
			if (buffer != null) {
				buffer.release();
			}
		}
	}

	private @Nullable RdmaBuffer acquire(OperationSpec spec, int length, TimeLimit limit) {
		RdmaBuffer given = spec.buffer();
		if (given != null) {
			return given.retain();
		}
		return (length > 0) ? this.pool.acquire(length, limit.remaining()) : null;
	}

	/**
	 * Do an operation without waiting for it.
	 * @param spec what to do
	 * @param deadline until when, as of {@link System#nanoTime()}
	 * @param result makes the result, of the local memory if the operation has any; must
	 * be short and must not be user code
	 * @param completion takes the outcome
	 * @param <T> the type of the result
	 */
	<T extends @Nullable Object> void start(OperationSpec spec, long deadline, Function<@Nullable RdmaBuffer, T> result,
			AsyncCall.Completion<T> completion) {
		AsyncCall<T> call = new AsyncCall<>(spec, this.connections, this.pool, deadline, result, completion);
		try {
			if (spec.connection() == null) {
				// no lane for a name that nobody knows
				this.connections.ready(spec.peer());
			}
			lane(spec).submit(call);
		}
		catch (RuntimeException ex) {
			call.refuse(ex);
		}
	}

	private PostingLane lane(OperationSpec spec) {
		return this.lanes.computeIfAbsent(new LaneKey(spec.peer(), spec.kind().needsCredit()),
				(key) -> new PostingLane(key.peer(), this.posters, this.settings.maxPending()));
	}

	/**
	 * Do something that waits on a thread of its own.
	 * @param context what is known about it
	 * @param task what to do
	 * @param cleanup is run after it, or when it can no longer be run
	 * @param <T> the type of the result
	 * @return the future of the result
	 */
	<T extends @Nullable Object> CompletableFuture<T> inBackground(RdmaErrorContext context, Supplier<T> task,
			Runnable cleanup) {
		BackgroundTask<T> background = new BackgroundTask<>(context, task, cleanup, new RdmaFuture<>(this.dispatcher));
		try {
			this.transfers.execute(background);
		}
		catch (RejectedExecutionException ex) {
			background.refuse(this.closed ? closedException(context, ex)
					: new RdmaQueueFullException(context,
							"%d asynchronous transfers wait to be started".formatted(this.settings.maxPending()),
							"Wait for some of their futures before calling more, or raise rdma.template.max-pending or "
									+ "rdma.template.transfer-threads.",
							ex));
		}
		return background.future;
	}

	/**
	 * Stop: what has not been started fails, and so does what waits on a thread of this.
	 */
	void close() {
		this.closed = true;
		this.posters.shutdownNow();
		this.lanes.values().forEach(PostingLane::close);
		this.transfers.shutdownNow().forEach((task) -> refuse((BackgroundTask<?>) task));
		try {
			long end = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
			this.transfers.awaitTermination(CLOSE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
			this.posters.awaitTermination(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void refuse(BackgroundTask<?> task) {
		task.refuse(closedException(task.context, null));
	}

	static RdmaClosedException closedException(RdmaErrorContext context, @Nullable Throwable cause) {
		return new RdmaClosedException(context, "the template is closed",
				"Do not use it while the application is shutting down.", cause);
	}

	/**
	 * Names a lane. Messages have one of their own, since they can have to wait until the
	 * peer takes some.
	 *
	 * @param peer the name of the peer
	 * @param messages whether it is for operations that the peer takes part in
	 */
	private record LaneKey(String peer, boolean messages) {
	}

	/**
	 * A task of {@link #inBackground}.
	 *
	 * @param <T> the type of the result
	 */
	private final class BackgroundTask<T extends @Nullable Object> implements Runnable {

		private final RdmaErrorContext context;

		private final Supplier<T> task;

		private final Runnable cleanup;

		private final RdmaFuture<T> future;

		private BackgroundTask(RdmaErrorContext context, Supplier<T> task, Runnable cleanup, RdmaFuture<T> future) {
			this.context = context;
			this.task = task;
			this.cleanup = cleanup;
			this.future = future;
		}

		@Override
		public void run() {
			try {
				T value = this.task.get();
				this.cleanup.run();
				this.future.deliver(value);
			}
			catch (RdmaInterruptedException ex) {
				// only close() interrupts these threads
				refuse(OperationRunner.this.closed ? closedException(this.context, ex) : ex);
			}
			catch (Throwable ex) {
				refuse(ex);
			}
		}

		private void refuse(Throwable failure) {
			this.cleanup.run();
			this.future.fail(failure);
		}

	}

}
