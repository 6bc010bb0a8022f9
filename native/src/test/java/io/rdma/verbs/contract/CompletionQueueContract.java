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

import java.util.ArrayList;
import java.util.List;

import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkCompletions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Where outcomes arrive.
 */
@DisplayName("Completion queue")
public abstract class CompletionQueueContract extends VerbsContract {

	@ParameterizedTest
	@CsvSource({ "1, 1", "2, 3", "3, 3", "4, 7", "64, 127", "100, 127", "32767, 32767" })
	@DisplayName("CQ asked 1,2,4,64,100: cqe 1,3,7,127,127")
	void whenCreatedThenCapacityIsRoundedUp(int asked, int granted) {
		assertThat(closeAfterTest(context().createCompletionQueue(asked, null)).capacity()).isEqualTo(granted);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 32768, Integer.MAX_VALUE, Integer.MIN_VALUE })
	@DisplayName("CQ asked 0, -1, 32768: EINVAL")
	void whenCapacityIsNotWithinTheLimitsThenItIsRefused(int asked) {
		assertRefused(Errno.EINVAL, () -> context().createCompletionQueue(asked, null));
	}

	@Test
	@DisplayName("CQ overflow (cqe 1, 64 signaled WRITEs): 63 WCs lost, 63 async CQ_ERR, QP stays RTS, CQ goes on")
	void whenOverrunThenEachLostCompletionRaisesAnEvent() throws InterruptedException {
		ConnectedPair pair = connect(EndpointOptions.defaults().withCompletionDepth(1).withSendDepth(128));
		for (int i = 0; i < 64; i++) {
			pair.requester().post(pair.write(i, 0, 8));
		}
		for (int i = 0; i < 63; i++) {
			assertThat(awaitEvent(AsyncEventType.CQ_ERR).resource()).isSameAs(pair.requester().sendQueue());
		}
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(0, CompletionStatus.SUCCESS));
		assertThat(pair.requester().sends().poll()).isNull();
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.RTS);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.RTS);
		pair.requester().post(pair.write(99, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(99, CompletionStatus.SUCCESS));
	}

	@Test
	void whenFilledToItsCapacityThenNothingIsLost() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withCompletionDepth(16));
		int capacity = pair.requester().sendQueue().capacity();
		for (int i = 0; i < capacity; i++) {
			pair.requester().post(pair.write(i, 0, 8));
		}
		assertThat(pair.requester().awaitSends(capacity)).extracting(Completion::wrId).last().isEqualTo(capacity - 1L);
	}

	@Test
	@DisplayName("poll_cq empty: 0")
	void whenEmptyThenPollBringsNothing() {
		CompletionQueue queue = closeAfterTest(context().createCompletionQueue(4, null));
		WorkCompletions batch = context().allocateWorkCompletions(4);
		assertThat(queue.poll(batch)).isZero();
		assertThat(batch.size()).isZero();
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> batch.get(0));
	}

	@Test
	void whenPolledInBatchesThenEachCompletionComesOnceAndInOrder() {
		ConnectedPair pair = connect();
		for (int i = 0; i < 10; i++) {
			pair.requester().post(pair.write(i, 0, 8));
		}
		WorkCompletions batch = context().allocateWorkCompletions(4);
		List<Long> order = new ArrayList<>();
		long deadline = System.nanoTime() + CompletionReader.PATIENCE.toNanos();
		while (order.size() < 10 && System.nanoTime() - deadline < 0) {
			int count = pair.requester().sendQueue().poll(batch);
			assertThat(count).isBetween(0, 4).isEqualTo(batch.size());
			for (int i = 0; i < count; i++) {
				order.add(batch.get(i).wrId());
			}
		}
		assertThat(order).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
	}

	@Test
	void whenPolledAgainThenWhatTheBatchHeldIsGone() {
		ConnectedPair pair = connect();
		pair.requester().post(pair.write(1, 0, 8));
		WorkCompletions batch = context().allocateWorkCompletions(2);
		long deadline = System.nanoTime() + CompletionReader.PATIENCE.toNanos();
		while (pair.requester().sendQueue().poll(batch) == 0) {
			assertThat(System.nanoTime() - deadline).isNegative();
		}
		assertThat(batch.size()).isOne();
		assertThat(pair.requester().sendQueue().poll(batch)).isZero();
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> batch.get(0));
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, Long.MAX_VALUE, Long.MIN_VALUE })
	void whenContextOfWorkRequestIsAnyValueThenItComesBack(long wrId) {
		ConnectedPair pair = connect();
		pair.responder().postReceive(wrId, 0, 8);
		pair.requester().post(pair.send(wrId, 8));
		assertThat(pair.requester().awaitSend().wrId()).isEqualTo(wrId);
		assertThat(pair.responder().awaitReceive().wrId()).isEqualTo(wrId);
	}

	@Test
	void whenQueuePairsShareAQueueThenTheirNumbersTellWhoseItIs() {
		Endpoint first = endpoint();
		Endpoint second = closeAfterTest(first.sibling());
		ConnectedPair one = ConnectedPair.of(first, endpoint());
		ConnectedPair two = ConnectedPair.of(second, endpoint());
		first.post(one.write(1, 0, 8));
		second.post(two.write(1, 0, 8));
		assertThat(first.sends().await(2)).extracting(Completion::qpNumber)
			.containsExactlyInAnyOrder(first.queuePair().number(), second.queuePair().number());
	}

	@Test
	void whenSendsAndReceivesShareAQueueThenItBringsBoth() {
		Endpoint requester = endpoint();
		Endpoint responder = endpoint();
		CompletionQueue shared = closeAfterTest(context().createCompletionQueue(16, null));
		CompletionReader reader = new CompletionReader(context(), shared);
		Endpoint both = closeAfterTest(responder.sibling(shared));
		ConnectedPair pair = ConnectedPair.of(requester, both);
		both.postReceive(1, 0, 8);
		requester.post(pair.send(2, 8));
		both.post(new ConnectedPair(both, requester).write(3, 0, 8));
		assertThat(outcomes(reader.await(2))).containsExactlyInAnyOrder(outcome(1, CompletionStatus.SUCCESS),
				outcome(3, CompletionStatus.SUCCESS));
	}

	@Test
	void whenThereIsNoChannelThenQueueCannotBeArmed() {
		CompletionQueue queue = closeAfterTest(context().createCompletionQueue(4, null));
		assertThatIllegalStateException().isThrownBy(queue::arm);
		assertThatIllegalStateException().isThrownBy(queue::armSolicited);
	}

	@Test
	void whenBatchIsOfAnotherContextThenPollIsRefused() {
		CompletionQueue queue = closeAfterTest(context().createCompletionQueue(4, null));
		WorkCompletions batch = openContext().allocateWorkCompletions(1);
		assertThatIllegalArgumentException().isThrownBy(() -> queue.poll(batch));
	}

	@Test
	void whenErrorIsPolledThenUndefinedFieldsAreRefused() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = pair.requester().sendChain(1);
		pair.write(1, 0, 8, Keys.unknown(pair.rkey())).accept(chain.add());
		pair.requester().queuePair().postSend(chain);
		WorkCompletions batch = context().allocateWorkCompletions(1);
		long deadline = System.nanoTime() + CompletionReader.PATIENCE.toNanos();
		while (pair.requester().sendQueue().poll(batch) == 0) {
			assertThat(System.nanoTime() - deadline).isNegative();
		}
		assertThat(batch.get(0).status()).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
		assertThat(batch.get(0).qpNumber()).isEqualTo(pair.requester().queuePair().number());
		assertThatIllegalStateException().isThrownBy(batch.get(0)::opcode);
		assertThatIllegalStateException().isThrownBy(batch.get(0)::byteLength);
	}

}
