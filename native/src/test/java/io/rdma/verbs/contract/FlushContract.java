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

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.QueuePairState;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of posted work requests when a queue pair leaves RTS. Sends are kept
 * waiting by a peer that has no receive.
 */
@DisplayName("Flush")
public abstract class FlushContract extends VerbsContract {

	private static final EndpointOptions PATIENT = EndpointOptions.defaults().withRnrRetry(7).withMinRnrTimer(20);

	@Test
	@DisplayName("modify to ERR: outstanding recvs and sends flushed in order; no async event")
	void whenModifiedToErrThenAllIsFlushedInOrder() throws InterruptedException {
		ConnectedPair pair = connect(PATIENT);
		pair.requester().postReceive(11, 0, 8);
		pair.requester().postReceive(12, 0, 8);
		pair.requester().post(pair.send(20, 8));
		pair.requester().post(pair.send(21, 8), pair.write(22, 0, 8));
		pair.requester().modifyTo(QueuePairState.ERR);
		assertThat(outcomes(pair.requester().awaitReceives(2)))
			.containsExactly(outcome(11, CompletionStatus.WR_FLUSH_ERR), outcome(12, CompletionStatus.WR_FLUSH_ERR));
		assertThat(outcomes(pair.requester().awaitSends(3))).containsExactly(outcome(20, CompletionStatus.WR_FLUSH_ERR),
				outcome(21, CompletionStatus.WR_FLUSH_ERR), outcome(22, CompletionStatus.WR_FLUSH_ERR));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.RTS);
		assertNoEventWithin(Duration.ofMillis(20));
	}

	@Test
	void whenUnsignaledSendsWaitThenTheyAreFlushedToo() {
		ConnectedPair pair = connect(PATIENT);
		pair.requester().post((wr) -> wr.wrId(1).send());
		pair.requester().post((wr) -> wr.wrId(2).send());
		pair.requester().modifyTo(QueuePairState.ERR);
		assertThat(outcomes(pair.requester().awaitSends(2))).containsExactly(outcome(1, CompletionStatus.WR_FLUSH_ERR),
				outcome(2, CompletionStatus.WR_FLUSH_ERR));
	}

	@Test
	@DisplayName("post_send in ERR: 0, then WR_FLUSH_ERR (unsignaled too)")
	void whenSendIsPostedInErrThenItIsFlushed() {
		ConnectedPair pair = connect();
		pair.requester().modifyTo(QueuePairState.ERR);
		pair.requester().post(pair.send(32, 8));
		pair.requester().post((wr) -> wr.wrId(33).send());
		pair.requester().post(pair.write(34, 0, 8), pair.read(35, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(4))).containsExactly(outcome(32, CompletionStatus.WR_FLUSH_ERR),
				outcome(33, CompletionStatus.WR_FLUSH_ERR), outcome(34, CompletionStatus.WR_FLUSH_ERR),
				outcome(35, CompletionStatus.WR_FLUSH_ERR));
		assertThat(pair.responder().bytes(0, 8)).containsOnly(0);
	}

	@Test
	@DisplayName("post_recv in ERR: 0; WR_FLUSH_ERR on 6.12, 7.3, no flush WC on 6.1 (differs; specification: flush)")
	void whenReceiveIsPostedInErrThenItIsFlushed() {
		ConnectedPair pair = connect();
		pair.requester().modifyTo(QueuePairState.ERR);
		pair.requester().postReceive(31, 0, 8);
		if (!isSoftRoce()) {
			assertThat(outcomes(pair.requester().awaitReceives(1)))
				.containsExactly(outcome(31, CompletionStatus.WR_FLUSH_ERR));
		}
		else {
			Completion flushed = pair.requester().receives().poll();
			assertThat(flushed == null || flushed.status() == CompletionStatus.WR_FLUSH_ERR).isTrue();
		}
	}

	@Test
	void whenModifiedToErrTwiceThenNothingIsFlushedTwice() {
		ConnectedPair pair = connect();
		pair.requester().postReceive(1, 0, 8);
		pair.requester().modifyTo(QueuePairState.ERR);
		pair.requester().modifyTo(QueuePairState.ERR);
		pair.requester().awaitReceive();
		pair.requester().receives().assertNoneWithin(Duration.ofMillis(20));
	}

	@Test
	void whenInErrThenMessagesOfThePeerAreNotTaken() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withTimeout(12).withRetryCount(0));
		pair.responder().postReceive(1, 0, 8);
		pair.responder().modifyTo(QueuePairState.ERR);
		pair.requester().fill(0, 8);
		pair.requester().post(pair.send(2, 8));
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(2, CompletionStatus.RETRY_EXC_ERR));
		assertThat(outcomes(pair.responder().awaitReceives(1)))
			.containsExactly(outcome(1, CompletionStatus.WR_FLUSH_ERR));
		assertThat(pair.responder().bytes(0, 8)).containsOnly(0);
	}

	@Test
	void whenReturnedFromModifyToErrThenMemoryIsNotTouchedAnyMore() {
		ConnectedPair pair = connect(PATIENT);
		pair.requester().fill(0, 8);
		pair.requester().post(pair.send(1, 8));
		pair.responder().modifyTo(QueuePairState.ERR);
		pair.responder().postReceive(2, 0, 8);
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(30));
		assertThat(pair.responder().bytes(0, 8)).containsOnly(0);
	}

	@Test
	void whenModifiedToResetThenAllIsDiscarded() {
		ConnectedPair pair = connect(PATIENT);
		pair.requester().postReceive(1, 0, 8);
		pair.requester().post(pair.send(2, 8), pair.send(3, 8));
		pair.requester().modifyTo(QueuePairState.RESET);
		pair.responder().modifyTo(QueuePairState.RESET);
		ConnectedPair again = ConnectedPair.of(pair.requester(), pair.responder());
		again.requester().post(again.write(4, 0, 8));
		assertThat(outcomes(again.requester().awaitSends(1))).containsExactly(outcome(4, CompletionStatus.SUCCESS));
		again.requester().modifyTo(QueuePairState.ERR);
		again.requester().sends().assertNoneWithin(Duration.ofMillis(20));
		assertThat(again.requester().receives().poll()).isNull();
	}

	@Test
	void whenDestroyedThenAllIsDiscarded() {
		ConnectedPair pair = connect(PATIENT.withMinRnrTimer(31).withTimeout(18));
		pair.requester().postReceive(1, 0, 8);
		pair.requester().post(pair.send(2, 8));
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(100));
		pair.requester().queuePair().close();
		pair.responder().postReceive(3, 0, 8);
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(30));
		assertThat(pair.requester().receives().poll()).isNull();
		assertThat(pair.responder().receives().poll()).isNull();
	}

	@Test
	void whenCompletedBeforeTheErrorThenSuccessIsKept() {
		ConnectedPair pair = connect();
		pair.responder().postReceive(5, 0, 8);
		pair.responder().postReceive(6, 0, 8);
		pair.requester()
			.post(pair.write(1, 0, 8), pair.send(2, 8), pair.write(3, 0, 8, Keys.unknown(pair.rkey())),
					pair.write(4, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(4))).containsExactly(outcome(1, CompletionStatus.SUCCESS),
				outcome(2, CompletionStatus.SUCCESS), outcome(3, CompletionStatus.REM_ACCESS_ERR),
				outcome(4, CompletionStatus.WR_FLUSH_ERR));
		assertThat(outcomes(pair.responder().awaitReceives(2))).containsExactly(outcome(5, CompletionStatus.SUCCESS),
				outcome(6, CompletionStatus.WR_FLUSH_ERR));
	}

}
