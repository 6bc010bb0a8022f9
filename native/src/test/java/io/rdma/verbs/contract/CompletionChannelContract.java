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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ResourceClosedException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Being told of completions instead of polling.
 */
@DisplayName("Completion channel")
public abstract class CompletionChannelContract extends VerbsContract {

	private static final Duration SHORTLY = Duration.ofMillis(30);

	@Test
	void whenArmedThenNextCompletionBringsAnEventOfItsQueue() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.responder().receiveQueue().arm();
		sendOne(pair);
		assertEvent(pair.responder());
	}

	@Test
	void whenCompletionsAreManyThenOneArmingBringsOneEvent() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.responder().receiveQueue().arm();
		sendOne(pair);
		sendOne(pair);
		assertEvent(pair.responder());
		assertNoEvent(pair.responder());
	}

	@Test
	@DisplayName("notify: completion already there when armed: no event; next: 1 event; not re-armed: none")
	void whenCompletionIsThereAlreadyThenOnlyTheNextBringsAnEvent() throws InterruptedException {
		ConnectedPair pair = connect();
		sendOne(pair);
		pair.responder().receiveQueue().arm();
		assertNoEvent(pair.responder());
		sendOne(pair);
		assertEvent(pair.responder());
		sendOne(pair);
		assertNoEvent(pair.responder());
		pair.responder().awaitReceives(3);
	}

	@Test
	void whenArmedAgainThenThereIsAnotherEvent() throws InterruptedException {
		ConnectedPair pair = connect();
		for (int i = 0; i < 5; i++) {
			pair.responder().receiveQueue().arm();
			sendOne(pair);
			assertEvent(pair.responder());
		}
	}

	@Test
	void whenQueuesShareAChannelThenEventTellsWhichOne() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.requester().sendQueue().arm();
		pair.requester().receiveQueue().arm();
		pair.requester().post(pair.write(1, 0, 8));
		CompletionQueue told = pair.requester().channel().await(CompletionReader.PATIENCE);
		assertThat(told).isSameAs(pair.requester().sendQueue());
		pair.requester().sendQueue().acknowledge(1);
		assertNoEvent(pair.requester());
	}

	@Test
	@DisplayName("solicited_only: no event for a plain SEND, event for SOLICITED")
	void whenArmedForSolicitedThenOnlyASolicitedMessageBringsAnEvent() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.responder().receiveQueue().armSolicited();
		sendOne(pair);
		assertNoEvent(pair.responder());
		pair.responder().postReceive(1, 0, 8);
		pair.requester().post((wr) -> pair.send(2, 8).accept(wr.solicited()));
		assertEvent(pair.responder());
	}

	@Test
	void whenWriteWithImmediateIsSolicitedThenItBringsAnEvent() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.responder().postReceive(1, 0, 8);
		pair.responder().receiveQueue().armSolicited();
		pair.requester().post((wr) -> wr.rdmaWriteWithImmediate(pair.remote(0), pair.rkey(), 1).solicited());
		assertEvent(pair.responder());
	}

	@Test
	@DisplayName("solicited_only: flush error: event on 6.1, none on 6.12, 7.3 (differs; specification: event)")
	void whenArmedForSolicitedThenAnErrorBringsAnEvent() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.responder().postReceive(11, 0, 8);
		pair.responder().receiveQueue().armSolicited();
		pair.responder().modifyTo(QueuePairState.ERR);
		if (pair.responder().isSoftRoce()) {
			CompletionQueue told = pair.responder().channel().await(SHORTLY);
			assertThat(told).isIn(null, pair.responder().receiveQueue());
			pair.responder().receiveQueue().acknowledge((told != null) ? 1 : 0);
		}
		else {
			assertEvent(pair.responder());
		}
		assertThat(outcomes(pair.responder().awaitReceives(1)))
			.containsExactly(outcome(11, CompletionStatus.WR_FLUSH_ERR));
	}

	@Test
	void whenNothingHappensThenAwaitReturnsWhenItsTimeIsUp() throws InterruptedException {
		CompletionChannel channel = closeAfterTest(context().createCompletionChannel());
		long start = System.nanoTime();
		assertThat(channel.await(Duration.ofMillis(20))).isNull();
		assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
		assertThat(channel.await(Duration.ZERO)).isNull();
	}

	@Test
	void whenEventCameBeforeThenAwaitReturnsItAtOnce() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.responder().receiveQueue().arm();
		sendOne(pair);
		await().pollDelay(Duration.ZERO).untilAsserted(() -> {
			CompletionQueue told = pair.responder().channel().await(Duration.ZERO);
			assertThat(told).isSameAs(pair.responder().receiveQueue());
		});
		pair.responder().receiveQueue().acknowledge(1);
	}

	@Test
	void whenEventIsNotAcknowledgedThenQueueRefusesToClose() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.responder().receiveQueue().arm();
		sendOne(pair);
		assertThat(pair.responder().channel().await(CompletionReader.PATIENCE)).isNotNull();
		pair.responder().queuePair().close();
		assertRefused(Errno.EBUSY, pair.responder().receiveQueue()::close);
		pair.responder().receiveQueue().acknowledge(1);
		pair.responder().receiveQueue().close();
	}

	@Test
	void whenEventWasNeverTakenThenQueueCloses() {
		ConnectedPair pair = connect();
		pair.responder().receiveQueue().arm();
		sendOne(pair);
		pair.responder().awaitReceive();
		pair.responder().queuePair().close();
		pair.responder().receiveQueue().close();
		assertThat(pair.responder().receiveQueue().isOpen()).isFalse();
	}

	@Test
	void whenEventsOfAClosedQueueAreLeftThenTheyAreNotHandedOut() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.responder().receiveQueue().arm();
		sendOne(pair);
		pair.responder().awaitReceive();
		pair.responder().queuePair().close();
		pair.responder().receiveQueue().close();
		assertThat(pair.responder().channel().await(SHORTLY)).isNull();
	}

	@Test
	void whenMoreIsAcknowledgedThanIsOutstandingThenItIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		CompletionQueue queue = pair.responder().receiveQueue();
		assertThatIllegalArgumentException().isThrownBy(() -> queue.acknowledge(1));
		assertThatIllegalArgumentException().isThrownBy(() -> queue.acknowledge(-1));
		queue.arm();
		sendOne(pair);
		assertThat(pair.responder().channel().await(CompletionReader.PATIENCE)).isSameAs(queue);
		assertThatIllegalArgumentException().isThrownBy(() -> queue.acknowledge(2));
		queue.acknowledge(1);
		assertThatIllegalArgumentException().isThrownBy(() -> queue.acknowledge(1));
	}

	@Test
	void whenEventsPileUpThenAllCanBeAcknowledgedAtOnce() throws InterruptedException {
		ConnectedPair pair = connect();
		for (int i = 0; i < 3; i++) {
			pair.responder().receiveQueue().arm();
			sendOne(pair);
			assertThat(pair.responder().channel().await(CompletionReader.PATIENCE)).isNotNull();
		}
		pair.responder().receiveQueue().acknowledge(3);
	}

	@Test
	void whenWokenUpThenAwaitReturnsNull() throws InterruptedException {
		CompletionChannel channel = closeAfterTest(context().createCompletionChannel());
		long start = System.nanoTime();
		channel.wakeup();
		assertThat(channel.await(CompletionReader.PATIENCE)).isNull();
		Thread waker = new Thread(channel::wakeup);
		waker.start();
		assertThat(channel.await(CompletionReader.PATIENCE)).isNull();
		waker.join();
		assertThat(System.nanoTime() - start).isLessThan(CompletionReader.PATIENCE.toNanos());
	}

	@Test
	void whenInterruptedThenAwaitEnds() throws InterruptedException {
		CompletionChannel channel = closeAfterTest(context().createCompletionChannel());
		AtomicBoolean interrupted = new AtomicBoolean();
		Thread waiter = new Thread(() -> {
			try {
				channel.await(CompletionReader.PATIENCE.multipliedBy(2));
			}
			catch (InterruptedException ex) {
				interrupted.set(true);
			}
		});
		waiter.start();
		waiter.interrupt();
		waiter.join(CompletionReader.PATIENCE.toMillis());
		assertThat(interrupted).isTrue();
	}

	@Test
	void whenChannelClosesThenWaitersAreReleased() {
		CompletionChannel channel = context().createCompletionChannel();
		CompletableFuture<Object> outcome = new CompletableFuture<>();
		Thread waiter = new Thread(() -> {
			try {
				CompletionQueue told = channel.await(CompletionReader.PATIENCE.multipliedBy(2));
				outcome.complete((told != null) ? told : "nothing");
			}
			catch (ResourceClosedException ex) {
				outcome.complete("closed");
			}
			catch (Exception ex) {
				outcome.completeExceptionally(ex);
			}
		});
		waiter.start();
		// a wait in native code is no wait for the JVM; closing before it begins must do
		// as well
		await().until(() -> waiter.getState() != Thread.State.NEW);
		channel.close();
		assertThat(outcome).succeedsWithin(CompletionReader.PATIENCE)
			.satisfies((seen) -> assertThat(seen).isIn("closed", "nothing"));
		assertThatExceptionOfType(ResourceClosedException.class).isThrownBy(() -> channel.await(Duration.ZERO));
	}

	@Test
	void whenTwoWaitThenOneOfThemIsTold() throws InterruptedException {
		ConnectedPair pair = connect();
		AtomicInteger told = new AtomicInteger();
		AtomicInteger waiting = new AtomicInteger(2);
		pair.responder().receiveQueue().arm();
		try (Workers workers = new Workers()) {
			workers.add(2, (thread) -> {
				try {
					while (waiting.get() > 0) {
						if (pair.responder().channel().await(CompletionReader.PATIENCE) != null) {
							told.incrementAndGet();
						}
						waiting.decrementAndGet();
						pair.responder().channel().wakeup();
					}
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			});
			workers.start();
			sendOne(pair);
			workers.join();
		}
		assertThat(told).hasValue(1);
		pair.responder().receiveQueue().acknowledge(1);
	}

	@Test
	void whenLoopArmsPollsAndWaitsThenNoMessageIsMissed() throws InterruptedException {
		ConnectedPair pair = connect(EndpointOptions.defaults().withRnrRetry(7).withMinRnrTimer(1));
		int messages = 2000;
		Thread sender = new Thread(() -> {
			for (int i = 0; i < messages; i++) {
				pair.requester().post(pair.send(i, 8));
				pair.requester().awaitSend();
			}
		});
		for (int i = 0; i < 16; i++) {
			pair.responder().postReceive(i, 0, 8);
		}
		sender.start();
		int received = 0;
		while (received < messages) {
			pair.responder().receiveQueue().arm();
			int before = received;
			for (Completion completion = pair.responder().receives().poll(); completion != null; completion = pair
				.responder()
				.receives()
				.poll()) {
				received++;
				pair.responder().postReceive(completion.wrId(), 0, 8);
			}
			if (received == before) {
				CompletionQueue told = pair.responder().channel().await(CompletionReader.PATIENCE);
				assertThat(told).as("event after %d of %d messages", received, messages).isNotNull();
				told.acknowledge(1);
			}
		}
		sender.join(CompletionReader.PATIENCE.toMillis());
		assertThat(sender.isAlive()).isFalse();
	}

	private static void sendOne(ConnectedPair pair) {
		pair.responder().postReceive(1, 0, 8);
		pair.requester().post(pair.send(2, 8));
		pair.requester().awaitSend();
	}

	private static void assertEvent(Endpoint endpoint) throws InterruptedException {
		assertThat(endpoint.channel().await(CompletionReader.PATIENCE)).isSameAs(endpoint.receiveQueue());
		endpoint.receiveQueue().acknowledge(1);
	}

	private static void assertNoEvent(Endpoint endpoint) throws InterruptedException {
		assertThat(endpoint.channel().await(SHORTLY)).isNull();
	}

}
