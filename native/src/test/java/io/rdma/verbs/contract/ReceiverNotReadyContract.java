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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * Messages that find no receive posted. Delays are those of the code that the receiver
 * asks for: 20 is 10.24 ms, 31 is 491.52 ms.
 */
@DisplayName("Receiver not ready")
public abstract class ReceiverNotReadyContract extends VerbsContract {

	@Test
	@DisplayName("SEND, no recv, rnr_retry 0: RNR_RETRY_EXC_ERR at once; ERR/RTS")
	void whenThereIsNoPatienceThenSendFailsWithoutWaiting() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withRnrRetry(0).withMinRnrTimer(31));
		long start = System.nanoTime();
		pair.requester().post(pair.send(1, 8));
		pair.requester().post(pair.send(2, 8));
		assertThat(outcomes(pair.requester().awaitSends(2)))
			.containsExactly(outcome(1, CompletionStatus.RNR_RETRY_EXC_ERR), outcome(2, CompletionStatus.WR_FLUSH_ERR));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(491));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.RTS);
		assertThat(pair.responder().receives().poll()).isNull();
	}

	@Test
	@DisplayName("WRITE_IMM, no recv, rnr_retry 0: RNR_RETRY_EXC_ERR; WRITE_IMM wrote nothing")
	void whenWriteWithImmediateFindsNoReceiveThenNothingIsWritten() {
		ConnectedPair pair = connect();
		pair.requester().fill(0, 8);
		pair.requester()
			.post((wr) -> wr.wrId(1)
				.rdmaWriteWithImmediate(pair.remote(0), pair.rkey(), 5)
				.addSge(pair.requester().memory(), 0, 8)
				.signaled());
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(1, CompletionStatus.RNR_RETRY_EXC_ERR));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.RTS);
		assertThat(pair.responder().bytes(0, 8)).containsOnly(0);
	}

	@Test
	@DisplayName("rnr_retry 3, min_rnr_timer 20 (10.24 ms): RNR_RETRY_EXC_ERR after ~49 ms")
	void whenRetriesAreUsedUpThenSendFailsAfterThreeDelays() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withRnrRetry(3).withMinRnrTimer(20));
		long start = System.nanoTime();
		pair.requester().post(pair.send(1, 8));
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(1, CompletionStatus.RNR_RETRY_EXC_ERR));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofNanos(3 * 10_240_000),
				Duration.ofMillis(490));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.RTS);
	}

	@ParameterizedTest
	@CsvSource({ "14, 20", "10, 1" })
	@DisplayName("rnr_retry 7 (endless), RNR delay below the transport timeout: SUCCESS once the recv is posted")
	void whenPatienceIsEndlessThenSendSucceedsOnceAReceiveIsPosted(int timeout, int minRnrTimer) {
		assumeFalse(isSoftRoce() && peerDevice() != device() && timeout < 14,
				"Soft-RoCE spends its retries while it waits if answers take milliseconds");
		ConnectedPair pair = connect(
				EndpointOptions.defaults().withRnrRetry(7).withTimeout(timeout).withMinRnrTimer(minRnrTimer));
		pair.requester().put(0, "patience");
		pair.requester().post(pair.send(1, 8));
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(100));
		pair.responder().postReceive(2, 0, 100);
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(pair.responder().awaitReceive().byteLength()).isEqualTo(8);
		assertThat(pair.responder().text(0, 8)).isEqualTo("patience");
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.RTS);
	}

	@Test
	@DisplayName("rnr_retry 7, min_rnr_timer 20 (10 ms), timeout 10 (4 ms), retry_cnt 3: RETRY_EXC_ERR; ERR/RTS")
	void whenDelayIsLongerThanTheTimeoutThenTransportRetriesRunOut() {
		ConnectedPair pair = connect(
				EndpointOptions.defaults().withRnrRetry(7).withTimeout(10).withRetryCount(3).withMinRnrTimer(20));
		pair.requester().post(pair.send(1, 8));
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(1, CompletionStatus.RETRY_EXC_ERR));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.RTS);
	}

	@Test
	void whenReceiveIsPostedWithinTheRetriesThenSendSucceeds() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withRnrRetry(6).withMinRnrTimer(24));
		pair.requester().post(pair.send(1, 8));
		pair.responder().postReceive(2, 0, 8);
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(outcomes(pair.responder().awaitReceives(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
	}

	@Test
	void whenSendWaitsThenNothingBehindItOvertakes() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withRnrRetry(7).withMinRnrTimer(20));
		pair.requester().fill(0, 8);
		pair.requester().post(pair.send(1, 8));
		pair.requester().post(pair.write(2, 1024, 8));
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(30));
		assertThat(pair.responder().bytes(1024, 8)).containsOnly(0);
		pair.responder().postReceive(3, 0, 8);
		assertThat(outcomes(pair.requester().awaitSends(2))).containsExactly(outcome(1, CompletionStatus.SUCCESS),
				outcome(2, CompletionStatus.SUCCESS));
		assertThat(pair.responder().bytes(1024, 8)).doesNotContain(0);
	}

	@Test
	void whenEverySecondMessageWaitsThenRetriesCountAnewForEach() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withRnrRetry(6).withMinRnrTimer(22));
		for (int i = 0; i < 8; i++) {
			pair.requester().post(pair.send(i, 8));
			pair.responder().postReceive(i, 0, 8);
			assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(i, CompletionStatus.SUCCESS));
		}
		assertThat(pair.responder().awaitReceives(8)).allMatch((wc) -> wc.status() == CompletionStatus.SUCCESS);
	}

	@ParameterizedTest
	@EnumSource(names = { "ERR", "RESET" })
	void whenPeerLeavesWhileSendWaitsThenItIsNotedAsGone(QueuePairState left) {
		ConnectedPair pair = connect(
				EndpointOptions.defaults().withRnrRetry(7).withMinRnrTimer(12).withTimeout(12).withRetryCount(1));
		pair.requester().post(pair.send(1, 8));
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(5));
		pair.responder().modifyTo(left);
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(1, CompletionStatus.RETRY_EXC_ERR));
	}

	@Test
	void whenPeerIsConnectedAnewWhileSendWaitsThenTheNewConnectionDoesNotGetIt() {
		EndpointOptions waiting = EndpointOptions.defaults()
			.withRnrRetry(7)
			.withMinRnrTimer(12)
			.withTimeout(12)
			.withRetryCount(1);
		ConnectedPair old = connect(waiting);
		old.requester().post(old.send(1, 8));
		old.responder().modifyTo(QueuePairState.RESET);
		ConnectedPair anew = ConnectedPair.of(endpoint(EndpointOptions.defaults().withFirstPsn(0x50_0000)),
				old.responder());
		anew.responder().postReceive(2, 0, 8);
		assertThat(outcomes(old.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.RETRY_EXC_ERR));
		assertThat(anew.responder().receives().poll()).isNull();
		anew.requester().post(anew.send(3, 8));
		assertThat(outcomes(anew.requester().awaitSends(1))).containsExactly(outcome(3, CompletionStatus.SUCCESS));
		assertThat(outcomes(anew.responder().awaitReceives(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
	}

}
