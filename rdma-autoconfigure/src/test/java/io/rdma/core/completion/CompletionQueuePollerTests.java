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

package io.rdma.core.completion;

import java.lang.Thread.State;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.rdma.testing.TestDevice;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.QueuePair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link CompletionQueuePoller} and {@link CompletionDispatcher}, on the
 * software device.
 */
@ExtendWith(OutputCaptureExtension.class)
class CompletionQueuePollerTests {

	private static final Duration SOON = TestDevice.PATIENCE;

	private final QueuePairs queuePairs = new QueuePairs();

	@AfterEach
	void close() {
		this.queuePairs.close();
	}

	private CompletionQueuePoller poller(PollerMode mode, int threads) {
		return new CompletionQueuePoller(this.queuePairs.context(), mode, threads, 8);
	}

	@ParameterizedTest
	@EnumSource
	void whenWorkCompletesThenItsQueuePairIsTold(PollerMode mode) {
		try (CompletionQueuePoller poller = poller(mode, 1)) {
			poller.start();
			Connection connection = new Connection(poller);
			for (int i = 1; i <= 100; i++) {
				this.queuePairs.postWrite(connection.queuePair, i);
				int expected = i;
				await().atMost(SOON).pollInterval(Duration.ofMillis(1)).until(() -> connection.seen.size() == expected);
			}
			await().atMost(SOON).until(() -> poller.statistics().completions(CompletionStatus.SUCCESS) == 100);
			assertThat(poller.statistics().strays()).isZero();
			connection.close();
		}
	}

	@ParameterizedTest
	@EnumSource
	void whenWorkComesAfterTheThreadWentToWaitThenItIsWoken(PollerMode mode) throws Exception {
		try (CompletionQueuePoller poller = poller(mode, 1)) {
			poller.start();
			Connection connection = new Connection(poller);
			long worst = 0;
			for (int i = 1; i <= 20; i++) {
				awaitWaiting(mode);
				CountDownLatch arrived = new CountDownLatch(1);
				connection.onCompletion = arrived::countDown;
				long start = System.nanoTime();
				this.queuePairs.postWrite(connection.queuePair, i);
				assertThat(arrived.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
				worst = Math.max(worst, System.nanoTime() - start);
			}
			// A wake-up that was lost would take until the wait ends by itself, after 1 s
			assertThat(worst).isLessThan(TimeUnit.MILLISECONDS.toNanos(900));
			connection.close();
		}
	}

	private static void awaitWaiting(PollerMode mode) {
		if (mode != PollerMode.BUSY) {
			await().atMost(SOON)
				.pollInterval(Duration.ofMillis(1))
				.until(() -> pollerThreads().stream().allMatch(CompletionQueuePollerTests::isWaiting));
		}
	}

	private static boolean isWaiting(Thread thread) {
		StackTraceElement[] stack = thread.getStackTrace();
		// A verbs device waits in the kernel, and the state of the thread does not tell
		// that
		return thread.getState() == State.TIMED_WAITING || (stack.length != 0 && stack[0].isNativeMethod()
				&& Stream.of(stack).anyMatch((frame) -> frame.getClassName().endsWith("CompletionChannel")));
	}

	@ParameterizedTest
	@EnumSource
	void whenManyThreadsPostAndAssistThenEachCompletionComesOnce(PollerMode mode) throws Exception {
		try (CompletionQueuePoller poller = poller(mode, 2)) {
			poller.start();
			int threads = 4;
			int each = 3_000;
			AtomicReference<Throwable> failure = new AtomicReference<>();
			Thread[] callers = new Thread[threads];
			for (int t = 0; t < threads; t++) {
				callers[t] = new Thread(() -> {
					try (Connection connection = new Connection(poller)) {
						for (int i = 1; i <= each; i++) {
							this.queuePairs.postWrite(connection.queuePair, i);
							long deadline = System.nanoTime() + SOON.toNanos();
							while (connection.seen.size() < i && System.nanoTime() < deadline) {
								poller.assist();
							}
						}
						assertThat(connection.seen).hasSize(each);
						assertThat(connection.calls).hasValue(each);
					}
					catch (Throwable ex) {
						failure.set(ex);
					}
				});
				callers[t].start();
			}
			for (Thread caller : callers) {
				caller.join(3 * SOON.toMillis());
			}
			assertThat(failure.get()).isNull();
			PollerStatistics statistics = poller.statistics();
			assertThat(statistics.completions()).containsEntry(CompletionStatus.SUCCESS, (long) threads * each);
			assertThat(statistics.strays()).isZero();
			long byThreads = statistics.threads().stream().mapToLong(PollerThreadStatistics::completions).sum();
			assertThat(byThreads + statistics.assisted()).isEqualTo((long) threads * each);
		}
	}

	@Test
	void whenPollerIsStoppedThenACallerCanStillAssist() {
		try (CompletionQueuePoller poller = poller(PollerMode.ADAPTIVE, 1)) {
			Connection connection = new Connection(poller);
			assertThat(poller.assist()).isFalse();
			this.queuePairs.postWrite(connection.queuePair, 1);
			assertThat(connection.seen).isEmpty();
			assertThat(poller.assist()).isTrue();
			assertThat(connection.seen).containsExactly(1L);
			assertThat(poller.assist()).isFalse();
			assertThat(poller.statistics().assisted()).isEqualTo(1);
			connection.close();
		}
	}

	@ParameterizedTest
	@EnumSource
	void whenStoppedAndStartedAgainThenNothingIsLost(PollerMode mode) {
		try (CompletionQueuePoller poller = poller(mode, 2)) {
			Connection connection = new Connection(poller);
			for (int i = 1; i <= 5; i++) {
				poller.start();
				poller.start();
				assertThat(poller.isRunning()).isTrue();
				assertThat(poller.statistics().threads()).allMatch(PollerThreadStatistics::alive);
				int expected = 2 * i - 1;
				this.queuePairs.postWrite(connection.queuePair, expected);
				await().atMost(SOON).until(() -> connection.seen.size() == expected);
				poller.stop();
				poller.stop();
				assertThat(poller.isRunning()).isFalse();
				assertThat(poller.statistics().threads()).noneMatch(PollerThreadStatistics::alive);
				this.queuePairs.postWrite(connection.queuePair, expected + 1);
			}
			assertThat(connection.seen).hasSize(9);
			poller.start();
			await().atMost(SOON).until(() -> connection.seen.size() == 10);
			connection.close();
		}
	}

	@Test
	void whenStartedThenThreadsAreDaemonsOfThisLibrary() {
		try (CompletionQueuePoller poller = poller(PollerMode.EVENT, 2)) {
			poller.start();
			List<Thread> threads = pollerThreads();
			assertThat(threads).extracting(Thread::getName).contains("rdma-poller-1", "rdma-poller-2");
			assertThat(threads).allMatch(Thread::isDaemon).allMatch((thread) -> thread instanceof RdmaThread);
			poller.stop();
			assertThat(pollerThreads()).isEmpty();
		}
	}

	private static List<Thread> pollerThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("rdma-poller-"))
			.toList();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BUSY")
	void whenIdleThenAlmostNoProcessorTimeIsUsed(PollerMode mode) throws Exception {
		try (CompletionQueuePoller poller = poller(mode, 1)) {
			poller.start();
			Connection connection = new Connection(poller);
			this.queuePairs.postWrite(connection.queuePair, 1);
			await().atMost(SOON).until(() -> connection.seen.size() == 1);
			ThreadMXBean threads = ManagementFactory.getThreadMXBean();
			long id = pollerThreads().get(0).getId();
			await().atMost(SOON).pollInterval(Duration.ofMillis(200)).until(() -> {
				// Once it is not in the middle of something
				long before = threads.getThreadCpuTime(id);
				TimeUnit.MILLISECONDS.sleep(100);
				return threads.getThreadCpuTime(id) - before < TimeUnit.MILLISECONDS.toNanos(5);
			});
			long cpuBefore = threads.getThreadCpuTime(id);
			long start = System.nanoTime();
			TimeUnit.SECONDS.sleep(1);
			double share = (double) (threads.getThreadCpuTime(id) - cpuBefore) / (System.nanoTime() - start);
			System.out.printf("An idle poller in mode %s uses %.3f %% of a processor%n", mode, 100 * share);
			assertThat(share).isLessThan(0.05);
			connection.close();
		}
	}

	@Test
	void whenReceiverThrowsThenTheOtherCompletionsStillGoOut(CapturedOutput output) {
		try (CompletionQueuePoller poller = poller(PollerMode.EVENT, 1)) {
			Connection bad = new Connection(poller);
			Connection good = new Connection(poller);
			bad.onCompletion = () -> {
				throw new OutOfMemoryError("for test");
			};
			for (int i = 1; i <= 5; i++) {
				this.queuePairs.postWrite(bad.queuePair, i);
				this.queuePairs.postWrite(good.queuePair, i);
			}
			poller.start();
			await().atMost(SOON).until(() -> good.seen.size() == 5 && bad.calls.get() == 5);
			await().atMost(SOON).until(() -> poller.statistics().sinkFailures() == 5);
			assertThat(poller.statistics().threads()).allMatch(PollerThreadStatistics::alive);
			assertThat(poller.statistics().hasDeadThread()).isFalse();
			assertThat(output).containsOnlyOnce("The receiver of a completion failed").contains("for test");
			bad.close();
			good.close();
		}
	}

	@Test
	void whenCompletionBelongsToNobodyThenItIsCountedAndReportedOnce(CapturedOutput output) {
		try (CompletionQueuePoller poller = poller(PollerMode.ADAPTIVE, 1)) {
			Connection connection = new Connection(poller);
			connection.accepts = false;
			this.queuePairs.postWrite(connection.queuePair, WorkRequestId.encode(WorkRequestKind.SEND, 3, 17));
			poller.start();
			await().atMost(SOON).until(() -> poller.statistics().strays() == 1);
			poller.dispatcher().unregister(connection.queuePair.number(), connection.sink);
			this.queuePairs.postWrite(connection.queuePair, 2);
			await().atMost(SOON).until(() -> poller.statistics().strays() == 2);
			assertThat(output).containsOnlyOnce("belongs to nothing that is outstanding")
				.contains("SEND slot 3 generation 17 of queue pair 0x%06x (known), status SUCCESS"
					.formatted(connection.queuePair.number()));
			connection.close();
		}
	}

	@Test
	void whenWorkFailsThenItIsCountedByStatus() {
		try (CompletionQueuePoller poller = poller(PollerMode.ADAPTIVE, 1)) {
			poller.start();
			Connection connection = new Connection(poller);
			this.queuePairs.postBadWrite(connection.queuePair, 1);
			this.queuePairs.postWrite(connection.queuePair, 2);
			await().atMost(SOON).until(() -> connection.seen.size() == 2);
			assertThat(connection.statuses).containsExactlyInAnyOrder(CompletionStatus.REM_ACCESS_ERR,
					CompletionStatus.WR_FLUSH_ERR);
			await().atMost(SOON).until(() -> poller.statistics().completions(CompletionStatus.WR_FLUSH_ERR) == 1);
			Map<CompletionStatus, Long> counts = poller.statistics().completions();
			assertThat(counts).containsEntry(CompletionStatus.REM_ACCESS_ERR, 1L)
				.hasSize(CompletionStatus.values().length);
			connection.close();
		}
	}

	@ParameterizedTest
	@EnumSource
	void whenQueuesComeAndGoWhileOthersAreUsedThenAllGoesOn(PollerMode mode) {
		try (CompletionQueuePoller poller = poller(mode, 1)) {
			poller.start();
			Connection steady = new Connection(poller);
			for (int i = 1; i <= 50; i++) {
				Connection brief = new Connection(poller);
				this.queuePairs.postWrite(brief.queuePair, i);
				this.queuePairs.postWrite(steady.queuePair, i);
				await().atMost(SOON).pollInterval(Duration.ofMillis(1)).until(() -> brief.seen.size() == 1);
				brief.close();
			}
			await().atMost(SOON).until(() -> steady.seen.size() == 50);
			assertThat(poller.statistics().threads().get(0).queues()).isEqualTo(1);
			assertThat(poller.statistics().threads().get(0).failures()).isZero();
			steady.close();
			assertThat(poller.statistics().threads().get(0).queues()).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource
	void whenEverythingHappensAtOnceThenNothingIsLost(PollerMode mode) throws Exception {
		try (CompletionQueuePoller poller = poller(mode, 2)) {
			AtomicBoolean done = new AtomicBoolean();
			AtomicReference<Throwable> failure = new AtomicReference<>();
			Runnable assist = () -> {
				while (!done.get()) {
					poller.assist();
					Thread.onSpinWait();
				}
			};
			Runnable restart = () -> {
				while (!done.get()) {
					poller.start();
					poller.stop();
				}
			};
			List<Thread> threads = Stream.of(assist, restart).map(Thread::new).toList();
			threads.forEach((thread) -> {
				thread.setUncaughtExceptionHandler((unused, ex) -> failure.set(ex));
				thread.start();
			});
			for (int i = 1; i <= 50; i++) {
				try (Connection connection = new Connection(poller)) {
					for (int id = 1; id <= 20; id++) {
						this.queuePairs.postWrite(connection.queuePair, id);
					}
					await().atMost(SOON).pollInterval(Duration.ofMillis(1)).until(() -> connection.seen.size() == 20);
				}
			}
			done.set(true);
			for (Thread thread : threads) {
				thread.join(SOON.toMillis());
			}
			assertThat(failure.get()).isNull();
			PollerStatistics statistics = poller.statistics();
			assertThat(statistics.completions(CompletionStatus.SUCCESS)).isEqualTo(1000);
			assertThat(statistics.strays()).isZero();
			assertThat(statistics.threads()).allMatch((thread) -> thread.failures() == 0 && thread.queues() == 0);
		}
	}

	@Test
	void whenAQueueCannotBePolledThenTheThreadGoesOnWithTheOthers(CapturedOutput output) {
		try (CompletionQueuePoller poller = poller(PollerMode.ADAPTIVE, 1)) {
			PolledQueue broken = poller.createQueue("broken", 10);
			broken.queue().close();
			Connection connection = new Connection(poller);
			assertThat(poller.assist()).isFalse();
			poller.start();
			this.queuePairs.postWrite(connection.queuePair, 1);
			await().atMost(SOON).until(() -> connection.seen.size() == 1);
			awaitWaiting(PollerMode.ADAPTIVE);
			this.queuePairs.postWrite(connection.queuePair, 2);
			await().atMost(SOON).until(() -> connection.seen.size() == 2);
			PollerThreadStatistics thread = poller.statistics().threads().get(0);
			assertThat(thread.alive()).isTrue();
			assertThat(thread.failures()).isPositive();
			assertThat(output).containsOnlyOnce("Completion queue broken cannot be polled");
			connection.close();
		}
	}

	@Test
	void whenSeveralThreadsThenQueuesAreSpread() {
		try (CompletionQueuePoller poller = poller(PollerMode.EVENT, 3)) {
			PolledQueue[] queues = new PolledQueue[6];
			Arrays.setAll(queues, (i) -> poller.createQueue("queue-" + i, 10));
			assertThat(poller.statistics().threads()).extracting(PollerThreadStatistics::queues)
				.containsExactly(2, 2, 2);
			poller.closeQueue(queues[0]);
			assertThat(poller.statistics().threads().stream().mapToInt(PollerThreadStatistics::queues).sum())
				.isEqualTo(5);
		}
	}

	@Test
	void whenThreadIsInterruptedThenItGoesOn() {
		try (CompletionQueuePoller poller = poller(PollerMode.EVENT, 1)) {
			poller.start();
			Connection connection = new Connection(poller);
			pollerThreads().forEach(Thread::interrupt);
			await().atMost(SOON).until(() -> poller.statistics().threads().get(0).failures() == 1);
			this.queuePairs.postWrite(connection.queuePair, 1);
			await().atMost(SOON).until(() -> connection.seen.size() == 1);
			assertThat(poller.statistics().hasDeadThread()).isFalse();
			connection.close();
		}
	}

	@Test
	void whenCodeRunsOnAThreadOfOursOrInACallbackThenItMayNotBlock() {
		RdmaThreads.checkMayBlock();
		try (CompletionQueuePoller poller = poller(PollerMode.EVENT, 1)) {
			Connection connection = new Connection(poller);
			AtomicReference<Throwable> refusal = new AtomicReference<>();
			connection.onCompletion = () -> {
				try {
					RdmaThreads.checkMayBlock();
				}
				catch (IllegalStateException ex) {
					refusal.set(ex);
				}
			};
			this.queuePairs.postWrite(connection.queuePair, 1);
			poller.assist();
			assertThat(refusal.getAndSet(null)).hasMessageContaining("inside a completion callback")
				.hasMessageContaining("Async");
			RdmaThreads.checkMayBlock();
			poller.start();
			this.queuePairs.postWrite(connection.queuePair, 2);
			await().atMost(SOON).until(() -> refusal.get() != null);
			assertThat(refusal.get()).hasMessageContaining("'rdma-poller-1'").hasMessageContaining("Async");
			connection.close();
		}
	}

	@Test
	void whenReceiverAssistsThenItIsHarmless() {
		try (CompletionQueuePoller poller = poller(PollerMode.EVENT, 1)) {
			Connection connection = new Connection(poller);
			connection.onCompletion = poller::assist;
			for (int i = 1; i <= 20; i++) {
				this.queuePairs.postWrite(connection.queuePair, i);
			}
			poller.start();
			await().atMost(SOON).until(() -> connection.seen.size() == 20);
			assertThat(connection.calls).hasValue(20);
			connection.close();
		}
	}

	@Test
	void whenReceiverClosesAQueueThenItIsRefused() {
		try (CompletionQueuePoller poller = poller(PollerMode.EVENT, 1)) {
			Connection connection = new Connection(poller);
			connection.onCompletion = () -> connection.queue.close();
			this.queuePairs.postWrite(connection.queuePair, 1);
			poller.assist();
			assertThat(poller.statistics().sinkFailures()).isEqualTo(1);
			connection.close();
		}
	}

	@Test
	void whenQueuePairIsRegisteredTwiceThenItIsRefused() {
		try (CompletionQueuePoller poller = poller(PollerMode.EVENT, 1)) {
			CompletionDispatcher dispatcher = poller.dispatcher();
			CompletionSink sink = (completion) -> true;
			dispatcher.register(17, sink);
			dispatcher.register(17, sink);
			assertThatIllegalStateException().isThrownBy(() -> dispatcher.register(17, (completion) -> false))
				.withMessageContaining("0x000011");
			dispatcher.unregister(17, (completion) -> false);
			assertThatIllegalStateException().isThrownBy(() -> dispatcher.register(17, (completion) -> false));
			dispatcher.unregister(17, sink);
			dispatcher.unregister(17, sink);
			dispatcher.register(17, (completion) -> false);
		}
	}

	@Test
	void whenSettingsAreWrongThenTheyAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> poller(PollerMode.EVENT, 0))
			.withMessageContaining("'threads'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new CompletionQueuePoller(this.queuePairs.context(), PollerMode.EVENT, 1, 0))
			.withMessageContaining("'batchSize'");
	}

	@Test
	void whenClosedThenItCannotBeStarted() {
		CompletionQueuePoller poller = poller(PollerMode.ADAPTIVE, 1);
		poller.start();
		poller.createQueue("queue", 10);
		poller.close();
		poller.close();
		assertThatIllegalStateException().isThrownBy(poller::start).withMessageContaining("closed");
		assertThat(poller.assist()).isFalse();
	}

	@Test
	void whenAThreadDiedThenStatisticsTell() {
		PollerThreadStatistics alive = new PollerThreadStatistics("a", true, 0, 0, 0, 0, 0);
		PollerThreadStatistics dead = new PollerThreadStatistics("b", false, 0, 0, 0, 0, 0);
		assertThat(new PollerStatistics(true, Map.of(), 0, 0, 0, List.of(alive, dead)).hasDeadThread()).isTrue();
		assertThat(new PollerStatistics(true, Map.of(), 0, 0, 0, List.of(alive)).hasDeadThread()).isFalse();
		assertThat(new PollerStatistics(false, Map.of(), 0, 0, 0, List.of(dead)).hasDeadThread()).isFalse();
	}

	/**
	 * A queue pair with a queue of its own, and what completed in it.
	 */
	private final class Connection implements AutoCloseable {

		private final Set<Long> seen = ConcurrentHashMap.newKeySet();

		private final Set<CompletionStatus> statuses = ConcurrentHashMap.newKeySet();

		private final AtomicInteger calls = new AtomicInteger();

		private final CompletionSink sink = (completion) -> {
			this.calls.incrementAndGet();
			this.onCompletion.run();
			this.statuses.add(completion.status());
			this.seen.add(completion.wrId());
			return this.accepts;
		};

		private final CompletionQueuePoller poller;

		private final PolledQueue queue;

		private final QueuePair queuePair;

		private volatile Runnable onCompletion = () -> {
		};

		private volatile boolean accepts = true;

		Connection(CompletionQueuePoller poller) {
			this.poller = poller;
			this.queue = poller.createQueue("test", 64);
			this.queuePair = CompletionQueuePollerTests.this.queuePairs.loopback(this.queue.queue(), this.queue.queue(),
					30, 1);
			poller.dispatcher().register(this.queuePair.number(), this.sink);
		}

		@Override
		public void close() {
			this.queuePair.close();
			this.poller.dispatcher().unregister(this.queuePair.number(), this.sink);
			this.poller.closeQueue(this.queue);
		}

	}

}
