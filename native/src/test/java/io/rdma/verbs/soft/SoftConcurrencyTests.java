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

package io.rdma.verbs.soft;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.Errno;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.MemoryWindow;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.SharedReceiveQueue;
import io.rdma.verbs.WorkCompletion;
import io.rdma.verbs.WorkCompletions;
import io.rdma.verbs.WorkRequestException;
import io.rdma.verbs.soft.SoftPair.Side;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that meet inside the device: nothing is lost, nothing comes twice, nobody waits
 * for ever, and memory is let alone when it should be.
 */
@Timeout(60)
class SoftConcurrencyTests {

	private static final int MESSAGES = 20_000;

	private static final long PATIENCE_SECONDS = 30;

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final List<Future<?>> running = new ArrayList<>();

	private final SoftPair pair = new SoftPair();

	@AfterEach
	void closePair() throws Exception {
		this.executor.shutdownNow();
		assertThat(this.executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
		this.pair.close();
	}

	@Test
	void whenBothSidesSendAtOnceThenEveryMessageArrivesInOrder() throws Exception {
		for (Side side : List.of(this.pair.left, this.pair.right)) {
			run(() -> sendMessages(side));
			run(() -> receiveMessages(side));
		}
		await();
	}

	private void sendMessages(Side side) {
		SendWorkRequests chain = this.pair.context.allocateSendWorkRequests(1, 1);
		WorkCompletions completions = this.pair.context.allocateWorkCompletions(SoftPair.DEPTH);
		for (long i = 0; i < MESSAGES; i++) {
			side.memory.putLongRelease(0, i);
			chain.clear().add().wrId(i).send().addSge(side.memory, 0, Long.BYTES).signaled();
			side.queuePair.postSend(chain);
			// the payload must not change before it is gone
			while (side.sendQueue.poll(completions) == 0) {
				Thread.onSpinWait();
			}
			assertThat(completions.get(0).isSuccess()).isTrue();
			assertThat(completions.get(0).wrId()).isEqualTo(i);
		}
	}

	private void receiveMessages(Side side) {
		ReceiveWorkRequests chain = this.pair.context.allocateReceiveWorkRequests(1, 1);
		WorkCompletions completions = this.pair.context.allocateWorkCompletions(SoftPair.DEPTH);
		long expected = 0;
		for (int slot = 0; slot < SoftPair.DEPTH; slot++) {
			postReceive(side, chain, slot);
		}
		while (expected < MESSAGES) {
			int count = side.receiveQueue.poll(completions);
			for (int i = 0; i < count; i++) {
				WorkCompletion completion = completions.get(i);
				assertThat(completion.isSuccess()).isTrue();
				assertThat(completion.byteLength()).isEqualTo(Long.BYTES);
				int slot = (int) completion.wrId();
				assertThat(side.memory.getLongAcquire(slotOffset(slot))).isEqualTo(expected);
				expected++;
				postReceive(side, chain, slot);
			}
		}
	}

	private static long slotOffset(long slot) {
		return 4096 + slot * Long.BYTES;
	}

	private static void postReceive(Side side, ReceiveWorkRequests chain, int slot) {
		chain.clear().add().wrId(slot).addSge(side.memory, slotOffset(slot), Long.BYTES);
		side.queuePair.postReceive(chain);
	}

	@Test
	void whenBothSidesWriteAndReadMuchAtOnceThenNeitherWaitsForEver() throws Exception {
		int half = SoftPair.MEMORY / 2;
		for (Side side : List.of(this.pair.left, this.pair.right)) {
			for (int thread = 0; thread < 2; thread++) {
				boolean writing = thread == 0;
				run(() -> {
					SendWorkRequests chain = this.pair.context.allocateSendWorkRequests(1, 1);
					MemoryRegion target = this.pair.other(side).memory;
					for (int i = 0; i < 300; i++) {
						SendWorkRequest request = chain.clear().add();
						if (writing) {
							request.rdmaWrite(target.address(), target.rkey());
						}
						else {
							request.rdmaRead(target.address() + half, target.rkey());
						}
						request.addSge(side.memory, half, half);
						side.queuePair.postSend(chain);
					}
				});
			}
		}
		await();
		assertThat(this.pair.left.queuePair.state()).isEqualTo(QueuePairState.RTS);
		assertThat(this.pair.right.queuePair.state()).isEqualTo(QueuePairState.RTS);
	}

	@RepeatedTest(20)
	void whenBothSidesFailAtOnceThenEveryWorkRequestCompletesOnce() throws Exception {
		AtomicBoolean wrong = new AtomicBoolean();
		Map<Side, Future<List<Long>>> posted = new HashMap<>();
		for (Side side : List.of(this.pair.left, this.pair.right)) {
			posted.put(side, run(() -> {
				SendWorkRequests chain = this.pair.context.allocateSendWorkRequests(1, 1);
				MemoryRegion target = this.pair.other(side).memory;
				List<Long> accepted = new ArrayList<>();
				for (long i = 0; i < 2000; i++) {
					int rkey = (i == 1000 || wrong.get()) ? target.rkey() + 1 : target.rkey();
					wrong.compareAndSet(false, i == 1000);
					chain.clear().add().wrId(i).rdmaWrite(target.address(), rkey).addSge(side.memory, 0, 8).signaled();
					if (post(side.queuePair, chain)) {
						accepted.add(i);
					}
				}
				return accepted;
			}));
		}
		await();
		for (Side side : List.of(this.pair.left, this.pair.right)) {
			assertThat(side.queuePair.state()).isEqualTo(QueuePairState.ERR);
			assertThat(drain(side, side.sendQueue, of(posted, side).size()))
				.containsExactlyElementsOf(of(posted, side));
		}
	}

	@RepeatedTest(20)
	void whenOneSideGoesToErrWhileBothSendThenEveryWorkRequestCompletesOnce() throws Exception {
		AtomicLong progress = new AtomicLong();
		Map<Side, Future<List<Long>>> sent = new HashMap<>();
		Map<Side, Future<List<Long>>> received = new HashMap<>();
		for (Side side : List.of(this.pair.left, this.pair.right)) {
			received.put(side, run(() -> {
				ReceiveWorkRequests chain = this.pair.context.allocateReceiveWorkRequests(1, 1);
				List<Long> accepted = new ArrayList<>();
				for (long i = 0; i < 1500; i++) {
					chain.clear().add().wrId(i).addSge(side.memory, 0, 64);
					if (post(side.queuePair, chain)) {
						accepted.add(i);
					}
				}
				return accepted;
			}));
			sent.put(side, run(() -> {
				SendWorkRequests chain = this.pair.context.allocateSendWorkRequests(1, 1);
				List<Long> accepted = new ArrayList<>();
				for (long i = 0; i < 1500; i++) {
					chain.clear().add().wrId(i).send().addSge(side.memory, 128, 64).signaled();
					if (post(side.queuePair, chain)) {
						accepted.add(i);
						progress.incrementAndGet();
					}
				}
				return accepted;
			}));
		}
		run(() -> {
			// receives that were all refused leave the sends with little to do
			while (progress.get() < 300 && !sent.values().stream().allMatch(Future::isDone)) {
				Thread.onSpinWait();
			}
			this.pair.left.modifyTo(QueuePairState.ERR);
		});
		await();
		this.pair.right.modifyTo(QueuePairState.ERR);
		for (Side side : List.of(this.pair.left, this.pair.right)) {
			assertThat(drain(side, side.sendQueue, of(sent, side).size())).containsExactlyElementsOf(of(sent, side));
			assertThat(drain(side, side.receiveQueue, of(received, side).size()))
				.containsExactlyElementsOf(of(received, side));
		}
	}

	@RepeatedTest(20)
	void whenResetWhileThePeerWritesThenMemoryIsNotTouchedAnyMore() throws Exception {
		AtomicLong progress = new AtomicLong();
		AtomicBoolean stop = new AtomicBoolean();
		MemoryRegion target = this.pair.right.memory;
		run(() -> {
			while (!stop.get()) {
				this.pair.left.sends.clear()
					.add()
					.fetchAndAdd(target.address(), target.rkey(), 1)
					.addSge(this.pair.left.memory, 0, 8);
				post(this.pair.left.queuePair, this.pair.left.sends);
				progress.incrementAndGet();
			}
		});
		while (progress.get() < 100) {
			Thread.onSpinWait();
		}
		this.pair.right.modifyTo(QueuePairState.RESET);
		long atReset = target.getLongAcquire(0);
		long then = progress.get();
		while (progress.get() < then + 100) {
			Thread.onSpinWait();
		}
		assertThat(target.getLongAcquire(0)).isEqualTo(atReset);
		stop.set(true);
		await();
	}

	@RepeatedTest(20)
	void whenLandingRegionIsClosedWhileReadingThenMemoryIsNotTouchedAnyMore() throws Exception {
		MemoryRegion landing = this.pair.domain.allocateMemory(SoftPair.MEMORY, SoftPair.ACCESS);
		ByteBuffer view = landing.buffer(0, SoftPair.MEMORY).order(ByteOrder.nativeOrder());
		AtomicLong progress = new AtomicLong();
		run(() -> {
			while (landing.isOpen()) {
				// what is read differs from one time to the next
				this.pair.right.memory.putLongRelease(SoftPair.MEMORY - 8, progress.incrementAndGet());
				try {
					this.pair.left.sends.clear()
						.add()
						.rdmaRead(this.pair.right.memory.address(), this.pair.right.memory.rkey())
						.addSge(landing, 0, SoftPair.MEMORY);
				}
				catch (IllegalStateException ex) {
					// closed between the two
					return;
				}
				this.pair.left.queuePair.postSend(this.pair.left.sends);
			}
		});
		while (progress.get() < 10) {
			Thread.onSpinWait();
		}
		landing.close();
		long atClose = view.getLong(SoftPair.MEMORY - 8);
		await();
		assertThat(view.getLong(SoftPair.MEMORY - 8)).isEqualTo(atClose).isNotZero();
	}

	@RepeatedTest(5)
	void whenReconnectedAgainAndAgainWhileThePeerPostsThenItWorksAtTheEnd() throws Exception {
		AtomicBoolean stop = new AtomicBoolean();
		run(() -> {
			SendWorkRequests chain = this.pair.context.allocateSendWorkRequests(1, 1);
			while (!stop.get()) {
				chain.clear()
					.add()
					.rdmaWrite(this.pair.right.memory.address(), this.pair.right.memory.rkey())
					.addSge(this.pair.left.memory, 0, 8)
					.signaled();
				post(this.pair.left.queuePair, chain);
				this.pair.left.sendQueue.poll(this.pair.left.completions);
			}
		});
		for (int i = 0; i < 50; i++) {
			for (Side side : List.of(this.pair.left, this.pair.right)) {
				side.modifyTo(QueuePairState.ERR);
				side.modifyTo(QueuePairState.RESET);
			}
			// the responder first, so that nobody sends to one that is not ready
			this.pair.right.connect(this.pair.left.queuePair.number(), i);
			this.pair.left.connect(this.pair.right.queuePair.number(), i);
		}
		stop.set(true);
		await();
		while (this.pair.left.sendQueue.poll(this.pair.left.completions) > 0) {
			Thread.onSpinWait();
		}
		this.pair.left.sends.clear()
			.add()
			.wrId(-1)
			.rdmaWrite(this.pair.right.memory.address(), this.pair.right.memory.rkey())
			.addSge(this.pair.left.memory, 0, 8)
			.signaled();
		this.pair.left.queuePair.postSend(this.pair.left.sends);
		assertThat(this.pair.left.awaitSuccess(this.pair.left.sendQueue)).isEqualTo(-1);
	}

	@Test
	void whenConnectedToItselfThenItWorksAndFailsAsAnyOther() throws Exception {
		this.pair.left.modifyTo(QueuePairState.ERR);
		this.pair.left.modifyTo(QueuePairState.RESET);
		this.pair.left.connect(this.pair.left.queuePair.number());
		MemoryRegion memory = this.pair.left.memory;
		this.pair.left.receives.clear().add().wrId(1).addSge(memory, 0, 8);
		this.pair.left.receives.add().wrId(2).addSge(memory, 0, 8);
		this.pair.left.queuePair.postReceive(this.pair.left.receives);
		this.pair.left.sends.clear().add().wrId(3).send().addSge(memory, 64, 8).signaled();
		this.pair.left.sends.add().wrId(4).rdmaWrite(memory.address(), memory.rkey() + 1).addSge(memory, 0, 8);
		this.pair.left.sends.add().wrId(5).send().addSge(memory, 64, 8);
		this.pair.left.queuePair.postSend(this.pair.left.sends);
		assertThat(outcomes(this.pair.left, this.pair.left.sendQueue, 3)).containsExactly("3 SUCCESS",
				"4 REM_ACCESS_ERR", "5 WR_FLUSH_ERR");
		assertThat(outcomes(this.pair.left, this.pair.left.receiveQueue, 2)).containsExactly("1 SUCCESS",
				"2 WR_FLUSH_ERR");
	}

	@Test
	void whenManyQueuePairsShareReceivesAndCompletionsThenEachIsUsedOnce() throws Exception {
		int connections = 4;
		int each = 2000;
		SharedReceiveQueue shared = this.pair.alsoClose(this.pair.domain.createSharedReceiveQueue(64, 1));
		CompletionQueue arrivals = this.pair.alsoClose(this.pair.context.createCompletionQueue(8192, null));
		List<QueuePair> senders = new ArrayList<>();
		for (int i = 0; i < connections; i++) {
			QueuePair receiver = this.pair.alsoClose(this.pair.domain.createQueuePair(
					new QueuePairInitAttributes(arrivals, arrivals, shared, new QueuePairCapabilities(4, 0), false)));
			QueuePair sender = this.pair.alsoClose(this.pair.domain
				.createQueuePair(new QueuePairInitAttributes(arrivals, arrivals, new QueuePairCapabilities(31, 4))));
			this.pair.connect(receiver, sender.number());
			this.pair.connect(sender, receiver.number());
			senders.add(sender);
		}
		for (QueuePair sender : senders) {
			run(() -> {
				SendWorkRequests chain = this.pair.context.allocateSendWorkRequests(1, 1);
				for (int i = 0; i < each; i++) {
					chain.clear().add().send().addSge(this.pair.left.memory, 0, 8);
					postOnceThereIsRoom(sender, chain);
				}
			});
		}
		run(() -> {
			ReceiveWorkRequests chain = this.pair.context.allocateReceiveWorkRequests(1, 1);
			for (long i = 0; i < (long) connections * each; i++) {
				chain.clear().add().wrId(i).addSge(this.pair.right.memory, 0, 8);
				while (!accepted(() -> shared.postReceive(chain))) {
					Thread.onSpinWait();
				}
			}
		});
		boolean[] seen = new boolean[connections * each];
		WorkCompletions completions = this.pair.context.allocateWorkCompletions(64);
		for (int count = 0; count < seen.length; count += completions.size()) {
			arrivals.poll(completions);
			for (int i = 0; i < completions.size(); i++) {
				assertThat(completions.get(i).isSuccess()).isTrue();
				assertThat(seen[(int) completions.get(i).wrId()]).isFalse();
				seen[(int) completions.get(i).wrId()] = true;
			}
		}
		await();
	}

	@Test
	void whenCompletionQueueIsOverrunByManyThenEachLossIsToldOf() throws Exception {
		int connections = 3;
		int each = 1000;
		CompletionQueue small = this.pair.alsoClose(this.pair.context.createCompletionQueue(3, null));
		AtomicLong polled = new AtomicLong();
		AtomicBoolean stop = new AtomicBoolean();
		for (int k = 0; k < connections; k++) {
			QueuePair receiver = this.pair
				.alsoClose(this.pair.domain.createQueuePair(new QueuePairInitAttributes(this.pair.right.sendQueue,
						this.pair.right.receiveQueue, new QueuePairCapabilities(4, 4))));
			QueuePair sender = this.pair.alsoClose(this.pair.domain
				.createQueuePair(new QueuePairInitAttributes(small, small, new QueuePairCapabilities(31, 4))));
			this.pair.connect(receiver, sender.number());
			this.pair.connect(sender, receiver.number());
			run(() -> {
				SendWorkRequests chain = this.pair.context.allocateSendWorkRequests(1, 1);
				for (int i = 0; i < each; i++) {
					chain.clear().add().rdmaWrite(0, 0).signaled();
					sender.postSend(chain);
				}
			});
		}
		List<Future<?>> posters = List.copyOf(this.running);
		for (int i = 0; i < 2; i++) {
			run(() -> {
				WorkCompletions completions = this.pair.context.allocateWorkCompletions(2);
				while (!stop.get()) {
					polled.addAndGet(small.poll(completions));
				}
				polled.addAndGet(small.poll(completions));
				polled.addAndGet(small.poll(completions));
			});
		}
		for (Future<?> poster : posters) {
			poster.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		stop.set(true);
		await();
		long lost = 0;
		AsyncEvent event = this.pair.context.awaitAsyncEvent(Duration.ZERO);
		while (event != null) {
			assertThat(event.type()).isEqualTo(AsyncEventType.CQ_ERR);
			assertThat(event.resource()).isSameAs(small);
			lost++;
			event = this.pair.context.awaitAsyncEvent(Duration.ZERO);
		}
		assertThat(polled.get() + lost).isEqualTo((long) connections * each);
	}

	@RepeatedTest(10)
	void whenWindowIsInvalidatedWhileThePeerWritesThenMemoryIsNotTouchedAnyMore() throws Exception {
		Set<AccessFlag> access = EnumSet.copyOf(SoftPair.ACCESS);
		access.add(AccessFlag.MEMORY_WINDOW_BIND);
		MemoryRegion region = this.pair.alsoClose(this.pair.domain.allocateMemory(4096, access));
		MemoryWindow window = this.pair.alsoClose(this.pair.domain.allocateMemoryWindow());
		this.pair.right.queuePair.postBind(1, window, region, 0, 4096,
				EnumSet.of(AccessFlag.REMOTE_ATOMIC, AccessFlag.REMOTE_WRITE), true);
		assertThat(this.pair.right.awaitSuccess(this.pair.right.sendQueue)).isEqualTo(1);
		AtomicLong progress = new AtomicLong();
		run(() -> {
			while (this.pair.left.queuePair.state() == QueuePairState.RTS) {
				this.pair.left.sends.clear()
					.add()
					.fetchAndAdd(region.address(), window.rkey(), 1)
					.addSge(this.pair.left.memory, 0, 8);
				this.pair.left.queuePair.postSend(this.pair.left.sends);
				progress.incrementAndGet();
			}
		});
		while (progress.get() < 100) {
			Thread.onSpinWait();
		}
		this.pair.right.sends.clear().add().wrId(2).localInvalidate(window.rkey()).signaled();
		this.pair.right.queuePair.postSend(this.pair.right.sends);
		assertThat(this.pair.right.await(this.pair.right.sendQueue).wrId()).isEqualTo(2);
		long atInvalidation = region.getLongAcquire(0);
		await();
		assertThat(region.getLongAcquire(0)).isEqualTo(atInvalidation).isNotZero();
	}

	private static List<Long> of(Map<Side, Future<List<Long>>> results, Side side) throws Exception {
		return Objects.requireNonNull(results.get(side)).get();
	}

	private static boolean post(QueuePair queuePair, SendWorkRequests chain) {
		return accepted(() -> queuePair.postSend(chain));
	}

	private static boolean post(QueuePair queuePair, ReceiveWorkRequests chain) {
		return accepted(() -> queuePair.postReceive(chain));
	}

	private static void postOnceThereIsRoom(QueuePair queuePair, SendWorkRequests chain) {
		while (!post(queuePair, chain)) {
			Thread.onSpinWait();
		}
	}

	/**
	 * Return whether something was posted: the queue may be full, and the queue pair may
	 * not be in a state for it while it is reconnected.
	 * @param post posts it
	 * @return whether it was
	 */
	private static boolean accepted(Runnable post) {
		try {
			post.run();
			return true;
		}
		catch (WorkRequestException ex) {
			assertThat(ex.errno()).isIn(Errno.ENOMEM, Errno.EINVAL);
			return false;
		}
	}

	private static List<Long> drain(Side side, CompletionQueue queue, int count) {
		List<Long> contexts = new ArrayList<>();
		while (contexts.size() < count) {
			queue.poll(side.completions);
			for (int i = 0; i < side.completions.size(); i++) {
				contexts.add(side.completions.get(i).wrId());
			}
		}
		assertThat(queue.poll(side.completions)).isZero();
		return contexts;
	}

	private static List<String> outcomes(Side side, CompletionQueue queue, int count) {
		List<String> outcomes = new ArrayList<>();
		while (outcomes.size() < count) {
			queue.poll(side.completions);
			for (int i = 0; i < side.completions.size(); i++) {
				outcomes.add(side.completions.get(i).wrId() + " " + side.completions.get(i).status());
			}
		}
		return outcomes;
	}

	private void run(Runnable task) {
		this.running.add(this.executor.submit(task));
	}

	private <T> Future<T> run(Callable<T> task) {
		Future<T> future = this.executor.submit(task);
		this.running.add(future);
		return future;
	}

	private void await() throws Exception {
		for (Future<?> task : this.running) {
			task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		this.running.clear();
	}

}
