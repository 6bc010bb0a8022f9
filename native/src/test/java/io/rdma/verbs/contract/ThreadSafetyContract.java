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

package io.rdma.verbs.contract;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.WorkRequestException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several threads at once. The outcome of a race is a result or an exception, never a
 * crash, a hang or a lost completion.
 */
@DisplayName("Thread safety")
public abstract class ThreadSafetyContract extends VerbsContract {

	private static final int THREADS = 8;

	private static final int EACH = 250;

	/** The {@code wr_id} of a work request that only gets a device to go on. */
	private static final long EXTRA = 1_000_000;

	private static final Duration QUIET = Duration.ofSeconds(3);

	private static final EndpointOptions WIDE = EndpointOptions.defaults().withCompletionDepth(4096);

	@Test
	void whenThreadsPostToOneQueuePairThenEachWorkRequestCompletesOnce() throws InterruptedException {
		ConnectedPair pair = connect(WIDE);
		try (Workers workers = new Workers()) {
			workers.add(THREADS, (thread) -> {
				for (int i = 0; i < EACH; i++) {
					postOnceThereIsRoom(pair.requester(), pair.fetchAndAdd(thread * EACH + i, 0, 1));
				}
			});
			workers.start();
			List<Completion> completions = pair.requester().awaitSends(THREADS * EACH);
			workers.join();
			assertThat(completions).allMatch((wc) -> wc.status() == CompletionStatus.SUCCESS)
				.extracting(Completion::wrId)
				.doesNotHaveDuplicates();
		}
		assertThat(pair.requester().sends().poll()).isNull();
		assertThat(pair.responder().getLong(0)).isEqualTo(THREADS * EACH);
	}

	@Test
	void whenThreadsPostChainsThenEachKeepsItsOrder() throws InterruptedException {
		ConnectedPair pair = connect(WIDE.withSendDepth(256));
		try (Workers workers = new Workers()) {
			workers.add(4, (thread) -> {
				SendWorkRequests chain = pair.requester().sendChain(8);
				AtomicInteger posted = new AtomicInteger();
				while (posted.get() < 240) {
					onceThereIsRoom(() -> postNext(pair, chain, thread * 1000L, posted));
				}
			});
			workers.start();
			List<Completion> completions = pair.requester().awaitSends(4 * 240);
			workers.join();
			for (int thread = 0; thread < 4; thread++) {
				int owner = thread;
				assertThat(completions).extracting(Completion::wrId)
					.filteredOn((wrId) -> wrId / 1000 == owner)
					.hasSize(240)
					.isSorted();
			}
		}
	}

	@Test
	void whenThreadsPostReceivesAndSendsThenEveryMessageArrives() throws InterruptedException {
		ConnectedPair pair = connect(WIDE.withRnrRetry(7).withMinRnrTimer(1));
		try (Workers workers = new Workers()) {
			workers.add(4, (thread) -> {
				for (int i = 0; i < EACH; i++) {
					postOnceThereIsRoom(pair.requester(), pair.send(thread * EACH + i, 8));
				}
			}).add(4, (thread) -> {
				for (int i = 0; i < EACH; i++) {
					int wrId = thread * EACH + i;
					onceThereIsRoom(() -> pair.responder().postReceive(wrId, 0, 8));
				}
			});
			workers.start();
			assertThat(pair.requester().awaitSends(4 * EACH)).extracting(Completion::wrId).doesNotHaveDuplicates();
			assertThat(pair.responder().awaitReceives(4 * EACH))
				.allMatch((wc) -> wc.status() == CompletionStatus.SUCCESS)
				.extracting(Completion::wrId)
				.doesNotHaveDuplicates();
			workers.join();
		}
	}

	@Test
	void whenThreadsPollThenEachCompletionGoesToOneOfThem() throws InterruptedException {
		ConnectedPair pair = connect(WIDE);
		Set<Long> seen = ConcurrentHashMap.newKeySet();
		AtomicInteger polled = new AtomicInteger();
		int total = 4 * EACH;
		try (Workers workers = new Workers()) {
			workers.add(4, (thread) -> {
				CompletionReader reader = new CompletionReader(context(), pair.requester().sendQueue());
				long deadline = System.nanoTime() + CompletionReader.PATIENCE.toNanos();
				while (polled.get() < total && System.nanoTime() - deadline < 0) {
					Completion completion = reader.poll();
					if (completion != null) {
						seen.add(completion.wrId());
						polled.incrementAndGet();
					}
				}
			}).add(2, (thread) -> {
				for (int i = 0; i < total / 2; i++) {
					postOnceThereIsRoom(pair.requester(), pair.write(thread * total + i, 0, 8));
				}
			});
			workers.join();
		}
		assertThat(polled).hasValue(total);
		assertThat(seen).hasSize(total);
	}

	@Test
	void whenBothSidesPostAtOnceThenNeitherBlocksTheOther() throws InterruptedException {
		ConnectedPair pair = connect(WIDE);
		ConnectedPair back = pair.reversed();
		try (Workers workers = new Workers()) {
			workers.add(4, (thread) -> {
				ConnectedPair direction = (thread % 2 == 0) ? pair : back;
				for (int i = 0; i < 1000; i++) {
					postOnceThereIsRoom(direction.requester(), direction.write(thread * 1000 + i, 4096, 8));
				}
			});
			workers.start();
			assertThat(pair.requester().awaitSends(2000)).allMatch((wc) -> wc.status() == CompletionStatus.SUCCESS);
			assertThat(back.requester().awaitSends(2000)).allMatch((wc) -> wc.status() == CompletionStatus.SUCCESS);
			workers.join();
		}
	}

	@RepeatedTest(5)
	void whenSentToErrWhilePostingThenNoCompletionIsLost() throws InterruptedException {
		ConnectedPair pair = connect(WIDE);
		AtomicInteger accepted = new AtomicInteger();
		CountDownLatch failed = new CountDownLatch(1);
		try (Workers workers = new Workers()) {
			workers.add(THREADS, (thread) -> {
				for (int i = 0; i < EACH; i++) {
					if (i == EACH - 10) {
						awaitInTime(failed);
					}
					postOnceThereIsRoom(pair.requester(), pair.write(thread * EACH + i, 0, 8));
					accepted.incrementAndGet();
				}
			}).add(1, (thread) -> {
				awaitAtLeast(EACH, accepted);
				pair.requester().modifyTo(QueuePairState.ERR);
				failed.countDown();
			});
			workers.start();
			List<Completion> completions = awaitSendsOfFailing(pair, THREADS * EACH);
			workers.join();
			assertThat(completions).extracting(Completion::wrId).doesNotHaveDuplicates();
			assertThat(completions).extracting(Completion::status)
				.containsOnly(CompletionStatus.SUCCESS, CompletionStatus.WR_FLUSH_ERR);
		}
		assertThat(pair.requester().sends().poll()).isNull();
	}

	@RepeatedTest(5)
	void whenPeerIsSentToErrWhilePostingThenEachWorkRequestCompletesOnce() throws InterruptedException {
		ConnectedPair pair = connect(WIDE.withTimeout(10).withRetryCount(1));
		AtomicInteger accepted = new AtomicInteger();
		CountDownLatch failed = new CountDownLatch(1);
		try (Workers workers = new Workers()) {
			workers.add(4, (thread) -> {
				for (int i = 0; i < EACH; i++) {
					if (i == EACH - 10) {
						awaitInTime(failed);
					}
					postOnceThereIsRoom(pair.requester(), pair.write(thread * EACH + i, 0, 8));
					accepted.incrementAndGet();
				}
			}).add(1, (thread) -> {
				awaitAtLeast(EACH, accepted);
				pair.responder().modifyTo(QueuePairState.ERR);
				failed.countDown();
			});
			workers.start();
			List<Completion> completions = awaitSendsOfFailing(pair, 4 * EACH);
			workers.join();
			assertThat(completions).extracting(Completion::wrId).doesNotHaveDuplicates();
			assertThat(completions).filteredOn((wc) -> wc.status() == CompletionStatus.RETRY_EXC_ERR).hasSize(1);
		}
	}

	@RepeatedTest(10)
	void whenClosedWhilePostingAndPollingThenThreadsEndWithAnException() throws InterruptedException {
		ConnectedPair pair = connect(WIDE.withRnrRetry(7).withMinRnrTimer(1));
		Endpoint requester = pair.requester();
		Endpoint responder = pair.responder();
		Semaphore writes = new Semaphore(1000);
		Semaphore sends = new Semaphore(1000);
		Semaphore back = new Semaphore(1000);
		AtomicInteger accepted = new AtomicInteger();
		try (Workers workers = new Workers()) {
			workers.add(2, (thread) -> untilClosed(requester, writes, () -> {
				requester.post(pair.write(1, 0, 8));
				accepted.incrementAndGet();
			}));
			workers.add(1, (thread) -> untilClosed(requester, sends, () -> requester.post(pair.send(2, 8))));
			workers.add(1, (thread) -> untilClosed(() -> requester.postReceive(3, 0, 8)));
			workers.add(1, (thread) -> untilClosed(() -> responder.postReceive(4, 0, 8)));
			workers.add(1,
					(thread) -> untilClosed(responder, back, () -> responder.post(pair.reversed().write(5, 0, 8))));
			workers.add(1, (thread) -> untilClosed(() -> release(1, requester.sends().poll(), writes)));
			workers.add(1, (thread) -> untilClosed(requester.receives()::poll));
			workers.add(1, (thread) -> untilClosed(() -> release(4, responder.receives().poll(), sends)));
			workers.add(1, (thread) -> untilClosed(() -> release(5, responder.sends().poll(), back)));
			workers.start();
			awaitAtLeast(50, accepted);
			for (Endpoint endpoint : List.of(requester, responder)) {
				endpoint.queuePair().close();
				endpoint.sendQueue().close();
				endpoint.receiveQueue().close();
			}
			workers.join();
		}
		assertThat(requester.queuePair().isOpen()).isFalse();
	}

	@RepeatedTest(10)
	void whenRegionOfThePeerIsClosedWhileWritingThenItIsNotTouchedAnyMore() throws InterruptedException {
		ConnectedPair pair = connect(WIDE);
		MemoryRegion target = pair.responder().protectionDomain().allocateMemory(4096, EndpointOptions.ALL);
		long address = target.address();
		int rkey = target.rkey();
		ByteBuffer view = target.buffer(0, 8);
		AtomicInteger accepted = new AtomicInteger();
		try (Workers workers = new Workers()) {
			workers.add(1, (thread) -> {
				long deadline = System.nanoTime() + CompletionReader.PATIENCE.toNanos();
				while (pair.requester().state() == QueuePairState.RTS && System.nanoTime() - deadline < 0) {
					postOnceThereIsRoom(pair.requester(),
							(wr) -> wr.fetchAndAdd(address, rkey, 1).addSge(pair.requester().memory(), 0, 8));
					accepted.incrementAndGet();
				}
			});
			workers.start();
			awaitAtLeast(100, accepted);
			target.close();
			long atClose = view.getLong(0);
			workers.join();
			assertThat(view.getLong(0)).isEqualTo(atClose);
			if (isSoftRoce()) {
				// the pages were given back
				assertThat(atClose).isZero();
			}
			else {
				assertThat(atClose).isNotZero();
			}
		}
		assertThat(pair.requester().awaitSend().status()).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
	}

	@RepeatedTest(10)
	void whenLocalRegionIsClosedWhilePostingThenPosterIsTold() throws InterruptedException {
		ConnectedPair pair = connect(WIDE);
		MemoryRegion source = pair.requester().protectionDomain().allocateMemory(4096, Set.of());
		AtomicInteger accepted = new AtomicInteger();
		try (Workers workers = new Workers()) {
			workers.add(2, (thread) -> untilClosed(() -> {
				pair.requester().post((wr) -> wr.wrId(1).rdmaWrite(pair.remote(0), pair.rkey()).addSge(source, 0, 8));
				accepted.incrementAndGet();
			}));
			workers.start();
			awaitAtLeast(100, accepted);
			source.close();
			workers.join();
		}
		assertThat(source.isOpen()).isFalse();
	}

	@Test
	void whenThreadIsInterruptedThenItCanStillPostAndPoll() {
		ConnectedPair pair = connect();
		Thread.currentThread().interrupt();
		try {
			pair.requester().post(pair.write(1, 0, 8));
			pair.responder().postReceive(2, 0, 8);
			assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
			pair.requester().modifyTo(QueuePairState.ERR);
			pair.responder().queuePair().close();
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		}
		finally {
			// for the sake of the tests that this thread runs after this one
			Thread.interrupted();
		}
	}

	@Test
	void whenClosedByManyAtOnceThenItIsClosedOnce() throws InterruptedException {
		Endpoint endpoint = endpoint();
		try (Workers workers = new Workers()) {
			workers.add(THREADS, (thread) -> endpoint.queuePair().close()).join();
		}
		endpoint.memory().close();
		endpoint.protectionDomain().close();
		assertThat(endpoint.protectionDomain().isOpen()).isFalse();
	}

	@Test
	void whenModifiedByManyAtOnceThenOneTransitionIsMade() throws InterruptedException {
		Endpoint peer = endpoint();
		Endpoint endpoint = endpoint();
		endpoint.queuePair().modify(endpoint.init().build());
		try (Workers workers = new Workers()) {
			workers.add(THREADS, (thread) -> endpoint.queuePair().modify(endpoint.readyToReceive(peer).build()));
			assertThat(workers.failures()).hasSize(THREADS - 1).allSatisfy((failure) -> {
				assertThat(failure).isInstanceOf(VerbsException.class);
				assertThat(((VerbsException) failure).errno()).isEqualTo(Errno.EINVAL);
			});
		}
		assertThat(endpoint.state()).isEqualTo(QueuePairState.RTR);
	}

	@Test
	void whenManyCreateAndDestroyThenNothingIsLeft() throws InterruptedException {
		Endpoint endpoint = endpoint();
		CompletionQueue queue = endpoint.sendQueue();
		try (Workers workers = new Workers()) {
			workers.add(4, (thread) -> {
				for (int i = 0; i < 20; i++) {
					List<QueuePair> queuePairs = new ArrayList<>();
					for (int k = 0; k < 5; k++) {
						queuePairs.add(endpoint.protectionDomain()
							.createQueuePair(
									new QueuePairInitAttributes(queue, queue, new QueuePairCapabilities(4, 4))));
					}
					assertThat(queuePairs).extracting(QueuePair::number).doesNotHaveDuplicates();
					endpoint.protectionDomain().allocateMemory(4096, EndpointOptions.ALL).close();
					queuePairs.forEach(QueuePair::close);
				}
			}).join();
		}
		endpoint.queuePair().close();
		endpoint.memory().close();
		endpoint.protectionDomain().close();
		queue.close();
		assertThat(queue.isOpen()).isFalse();
	}

	private static void postOnceThereIsRoom(Endpoint endpoint, Consumer<SendWorkRequest> request) {
		onceThereIsRoom(() -> endpoint.post(request));
	}

	/**
	 * Wait for the completions of a queue pair that goes to ERR while it is posted to.
	 * Soft-RoCE can miss what was posted in that moment until something else is: then one
	 * more work request is posted, whose completion is left out.
	 */
	private List<Completion> awaitSendsOfFailing(ConnectedPair pair, int count) {
		if (!isSoftRoce()) {
			return pair.requester().awaitSends(count);
		}
		List<Completion> completions = new ArrayList<>();
		long deadline = System.nanoTime() + CompletionReader.PATIENCE.toNanos();
		long lastNanos = System.nanoTime();
		int extra = 0;
		while (completions.size() < count || extra > 0) {
			Completion completion = pair.requester().sends().poll();
			if (completion == null) {
				assertThat(System.nanoTime() - deadline).as("only %d of %d completions came", completions.size(), count)
					.isNegative();
				if (extra == 0 && System.nanoTime() - lastNanos > QUIET.toNanos()) {
					extra += postExtra(pair);
					lastNanos = System.nanoTime();
				}
				LockSupport.parkNanos(50_000);
				continue;
			}
			lastNanos = System.nanoTime();
			if (completion.wrId() == EXTRA) {
				extra--;
			}
			else {
				completions.add(completion);
			}
		}
		return completions;
	}

	private static int postExtra(ConnectedPair pair) {
		try {
			pair.requester().post(pair.write(EXTRA, 0, 8));
			return 1;
		}
		catch (WorkRequestException ex) {
			// a full queue gets going by the call alone
			assertThat(ex.errno()).isEqualTo(Errno.ENOMEM);
			return 0;
		}
	}

	/**
	 * Post the next 8 work requests as a chain. What was taken of a chain that was
	 * refused is not posted again.
	 */
	private static void postNext(ConnectedPair pair, SendWorkRequests chain, long base, AtomicInteger posted) {
		chain.clear();
		for (int i = posted.get(); i < 240 && chain.size() < 8; i++) {
			pair.write(base + i, 0, 8).accept(chain.add());
		}
		try {
			pair.requester().queuePair().postSend(chain);
			posted.addAndGet(chain.size());
		}
		catch (WorkRequestException ex) {
			posted.addAndGet(ex.index());
			throw ex;
		}
	}

	private static void onceThereIsRoom(Runnable post) {
		long deadline = System.nanoTime() + CompletionReader.PATIENCE.toNanos();
		while (true) {
			try {
				post.run();
				return;
			}
			catch (WorkRequestException ex) {
				if (ex.errno() != Errno.ENOMEM || System.nanoTime() - deadline > 0) {
					throw ex;
				}
				LockSupport.parkNanos(10_000);
			}
		}
	}

	private static void awaitAtLeast(int count, AtomicInteger accepted) {
		long deadline = System.nanoTime() + CompletionReader.PATIENCE.toNanos();
		while (accepted.get() < count) {
			assertThat(System.nanoTime() - deadline).as("%s of %s posted in time", accepted, count).isNegative();
			Thread.onSpinWait();
		}
	}

	private static void awaitInTime(CountDownLatch latch) {
		try {
			assertThat(latch.await(CompletionReader.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Post again and again, but no more than the completion queues have room for.
	 */
	private static void untilClosed(Endpoint endpoint, Semaphore room, Runnable post) {
		untilClosed(() -> {
			if (!room.tryAcquire()) {
				assertThat(endpoint.state()).isNotNull();
				return;
			}
			try {
				post.run();
			}
			catch (WorkRequestException ex) {
				room.release();
				throw ex;
			}
		});
	}

	private static void release(long wrId, @Nullable Completion completion, Semaphore room) {
		if (completion != null && completion.wrId() == wrId) {
			room.release();
		}
	}

	private static void untilClosed(Runnable action) {
		long deadline = System.nanoTime() + CompletionReader.PATIENCE.toNanos();
		while (System.nanoTime() - deadline < 0) {
			try {
				action.run();
			}
			catch (ResourceClosedException ex) {
				return;
			}
			catch (WorkRequestException ex) {
				// the queue is full for now
				assertThat(ex.errno()).isEqualTo(Errno.ENOMEM);
			}
		}
		throw new AssertionError("Not closed within " + CompletionReader.PATIENCE);
	}

}
