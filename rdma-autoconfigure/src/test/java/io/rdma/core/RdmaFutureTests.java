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

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.rdma.core.completion.RdmaThread;
import io.rdma.testing.TestDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.task.SyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RdmaFuture} and {@link FutureDispatcher}.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class RdmaFutureTests {

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1,
			(task) -> new RdmaThread(task, "rdma-test-timer"));

	private final ExecutorService application = Executors
		.newSingleThreadExecutor((task) -> new Thread(task, "application"));

	private final FutureDispatcher dispatcher = new FutureDispatcher(this.application, this.timer);

	private final RdmaFuture<String> future = new RdmaFuture<>(this.dispatcher);

	private final CountDownLatch release = new CountDownLatch(1);

	@AfterEach
	void stop() {
		this.release.countDown();
		this.application.shutdownNow();
		this.timer.shutdownNow();
	}

	@Test
	void whenDeliveredThenWaitingThreadsWakeThoughTheExecutorIsBusy() throws Exception {
		occupyApplication();
		onRdmaThread(() -> this.future.deliver("done"));
		assertThat(this.future.join()).isEqualTo("done");
		assertThat(this.future.get()).isEqualTo("done");
		assertThat(this.future.get(1, TimeUnit.NANOSECONDS)).isEqualTo("done");
		assertThat(this.future.getNow("other")).isEqualTo("done");
		assertThat(this.future).isDone();
		assertThat(this.future.isCompletedExceptionally()).isFalse();
		assertThat(this.future.deliver("again")).isFalse();
		assertThat(this.future.complete("again")).isFalse();
		assertThat(this.future.completeExceptionally(new IllegalStateException())).isFalse();
		assertThat(this.future.cancel(true)).isFalse();
		assertThat(this.future.join()).isEqualTo("done");
	}

	@Test
	void whenFailedThenExceptionIsWrappedAsInAnyFuture() {
		IllegalArgumentException failure = new IllegalArgumentException("no");
		onRdmaThread(() -> this.future.fail(failure));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(this.future::join).withCause(failure);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(this.future::get).withCause(failure);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> this.future.getNow("x"))
			.withCause(failure);
		assertThat(this.future.isCompletedExceptionally()).isTrue();
		assertThat(this.future.exceptionally(Throwable::getMessage).join()).isEqualTo("no");
	}

	@Test
	void whenNotDoneThenGetTimesOutAndGetNowGivesTheOther() {
		assertThat(this.future.isDone()).isFalse();
		assertThat(this.future.getNow("other")).isEqualTo("other");
		assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> this.future.get(10, TimeUnit.MILLISECONDS))
			.withMessageContaining("10 milliseconds");
	}

	@Test
	void whenCancelledThenWaitingThreadsWakeAndTheResultIsDropped() {
		assertThat(this.future.cancel(false)).isTrue();
		assertThat(this.future.cancel(false)).isTrue();
		assertThat(this.future.deliver("late")).isFalse();
		assertThat(this.future).isCancelled();
		assertThatExceptionOfType(CancellationException.class).isThrownBy(this.future::join);
		assertThatExceptionOfType(CancellationException.class).isThrownBy(this.future::get);
		assertThat(this.future.handle((value, failure) -> failure).join()).isInstanceOf(CancellationException.class);
	}

	@Test
	void whenCompletedByTheUserThenThatCounts() {
		AtomicReference<String> seen = new AtomicReference<>();
		this.future.thenAccept(seen::set);
		assertThat(this.future.complete("mine")).isTrue();
		assertThat(seen.get()).isEqualTo("mine");
		assertThat(this.future.join()).isEqualTo("mine");
		RdmaFuture<String> other = new RdmaFuture<>(this.dispatcher);
		other.completeOnTimeout("default", 1, TimeUnit.MILLISECONDS);
		assertThat(other.join()).isEqualTo("default");
		RdmaFuture<String> limited = new RdmaFuture<>(this.dispatcher);
		limited.orTimeout(1, TimeUnit.MILLISECONDS);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(limited::join)
			.withCauseInstanceOf(TimeoutException.class);
		RdmaFuture<String> supplied = new RdmaFuture<>(this.dispatcher);
		assertThat(supplied.completeAsync(() -> "supplied").join()).isEqualTo("supplied");
	}

	@Test
	void whenThreadIsInterruptedThenGetEndsAndJoinGoesOn() throws Exception {
		AtomicReference<Object> outcome = new AtomicReference<>();
		Thread getting = new Thread(() -> {
			try {
				outcome.set(this.future.get());
			}
			catch (Exception ex) {
				outcome.set(ex);
			}
		});
		getting.start();
		getting.interrupt();
		getting.join(10_000);
		assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
		AtomicReference<Object> joined = new AtomicReference<>();
		Thread joining = new Thread(() -> joined.set(this.future.join() + Thread.currentThread().isInterrupted()));
		joining.start();
		joining.interrupt();
		this.future.deliver("done ");
		joining.join(10_000);
		assertThat(joined.get()).isEqualTo("done true");
	}

	@Test
	void whenWaitedForOnAThreadOfTheLibraryThenIllegalState() {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		onRdmaThread(() -> {
			try {
				this.future.join();
			}
			catch (IllegalStateException ex) {
				failure.set(ex);
			}
		});
		assertThat(failure.get()).isNotNull();
		this.future.deliver("done");
		AtomicReference<String> value = new AtomicReference<>();
		onRdmaThread(() -> value.set(this.future.join()));
		assertThat(value.get()).isEqualTo("done");
	}

	@Test
	void whenDeliveredThenDependentsOfAllKindsRunOnTheApplicationExecutor() {
		CompletableFuture<String> chain = this.future.thenApply((value) -> name())
			.thenCombine(this.future.thenApplyAsync((value) -> name()), (one, other) -> one + " " + other)
			.thenCompose((names) -> new RdmaFuture<String>(this.dispatcher).completeAsync(() -> names + " " + name()));
		onRdmaThread(() -> this.future.deliver("done"));
		assertThat(chain.join()).isEqualTo("application application application");
	}

	@Test
	void whenResultIsMadeByUserCodeThenItRunsOnceAndNeverOnTheDeliveringThread() {
		AtomicInteger count = new AtomicInteger();
		AtomicReference<Thread> thread = new AtomicReference<>();
		onRdmaThread(() -> this.future.deliverFrom(() -> {
			thread.set(Thread.currentThread());
			return "made " + count.incrementAndGet();
		}));
		assertThat(this.future.join()).isEqualTo("made 1");
		assertThat(this.future.thenApply((value) -> value).join()).isEqualTo("made 1");
		assertThat(thread.get()).isNotInstanceOf(RdmaThread.class);
		RdmaFuture<String> failing = new RdmaFuture<>(this.dispatcher);
		failing.deliverFrom(() -> {
			throw new IllegalStateException("on purpose");
		});
		assertThatExceptionOfType(CompletionException.class).isThrownBy(failing::join)
			.withCauseInstanceOf(IllegalStateException.class);
		assertThat(failing.isCompletedExceptionally()).isTrue();
	}

	@Test
	void whenExecutorStaysBusyThenDependentsRunOnASpareThread() throws Exception {
		occupyApplication();
		CompletableFuture<String> dependent = this.future.thenApply((value) -> name());
		onRdmaThread(() -> this.future.deliver("done"));
		assertThat(dependent.get(20, TimeUnit.SECONDS)).startsWith("rdma-future-");
	}

	@Test
	void whenAllThreadsOfTheExecutorWaitForACombinationThenItEnds() {
		RdmaFuture<String> other = new RdmaFuture<>(this.dispatcher);
		CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> {
			CompletableFuture.allOf(this.future, other).join();
			return "both";
		}, this.application);
		onRdmaThread(() -> this.future.deliver("one"));
		onRdmaThread(() -> other.deliver("other"));
		assertThat(waiting.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("both");
	}

	@Test
	void whenExecutorRefusesThenDependentsRunOnASpareThread() {
		this.application.shutdownNow();
		CompletableFuture<String> dependent = this.future.thenApply((value) -> name());
		onRdmaThread(() -> this.future.deliver("done"));
		assertThat(dependent.join()).startsWith("rdma-future-");
	}

	@Test
	void whenTimerIsShutDownAndExecutorIsBusyThenDependentsRunAtOnce() throws Exception {
		occupyApplication();
		this.timer.shutdown();
		CompletableFuture<String> dependent = this.future.thenApply((value) -> name());
		onRdmaThread(() -> this.future.deliver("done"));
		assertThat(dependent.join()).startsWith("rdma-future-");
	}

	@Test
	void whenExecutorRunsTasksInTheCallersThreadThenDependentsDoNotRunOnAThreadOfTheLibrary() {
		RdmaFuture<String> synchronous = new RdmaFuture<>(new FutureDispatcher(new SyncTaskExecutor(), this.timer));
		CompletableFuture<String> dependent = synchronous.thenApply((value) -> name());
		onRdmaThread(() -> synchronous.deliver("done"));
		assertThat(dependent.join()).startsWith("rdma-future-");
	}

	@Test
	void whenEndedThenTimerIsCancelled() {
		CompletableFuture<Void> running = new CompletableFuture<>();
		this.future.timer(running);
		this.future.deliver("done");
		assertThat(running).isCancelled();
		CompletableFuture<Void> late = new CompletableFuture<>();
		this.future.timer(late);
		assertThat(late).isCancelled();
	}

	@Test
	void progressIsToldInOrderAndNeverByTwoThreadsAndEndsWithTheTotal() {
		AtomicInteger inside = new AtomicInteger();
		AtomicLong last = new AtomicLong();
		AtomicReference<String> problem = new AtomicReference<>();
		ExecutorService many = Executors.newFixedThreadPool(4);
		try {
			ProgressReporter reporter = new ProgressReporter((transferred, total) -> {
				if (inside.incrementAndGet() != 1 || transferred < last.get() || total != 10_000) {
					problem.set(transferred + " after " + last.get());
				}
				last.set(transferred);
				inside.decrementAndGet();
			}, new FutureDispatcher(many, this.timer), 10_000);
			onRdmaThread(() -> {
				for (int i = 0; i < 10_000; i++) {
					reporter.add(1);
				}
			});
			await().atMost(TestDevice.PATIENCE).until(() -> last.get() == 10_000);
			assertThat(problem.get()).isNull();
		}
		finally {
			many.shutdownNow();
		}
	}

	@Test
	void outcomeCannotBeReplaced() {
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> this.future.obtrudeValue("x"));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.future.obtrudeException(new IllegalStateException()));
	}

	private static String name() {
		return Thread.currentThread().getName();
	}

	private void occupyApplication() throws InterruptedException {
		CountDownLatch started = new CountDownLatch(1);
		this.application.execute(() -> {
			started.countDown();
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
	}

	private static void onRdmaThread(Runnable task) {
		Thread thread = new RdmaThread(task, "rdma-test");
		thread.start();
		try {
			thread.join(20_000);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
