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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rdma.core.completion.RdmaThread;
import io.rdma.core.completion.RdmaThreads;
import io.rdma.core.connection.OperationKind;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.connection.RemoteRegion;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.core.memory.RdmaMemoryPool;
import lombok.Getter;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a template share.
 */
@Getter
@Accessors(fluent = true)
final class TemplateContext {

	/**
	 * The result of an operation that has none.
	 */
	static final Function<@Nullable RdmaBuffer, @Nullable Void> NOTHING = (buffer) -> null;

	private final RdmaConnections connections;

	private final RdmaMemoryPool pool;

	private final TemplateSettings settings;

	private final MessageCodec codec;

	private final ScheduledThreadPoolExecutor timer;

	private final FutureDispatcher dispatcher;

	private final OperationRunner runner;

	/**
	 * Largest piece of a transfer.
	 */
	private final int pieceSize;

	private final int window;

	private volatile boolean closed;

	TemplateContext(RdmaConnections connections, RdmaMemoryPool pool, Executor applicationExecutor,
			TemplateSettings settings, MessageCodec codec) {
		this.connections = connections;
		this.pool = pool;
		this.settings = settings;
		this.codec = codec;
		this.timer = new ScheduledThreadPoolExecutor(1, (task) -> new RdmaThread(task, "rdma-template-timer"));
		this.timer.setRemoveOnCancelPolicy(true);
		this.dispatcher = new FutureDispatcher(applicationExecutor, this.timer);
		this.runner = new OperationRunner(connections, pool, this.dispatcher, settings);
		this.pieceSize = Math.min(settings.chunkSize(), pool.maxBufferSize());
		// one transfer must not take the whole pool from the others
		long half = pool.statistics().maxBytes() / 2;
		this.window = (int) Math.max(1, Math.min(settings.window(), half / this.pieceSize));
	}

	/**
	 * Move bytes to or from a region in pieces, on this thread.
	 * @param spec what to do
	 * @param local the local end
	 * @param limit until when
	 * @param progress is told how far it has come
	 * @param progressDispatcher brings it to the application executor, {@code null} to
	 * call it on this thread
	 */
	void transfer(RegionSpec spec, LocalEnd local, TimeLimit limit, @Nullable TransferProgress progress,
			@Nullable FutureDispatcher progressDispatcher) {
		RdmaConnection connection = this.connections.get(spec.peer(), limit.deadline());
		long length = spec.length();
		RemoteRegion region = spec.check(connection, length);
		Transfer.builder()
			.pool(this.pool)
			.connection(connection)
			.region(region)
			.offset(spec.offset())
			.length(length)
			.kind((spec.kind() == OperationKind.READ) ? OperationKind.READ : OperationKind.WRITE)
			.immediate(spec.immediate())
			.local(local)
			.pieceSize(Math.min(this.pieceSize, connection.maxTransferSize()))
			.window(this.window)
			.limit(limit)
			.progress(new ProgressReporter(progress, progressDispatcher, length))
			.build()
			.run();
	}

	/**
	 * Do an operation that needs no splitting, without waiting for it.
	 * @param spec what to do
	 * @param limit until when
	 * @param result makes the result, on the thread that polls
	 * @param <T> the type of the result
	 * @return the future of the result
	 */
	<T extends @Nullable Object> CompletableFuture<T> start(OperationSpec spec, TimeLimit limit,
			Function<@Nullable RdmaBuffer, T> result) {
		RdmaFuture<T> future = future();
		return guarded(spec.kind(), spec.peer(), future,
				() -> this.runner.start(spec, limit.deadline(), result, new FutureCompletion<>(future)));
	}

	/**
	 * Do a transfer on a thread of its own.
	 * @param spec what it does
	 * @param transfer does it
	 * @param <T> the type of the result
	 * @return the future of the result
	 */
	<T extends @Nullable Object> CompletableFuture<T> inBackground(RegionSpec spec, Supplier<T> transfer) {
		RdmaErrorContext context = describe(spec.kind(), spec.peer());
		if (this.closed) {
			RdmaFuture<T> future = future();
			future.completeExceptionally(OperationRunner.closedException(context, null));
			return future;
		}
		RdmaBuffer buffer = spec.buffer();
		if (buffer != null) {
			buffer.retain();
		}
		return this.runner.inBackground(context, transfer, (buffer != null) ? buffer::release : () -> {
		});
	}

	/**
	 * Start something for a future, which takes the exception if that fails.
	 * @param kind what it is
	 * @param peer the name of the peer
	 * @param future the future
	 * @param start starts it
	 * @param <T> the type of the result
	 * @return the future
	 */
	<T extends @Nullable Object> CompletableFuture<T> guarded(OperationKind kind, String peer, RdmaFuture<T> future,
			Runnable start) {
		try {
			checkOpen(describe(kind, peer));
			start.run();
		}
		catch (RuntimeException ex) {
			future.completeExceptionally(ex);
		}
		return future;
	}

	/**
	 * Fail a receiver when a time limit passes.
	 * @param receiver the receiver
	 * @param limit the limit
	 * @param failure makes the exception
	 */
	void expire(MessageReceiver<?> receiver, TimeLimit limit, Supplier<RdmaException> failure) {
		try {
			receiver.future()
				.timer(this.timer.schedule(() -> receiver.fail(failure.get()), limit.remaining().toNanos(),
						TimeUnit.NANOSECONDS));
		}
		catch (RejectedExecutionException ex) {
			receiver.fail(OperationRunner.closedException(RdmaErrorContext.none(), ex));
		}
	}

	<T extends @Nullable Object> RdmaFuture<T> future() {
		return new RdmaFuture<>(this.dispatcher);
	}

	TimeLimit limit(@Nullable Duration timeout) {
		return TimeLimit.start(timeout, this.settings.timeout());
	}

	/**
	 * Check that a blocking call can be made now.
	 * @param operation what it does
	 * @param peer the name of the peer
	 */
	void checkBlocking(String operation, String peer) {
		RdmaThreads.checkMayBlock();
		checkOpen(RdmaErrorContext.peer(peer).withOperation(operation));
	}

	private void checkOpen(RdmaErrorContext context) {
		if (this.closed) {
			throw OperationRunner.closedException(context, null);
		}
	}

	static RdmaErrorContext describe(OperationKind kind, String peer) {
		return RdmaErrorContext.peer(peer).withOperation(kind.name());
	}

	/**
	 * Accept no more calls.
	 * @return whether it was open
	 */
	synchronized boolean startClosing() {
		boolean open = !this.closed;
		this.closed = true;
		return open;
	}

	/**
	 * Stop the threads.
	 */
	void finishClosing() {
		this.runner.close();
		// runs what is scheduled: the application executor may not come to the last
		// futures
		this.timer.shutdown();
	}

	/**
	 * Ends a future with the outcome of an operation.
	 *
	 * @param future the future
	 * @param <T> the type of the result
	 */
	private record FutureCompletion<T extends @Nullable Object>(
			RdmaFuture<T> future) implements AsyncCall.Completion<T> {

		@Override
		public void succeeded(T value) {
			this.future.deliver(value);
		}

		@Override
		public void failed(Throwable failure) {
			this.future.fail(failure);
		}

	}

}
