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

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequest;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several work requests posted in one call.
 */
@DisplayName("Chains of work requests")
public abstract class ChainContract extends VerbsContract {

	@Test
	@DisplayName("post in a list, 2nd WR bad: EINVAL, bad_wr is the 2nd, the 1st is executed")
	void whenSecondSendIsBadThenFirstIsExecutedAndThirdIsNot() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = context().allocateSendWorkRequests(3, 5);
		pair.requester().put(0, "first");
		pair.write(30, 0, 5).accept(chain.add());
		SendWorkRequest bad = chain.add();
		for (int i = 0; i < 5; i++) {
			bad.addSge(pair.requester().memory(), i, 1);
		}
		pair.write(32, 100, 5).accept(chain.add());
		assertRefused(Errno.EINVAL, 1, () -> pair.requester().queuePair().postSend(chain));
		pair.requester().post(pair.write(33, 200, 5));
		assertThat(outcomes(pair.requester().awaitSends(2))).containsExactly(outcome(30, CompletionStatus.SUCCESS),
				outcome(33, CompletionStatus.SUCCESS));
		assertThat(pair.responder().text(0, 5)).isEqualTo("first");
		assertThat(pair.responder().bytes(100, 5)).containsOnly(0);
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.RTS);
	}

	@Test
	void whenSecondReceiveIsBadThenFirstIsPostedAndThirdIsNot() {
		ConnectedPair pair = connect();
		ReceiveWorkRequests chain = pair.responder().context().allocateReceiveWorkRequests(3, 5);
		chain.add().wrId(1).addSge(pair.responder().memory(), 0, 8);
		ReceiveWorkRequest bad = chain.add();
		for (int i = 0; i < 5; i++) {
			bad.addSge(pair.responder().memory(), i, 1);
		}
		chain.add().wrId(3).addSge(pair.responder().memory(), 0, 8);
		assertRefused(Errno.EINVAL, 1, () -> pair.responder().queuePair().postReceive(chain));
		pair.responder().postReceive(4, 0, 8);
		pair.requester().post(pair.send(10, 8), pair.send(11, 8));
		assertThat(pair.responder().awaitReceives(2)).extracting(Completion::wrId).containsExactly(1L, 4L);
	}

	@Test
	void whenChainIsPostedThenItIsExecutedInOrder() {
		ConnectedPair pair = connect();
		pair.responder().postReceive(9, 1024, 8);
		pair.requester().put(0, "ordered.");
		pair.requester()
			.post(pair.write(1, 64, 8),
					(wr) -> wr.wrId(2)
						.rdmaRead(pair.remote(64), pair.rkey())
						.addSge(pair.requester().memory(), 128, 8)
						.signaled(),
					(wr) -> wr.wrId(3).send().addSge(pair.requester().memory(), 128, 8).fenced().signaled());
		assertThat(outcomes(pair.requester().awaitSends(3))).containsExactly(outcome(1, CompletionStatus.SUCCESS),
				outcome(2, CompletionStatus.SUCCESS), outcome(3, CompletionStatus.SUCCESS));
		pair.responder().awaitReceive();
		assertThat(pair.responder().text(1024, 8)).isEqualTo("ordered.");
	}

	@Test
	void whenChainIsPostedAgainThenItIsExecutedAgain() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = pair.requester().sendChain(2);
		pair.fetchAndAdd(1, 0, 1).accept(chain.add());
		pair.fetchAndAdd(2, 0, 10).accept(chain.add());
		pair.requester().queuePair().postSend(chain);
		pair.requester().queuePair().postSend(chain);
		pair.requester().awaitSends(4);
		assertThat(pair.responder().getLong(0)).isEqualTo(22);
	}

	@Test
	void whenShorterChainFollowsALongerOneThenOnlyItIsPosted() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = pair.requester().sendChain(3);
		for (int i = 0; i < 3; i++) {
			pair.fetchAndAdd(i, 0, 1).accept(chain.add());
		}
		pair.requester().queuePair().postSend(chain);
		chain.clear();
		pair.fetchAndAdd(7, 0, 100).accept(chain.add());
		pair.requester().queuePair().postSend(chain);
		assertThat(pair.requester().awaitSends(4)).extracting(Completion::wrId).containsExactly(0L, 1L, 2L, 7L);
		assertThat(pair.responder().getLong(0)).isEqualTo(103);
	}

	@Test
	void whenWorkRequestIsReusedThenNothingOfTheOldOneIsLeft() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = pair.requester().sendChain(1);
		pair.responder().postReceive(1, 0, 8);
		chain.add()
			.wrId(5)
			.sendWithImmediate(77)
			.addSge(pair.requester().memory(), 0, 8)
			.solicited()
			.fenced()
			.signaled();
		pair.requester().queuePair().postSend(chain);
		pair.requester().awaitSend();
		assertThat(pair.responder().awaitReceive().immediate()).isEqualTo(77);
		pair.responder().postReceive(2, 0, 8);
		chain.clear().add().signaled();
		pair.requester().queuePair().postSend(chain);
		assertThat(pair.requester().awaitSend().wrId()).isZero();
		Completion received = pair.responder().awaitReceive();
		assertThat(received.byteLength()).isZero();
		assertThat(received.immediate()).isNull();
	}

	@Test
	void whenChainIsEmptyThenNothingIsPosted() {
		ConnectedPair pair = connect();
		pair.requester().queuePair().postSend(pair.requester().sendChain(1));
		pair.requester().queuePair().postReceive(pair.requester().receiveChain(1));
		pair.requester().post(pair.write(1, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
	}

	@Test
	void whenChainIsOfAnotherContextThenPostIsRefused() {
		ConnectedPair pair = connect();
		SendWorkRequests sends = openContext().allocateSendWorkRequests(1, 1);
		sends.add();
		ReceiveWorkRequests receives = openContext().allocateReceiveWorkRequests(1, 1);
		receives.add();
		assertRefused(Errno.EINVAL, 0, () -> pair.requester().queuePair().postSend(sends));
		assertRefused(Errno.EINVAL, 0, () -> pair.requester().queuePair().postReceive(receives));
	}

}
