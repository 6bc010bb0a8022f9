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

import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.DeviceAttributes;
import io.rdma.verbs.Errno;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequest;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SharedReceiveQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Receives that several queue pairs take from.
 */
@DisplayName("Shared receive queue")
public abstract class SharedReceiveQueueContract extends VerbsContract {

	private static final EndpointOptions SHARED = EndpointOptions.defaults().withSharedReceives(8);

	@Test
	@DisplayName("SRQ: post_recv on its QP EINVAL")
	void whenQueuePairHasASharedQueueThenItTakesNoReceives() {
		Endpoint endpoint = connect(EndpointOptions.defaults(), SHARED).responder();
		assertThat(endpoint.queuePair().sharedReceiveQueue()).isSameAs(endpoint.sharedReceiveQueue());
		assertRefused(Errno.EINVAL, 0, () -> endpoint.postReceive(1, 0, 8));
	}

	@Test
	void whenMessageComesThenItTakesTheOldestReceive() {
		ConnectedPair pair = connect(EndpointOptions.defaults(), SHARED);
		pair.responder().postSharedReceive(1);
		pair.responder().postSharedReceive(2);
		pair.requester().put(0, "shared..");
		pair.requester().post(pair.send(3, 8), pair.send(4, 8));
		assertThat(outcomes(pair.responder().awaitReceives(2))).containsExactly(outcome(1, CompletionStatus.SUCCESS),
				outcome(2, CompletionStatus.SUCCESS));
		assertThat(pair.responder().text(0, 8)).isEqualTo("shared..");
	}

	@Test
	void whenQueuePairsShareThenEachCompletionTellsWhoTookTheReceive() {
		Endpoint first = peerEndpoint(SHARED);
		Endpoint second = closeAfterTest(first.sibling());
		ConnectedPair one = ConnectedPair.of(endpoint(), first);
		ConnectedPair two = ConnectedPair.of(endpoint(), second);
		first.postSharedReceive(1);
		first.postSharedReceive(2);
		two.requester().post(two.send(3, 8));
		two.requester().awaitSend();
		one.requester().post(one.send(4, 8));
		one.requester().awaitSend();
		assertThat(outcomes(second.awaitReceives(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(outcomes(first.awaitReceives(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
	}

	@Test
	void whenSharedQueueIsEmptyThenReceiverIsNotReady() {
		ConnectedPair pair = connect(EndpointOptions.defaults(), SHARED);
		pair.requester().post(pair.send(1, 8));
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(1, CompletionStatus.RNR_RETRY_EXC_ERR));
	}

	@Test
	void whenReceiveIsPostedLaterThenWaitingMessageTakesIt() {
		EndpointOptions patient = EndpointOptions.defaults().withRnrRetry(7).withMinRnrTimer(12);
		ConnectedPair pair = connect(patient, patient.withSharedReceives(8));
		pair.requester().post(pair.send(1, 8));
		pair.responder().postSharedReceive(2);
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(outcomes(pair.responder().awaitReceives(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
	}

	@Test
	@DisplayName("SRQ: limit event: SRQ_LIMIT_REACHED")
	void whenFewerThanTheLimitAreLeftThenThereIsOneEvent() throws InterruptedException {
		ConnectedPair pair = connect(EndpointOptions.defaults(), SHARED);
		for (int i = 0; i < 4; i++) {
			pair.responder().postSharedReceive(i);
		}
		pair.responder().sharedReceiveQueue().armLimit(3);
		pair.requester().post(pair.send(50, 8));
		pair.requester().awaitSend();
		assertNoEventWithin(pair.responder(), Duration.ofMillis(10));
		pair.requester().post(pair.send(51, 8));
		AsyncEvent event = awaitEvent(pair.responder(), AsyncEventType.SRQ_LIMIT_REACHED);
		assertThat(event.resource()).isSameAs(pair.responder().sharedReceiveQueue());
		pair.requester().post(pair.send(52, 8));
		pair.requester().awaitSends(2);
		assertNoEventWithin(pair.responder(), Duration.ofMillis(10));
	}

	@Test
	void whenLimitIsArmedAgainThenThereIsAnotherEvent() throws InterruptedException {
		ConnectedPair pair = connect(EndpointOptions.defaults(), SHARED);
		for (int round = 0; round < 3; round++) {
			pair.responder().postSharedReceive(round);
			pair.responder().sharedReceiveQueue().armLimit(1);
			pair.requester().post(pair.send(round, 8));
			awaitEvent(pair.responder(), AsyncEventType.SRQ_LIMIT_REACHED);
		}
	}

	@Test
	void whenLimitIsDisarmedThenThereIsNoEvent() throws InterruptedException {
		ConnectedPair pair = connect(EndpointOptions.defaults(), SHARED);
		pair.responder().postSharedReceive(1);
		pair.responder().sharedReceiveQueue().armLimit(1);
		pair.responder().sharedReceiveQueue().armLimit(0);
		pair.requester().post(pair.send(2, 8));
		pair.requester().awaitSend();
		assertNoEventWithin(pair.responder(), Duration.ofMillis(10));
	}

	@Test
	void whenLimitExceedsTheQueueThenItIsRefused() {
		SharedReceiveQueue queue = endpoint(SHARED).sharedReceiveQueue();
		queue.armLimit(queue.maxWorkRequests());
		assertRefused(Errno.EINVAL, () -> queue.armLimit(queue.maxWorkRequests() + 1));
	}

	@Test
	@DisplayName("SRQ of 8 asked: 8 on 6.1, 15 later; full: ENOMEM")
	void whenFullThenReceiveIsRefused() {
		Endpoint endpoint = endpoint(SHARED);
		int granted = endpoint.sharedReceiveQueue().maxWorkRequests();
		assertThat(granted).isBetween(8, 15);
		for (int i = 0; i < granted; i++) {
			endpoint.postSharedReceive(i);
		}
		assertRefused(Errno.ENOMEM, 0, () -> endpoint.postSharedReceive(granted));
	}

	@Test
	void whenSecondOfAChainIsBadThenTheFirstIsPosted() {
		ConnectedPair pair = connect(EndpointOptions.defaults(), SHARED);
		ReceiveWorkRequests chain = pair.responder().context().allocateReceiveWorkRequests(2, 3);
		chain.add().wrId(1).addSge(pair.responder().memory(), 0, 8);
		ReceiveWorkRequest bad = chain.add();
		for (int i = 0; i < 3; i++) {
			bad.addSge(pair.responder().memory(), i, 1);
		}
		assertRefused(Errno.EINVAL, 1, () -> pair.responder().sharedReceiveQueue().postReceive(chain));
		pair.requester().post(pair.send(2, 8));
		assertThat(outcomes(pair.responder().awaitReceives(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
	}

	@Test
	@DisplayName("SRQ: QP to ERR leaves SRQ recvs; LAST_WQE_REACHED only on 6.12, 7.3 (differs; specification: event)")
	void whenOneQueuePairFailsThenTheOthersKeepTheReceives() throws InterruptedException {
		Endpoint failing = peerEndpoint(SHARED);
		Endpoint working = closeAfterTest(failing.sibling());
		ConnectedPair.of(endpoint(), failing);
		ConnectedPair pair = ConnectedPair.of(endpoint(), working);
		failing.postSharedReceive(77);
		failing.modifyTo(QueuePairState.ERR);
		if (!failing.isSoftRoce()) {
			assertThat(awaitEvent(failing, AsyncEventType.QP_LAST_WQE_REACHED).resource())
				.isSameAs(failing.queuePair());
		}
		failing.receives().assertNoneWithin(Duration.ofMillis(20));
		pair.requester().post(pair.send(1, 8));
		assertThat(outcomes(working.awaitReceives(1))).containsExactly(outcome(77, CompletionStatus.SUCCESS));
	}

	@Test
	void whenSizeExceedsTheDeviceThenItIsRefused() {
		DeviceAttributes limits = context().queryDevice();
		ProtectionDomain domain = closeAfterTest(context().allocateProtectionDomain());
		assertRefused(Errno.EINVAL,
				() -> domain.createSharedReceiveQueue(limits.maxSharedReceiveQueueWorkRequests() + 1, 1));
		assertRefused(Errno.EINVAL,
				() -> domain.createSharedReceiveQueue(1, limits.maxSharedReceiveQueueScatterGather() + 1));
		assertRefused(Errno.EINVAL, () -> domain.createSharedReceiveQueue(-1, 1));
	}

	@Test
	void whenImmediateDataComesThenItTakesASharedReceive() {
		ConnectedPair pair = connect(EndpointOptions.defaults(), SHARED);
		pair.responder().postSharedReceive(1);
		pair.requester().post((wr) -> wr.wrId(2).rdmaWriteWithImmediate(pair.remote(0), pair.rkey(), 99).signaled());
		assertThat(pair.responder().awaitReceive().immediate()).isEqualTo(99);
	}

}
