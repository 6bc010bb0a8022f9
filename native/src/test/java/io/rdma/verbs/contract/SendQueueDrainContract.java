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

import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairState;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Draining the send queue.
 */
@DisplayName("Send queue drain")
public abstract class SendQueueDrainContract extends VerbsContract {

	@Test
	@DisplayName("RTS->SQD: 0, query_qp still says RTS, event SQ_DRAINED")
	void whenDrainedThenThereIsAnEvent() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.requester().modifyTo(QueuePairState.SQD);
		assertThat(awaitEvent(AsyncEventType.SQ_DRAINED).resource()).isSameAs(pair.requester().queuePair());
		assertThat(pair.requester().state()).isIn(asTold(QueuePairState.SQD));
	}

	@Test
	@DisplayName("a WRITE posted in SQD: post 0, no WC within 100 ms, nor within 100 ms after SQD->RTS (0)")
	void whenPostedInSqdThenItIsNotStarted() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.requester().modifyTo(QueuePairState.SQD);
		awaitEvent(AsyncEventType.SQ_DRAINED);
		pair.requester().fill(0, 8);
		pair.requester().post(pair.write(1, 0, 8));
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(100));
		assertThat(pair.responder().bytes(0, 8)).containsOnly(0);
		pair.requester().modifyTo(QueuePairState.RTS);
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(100));
	}

	@Test
	void whenInSqdThenRequestsOfThePeerAreAnswered() throws InterruptedException {
		ConnectedPair pair = connect();
		ConnectedPair back = pair.reversed();
		pair.requester().postReceive(1, 0, 8);
		pair.requester().modifyTo(QueuePairState.SQD);
		awaitEvent(AsyncEventType.SQ_DRAINED);
		back.requester().post(back.send(2, 8));
		assertThat(outcomes(back.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
		assertThat(outcomes(pair.requester().awaitReceives(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
	}

	@Test
	void whenSentToErrFromSqdThenWhatWasPostedInItIsFlushed() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.requester().modifyTo(QueuePairState.SQD);
		awaitEvent(AsyncEventType.SQ_DRAINED);
		pair.requester().post(pair.write(1, 0, 8));
		pair.requester().modifyTo(QueuePairState.ERR);
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.WR_FLUSH_ERR));
		assertThat(pair.responder().bytes(0, 8)).containsOnly(0);
	}

	@Test
	void whenEventIsNotWantedThenThereIsNone() throws InterruptedException {
		ConnectedPair pair = connect();
		pair.requester().queuePair().modify(QueuePairAttributes.to(QueuePairState.SQD).sqdAsyncNotify(false).build());
		pair.requester().post(pair.write(1, 0, 8));
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(30));
		if (!isSoftRoce()) {
			assertNoEventWithin(Duration.ofMillis(10));
		}
	}

	/**
	 * The specification allows it. Soft-RoCE says that it is still in RTS, where it is
	 * not allowed.
	 */
	@Test
	void whenInSqdThenTheConnectionCanBeTuned() {
		ConnectedPair pair = connect();
		pair.requester().modifyTo(QueuePairState.SQD);
		QueuePairAttributes tuned = QueuePairAttributes.to(QueuePairState.SQD).timeout(18).retryCount(5).build();
		if (!isSoftRoce()) {
			pair.requester().queuePair().modify(tuned);
			assertThat(pair.requester().queuePair().query().timeout()).isEqualTo(18);
			assertThat(pair.requester().queuePair().query().retryCount()).isEqualTo(5);
		}
		pair.requester().modifyTo(QueuePairState.RTS);
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.RTS);
	}

}
