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
import java.util.function.Consumer;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkRequestException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Which work requests bring a completion, and when a queue is full.
 */
@DisplayName("Signaling and full queues")
public abstract class SignalingContract extends VerbsContract {

	/** What is granted when 16 are asked for. */
	private static final int GRANTED = 31;

	@Test
	@DisplayName("unsignaled ok: no WC")
	void whenNotSignaledThenSuccessBringsNoCompletion() {
		ConnectedPair pair = connect();
		for (int i = 0; i < 3; i++) {
			pair.requester()
				.post((wr) -> wr.wrId(20)
					.rdmaWrite(pair.remote(0), pair.rkey())
					.addSge(pair.requester().memory(), 0, 8));
		}
		pair.requester().post(pair.write(23, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(23, CompletionStatus.SUCCESS));
		assertThat(pair.requester().sends().poll()).isNull();
	}

	@Test
	@DisplayName("unsignaled failing: error WC although unsignaled")
	void whenNotSignaledThenFailureBringsACompletion() {
		ConnectedPair pair = connect();
		int bad = Keys.unknown(pair.rkey());
		pair.requester()
			.post((wr) -> wr.wrId(99).rdmaWrite(pair.remote(0), bad).addSge(pair.requester().memory(), 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(99, CompletionStatus.REM_ACCESS_ERR));
		pair.requester().awaitState(QueuePairState.ERR);
	}

	@Test
	@DisplayName("unsignaled ok: SQ slots freed without a signaled WC (rxe; real HCAs need one)")
	void whenNothingIsEverSignaledThenSlotsAreFreedAllTheSame() {
		ConnectedPair pair = connect();
		for (int i = 0; i < 200; i++) {
			postOnceThereIsRoom(pair.requester(),
					(wr) -> wr.fetchAndAdd(pair.remote(0), pair.rkey(), 1).addSge(pair.requester().memory(), 0, 8));
		}
		await().pollInterval(Duration.ofMillis(1))
			.atMost(CompletionReader.PATIENCE)
			.untilAsserted(() -> assertThat(pair.responder().getLong(0)).isEqualTo(200));
		assertThat(pair.requester().sends().poll()).isNull();
	}

	@Test
	@DisplayName("sq_sig_all=1: every send completes, in order")
	void whenAllAreSignaledThenEachCompletesInOrder() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withSignalAll(true));
		pair.responder().postReceive(9, 4096, 8);
		pair.requester()
			.post((wr) -> wr.wrId(1).rdmaWrite(pair.remote(0), pair.rkey()).addSge(pair.requester().memory(), 0, 8),
					(wr) -> wr.wrId(2).rdmaRead(pair.remote(0), pair.rkey()).addSge(pair.requester().memory(), 0, 8),
					(wr) -> wr.wrId(3)
						.fetchAndAdd(pair.remote(0), pair.rkey(), 1)
						.addSge(pair.requester().memory(), 64, 8),
					(wr) -> wr.wrId(4).send().addSge(pair.requester().memory(), 0, 8).fenced());
		assertThat(pair.requester().awaitSends(4)).extracting(Completion::wrId).containsExactly(1L, 2L, 3L, 4L);
		assertThat(outcomes(pair.responder().awaitReceives(1))).containsExactly(outcome(9, CompletionStatus.SUCCESS));
	}

	@Test
	@DisplayName("SQ of 16 asked: 31 usable, then post ENOMEM, bad_wr the first not taken")
	void whenListIsLongerThanTheSendQueueThenTheRestIsRefused() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = pair.requester().sendChain(600);
		for (int i = 0; i < 600; i++) {
			pair.write(i, i, 1).accept(chain.add());
		}
		pair.requester().put(0, "x");
		assertRefused(Errno.ENOMEM, GRANTED, () -> pair.requester().queuePair().postSend(chain));
		assertThat(pair.requester().awaitSends(GRANTED)).allMatch((wc) -> wc.status() == CompletionStatus.SUCCESS)
			.extracting(Completion::wrId)
			.last()
			.isEqualTo(GRANTED - 1L);
		assertThat(pair.responder().bytes(GRANTED - 1, 2)).containsExactly('x', 0);
	}

	@Test
	void whenPeerIsNotReadyThenSendQueueFillsUpAndNothingIsLost() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withRnrRetry(7).withMinRnrTimer(12).withTimeout(16));
		for (int i = 0; i < GRANTED; i++) {
			pair.requester().post(pair.send(i, 8));
		}
		assertRefused(Errno.ENOMEM, 0, () -> pair.requester().post(pair.send(GRANTED, 8)));
		for (int i = 0; i < GRANTED; i++) {
			pair.responder().postReceive(i, 0, 8);
		}
		assertThat(pair.requester().awaitSends(GRANTED)).allMatch((wc) -> wc.status() == CompletionStatus.SUCCESS);
		assertThat(pair.responder().awaitReceives(GRANTED)).allMatch((wc) -> wc.status() == CompletionStatus.SUCCESS);
		pair.requester().post(pair.write(100, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(100, CompletionStatus.SUCCESS));
	}

	@Test
	@DisplayName("RQ of 16 asked: 31 usable, then post ENOMEM")
	void whenReceiveQueueIsFullThenReceiveIsRefused() {
		ConnectedPair pair = connect();
		for (int i = 0; i < GRANTED; i++) {
			pair.responder().postReceive(i, 0, 8);
		}
		assertRefused(Errno.ENOMEM, 0, () -> pair.responder().postReceive(GRANTED, 0, 8));
		pair.requester().post(pair.send(1, 8));
		pair.responder().awaitReceive();
		pair.responder().postReceive(GRANTED, 0, 8);
	}

	private static void postOnceThereIsRoom(Endpoint endpoint, Consumer<SendWorkRequest> request) {
		await().pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.atMost(CompletionReader.PATIENCE)
			.ignoreExceptionsMatching(
					(ex) -> ex instanceof WorkRequestException refused && refused.errno() == Errno.ENOMEM)
			.until(() -> {
				endpoint.post(request);
				return true;
			});
	}

}
