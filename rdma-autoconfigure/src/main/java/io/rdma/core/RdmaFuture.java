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

import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.rdma.core.completion.RdmaThreads;
import org.jspecify.annotations.Nullable;

/**
 * The future of an operation. It ends in two steps. First the outcome is set, by whatever
 * thread found it: that wakes threads that wait here. Then the outcome is published to
 * what depends on this future, on the application executor.
 *
 * @param <T> the type of the result
 */
final class RdmaFuture<T extends @Nullable Object> extends CompletableFuture<T> {

	private final AtomicReference<@Nullable Outcome<T>> outcome = new AtomicReference<>();

	private final CountDownLatch ended = new CountDownLatch(1);

	private final @Nullable FutureDispatcher dispatcher;

	private volatile @Nullable Future<?> timer;

	/**
	 * Create a future.
	 * @param dispatcher runs what depends on it, {@code null} if it is only waited for
	 */
	RdmaFuture(@Nullable FutureDispatcher dispatcher) {
		this.dispatcher = dispatcher;
	}

	/**
	 * End with a result. Does nothing if it has ended before, for example by being
	 * cancelled.
	 * @param value the result
	 * @return whether it had not ended before
	 */
	boolean deliver(T value) {
		return end(Outcome.success(value));
	}

	/**
	 * End with a result that user code makes of something. That runs on the first thread
	 * that waits, or on the application executor, never on this one.
	 * @param value gives the result
	 * @return whether it had not ended before
	 */
	boolean deliverFrom(Supplier<T> value) {
		return end(Outcome.of(value));
	}

	/**
	 * End with an exception. Does nothing if it has ended before.
	 * @param failure the exception
	 */
	void fail(Throwable failure) {
		end(Outcome.failure(failure));
	}

	/**
	 * Cancel a timer when this ends.
	 * @param timer the timer
	 */
	void timer(Future<?> timer) {
		this.timer = timer;
		if (isDone()) {
			timer.cancel(false);
		}
	}

	private boolean end(Outcome<T> outcome) {
		boolean first = set(outcome);
		if (first && this.dispatcher != null) {
			this.dispatcher.dispatch(() -> publish(outcome));
		}
		return first;
	}

	private boolean set(Outcome<T> outcome) {
		boolean first = this.outcome.compareAndSet(null, outcome);
		this.ended.countDown();
		Future<?> running = this.timer;
		if (running != null) {
			running.cancel(false);
		}
		return first;
	}

	private boolean publish(Outcome<T> outcome) {
		outcome.resolve();
		return (outcome.failure != null) ? super.completeExceptionally(outcome.failure) : super.complete(outcome.value);
	}

	@Override
	public boolean complete(T value) {
		Outcome<T> outcome = Outcome.success(value);
		return set(outcome) && publish(outcome);
	}

	@Override
	public boolean completeExceptionally(Throwable failure) {
		Outcome<T> outcome = Outcome.failure(failure);
		return set(outcome) && publish(outcome);
	}

	/**
	 * End this future. The operation goes on; its buffers are held until the device is
	 * done with them.
	 * @param mayInterruptIfRunning has no effect
	 * @return whether it is cancelled now
	 */
	@Override
	public boolean cancel(boolean mayInterruptIfRunning) {
		completeExceptionally(new CancellationException());
		return isCancelled();
	}

	@Override
	public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
		executor.execute(() -> {
			try {
				complete(supplier.get());
			}
			catch (Throwable ex) {
				completeExceptionally(ex);
			}
		});
		return this;
	}

	@Override
	public void obtrudeValue(T value) {
		throw new UnsupportedOperationException("The outcome of an RDMA operation cannot be replaced");
	}

	@Override
	public void obtrudeException(Throwable ex) {
		throw new UnsupportedOperationException("The outcome of an RDMA operation cannot be replaced");
	}

	@Override
	public T get() throws InterruptedException, ExecutionException {
		if (!isDone()) {
			RdmaThreads.checkMayBlock();
			this.ended.await();
		}
		return getEnded();
	}

	@Override
	public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
		if (!isDone()) {
			RdmaThreads.checkMayBlock();
			if (!this.ended.await(timeout, unit)) {
				throw new TimeoutException("The RDMA operation has not ended within " + timeout + " "
						+ unit.toString().toLowerCase(Locale.ROOT));
			}
		}
		return getEnded();
	}

	@Override
	public T join() {
		if (!isDone()) {
			RdmaThreads.checkMayBlock();
			awaitUninterruptibly();
		}
		return joinEnded();
	}

	@Override
	public T getNow(T valueIfAbsent) {
		return isDone() ? joinEnded() : valueIfAbsent;
	}

	@Override
	public boolean isDone() {
		return this.outcome.get() != null;
	}

	@Override
	public boolean isCompletedExceptionally() {
		return isDone() && resolved().failure != null;
	}

	@Override
	public boolean isCancelled() {
		return isDone() && resolved().failure instanceof CancellationException;
	}

	@Override
	public Executor defaultExecutor() {
		return (this.dispatcher != null) ? this.dispatcher.executor() : super.defaultExecutor();
	}

	@Override
	public <U> CompletableFuture<U> newIncompleteFuture() {
		return new Dependent<>(defaultExecutor());
	}

	private void awaitUninterruptibly() {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					this.ended.await();
					return;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private T getEnded() throws ExecutionException {
		Outcome<T> result = resolved();
		if (result.failure == null) {
			return result.value;
		}
		if (result.failure instanceof CancellationException cancelled) {
			throw cancelled;
		}
		throw new ExecutionException(result.failure);
	}

	private T joinEnded() {
		Outcome<T> result = resolved();
		if (result.failure == null) {
			return result.value;
		}
		if (result.failure instanceof CancellationException cancelled) {
			throw cancelled;
		}
		throw new CompletionException(result.failure);
	}

	private Outcome<T> resolved() {
		Outcome<T> result = this.outcome.get();
		if (result == null) {
			throw new IllegalStateException("The operation has not ended");
		}
		result.resolve();
		return result;
	}

	/**
	 * How an operation ended. One of its three fields counts.
	 *
	 * @param <T> the type of the result
	 */
	private static final class Outcome<T extends @Nullable Object> {

		private T value;

		private @Nullable Throwable failure;

		private volatile @Nullable Supplier<T> source;

		private Outcome(T value, @Nullable Throwable failure, @Nullable Supplier<T> source) {
			this.value = value;
			this.failure = failure;
			this.source = source;
		}

		private static <T extends @Nullable Object> Outcome<T> success(T value) {
			return new Outcome<>(value, null, null);
		}

		@SuppressWarnings("NullAway") // the value is not looked at
		private static <T extends @Nullable Object> Outcome<T> failure(Throwable failure) {
			return new Outcome<>(null, failure, null);
		}

		@SuppressWarnings("NullAway") // the value is not looked at before it is resolved
		private static <T extends @Nullable Object> Outcome<T> of(Supplier<T> source) {
			return new Outcome<>(null, null, source);
		}

		private void resolve() {
			if (this.source != null) {
				compute();
			}
		}

		private synchronized void compute() {
			Supplier<T> pending = this.source;
			if (pending != null) {
				try {
					this.value = pending.get();
				}
				catch (Throwable ex) {
					this.failure = ex;
				}
				this.source = null;
			}
		}

	}

	/**
	 * What depends on the future of an operation.
	 *
	 * @param <T> the type of the result
	 */
	private static final class Dependent<T extends @Nullable Object> extends CompletableFuture<T> {

		private final Executor executor;

		private Dependent(Executor executor) {
			this.executor = executor;
		}

		@Override
		public Executor defaultExecutor() {
			return this.executor;
		}

		@Override
		public <U> CompletableFuture<U> newIncompleteFuture() {
			return new Dependent<>(this.executor);
		}

	}

}
