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
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequest;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkRequestTampering;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Payloads in pieces, and payloads copied while posting.
 */
@DisplayName("Inline data and scatter/gather lists")
public abstract class InlineScatterGatherContract extends VerbsContract {

	@Test
	@DisplayName("inline buffer reusable at once, lkey ignored")
	void whenInlinedThenMemoryCanBeReusedAndItsKeyIsNotLookedAt() {
		ConnectedPair pair = connect();
		pair.responder().postReceive(1, 0, 100);
		byte[] sent = pair.requester().fill(0, 64);
		SendWorkRequests chain = pair.requester().sendChain(1);
		chain.add().wrId(2).send().addSge(pair.requester().memory(), 0, 64).inlined().signaled();
		WorkRequestTampering.lkey(chain, 0);
		pair.requester().queuePair().postSend(chain);
		pair.requester().put(0, "overwritten");
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
		assertThat(pair.responder().awaitReceive().byteLength()).isEqualTo(64);
		assertThat(pair.responder().bytes(0, 64)).isEqualTo(sent);
	}

	@Test
	void whenInlinedSendWaitsThenItCarriesWhatWasThereWhenPosted() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withRnrRetry(7).withMinRnrTimer(12));
		pair.requester().put(0, "posted");
		pair.requester().post((wr) -> pair.send(2, 6).accept(wr.inlined()));
		pair.requester().put(0, "later.");
		pair.responder().postReceive(1, 0, 100);
		pair.responder().awaitReceive();
		assertThat(pair.responder().text(0, 6)).isEqualTo("posted");
	}

	@Test
	void whenWriteIsInlinedThenItWorksToo() {
		ConnectedPair pair = connect();
		pair.requester().put(0, "inlined");
		pair.requester().post((wr) -> pair.write(1, 16, 7).accept(wr.inlined()));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(pair.responder().text(16, 7)).isEqualTo("inlined");
	}

	@Test
	void whenInlineDataIsInPiecesThenTheirSumCounts() {
		ConnectedPair pair = connect();
		int max = pair.requester().queuePair().capabilities().maxInlineData();
		byte[] bytes = pair.requester().fill(0, max);
		pair.requester()
			.post((wr) -> wr.wrId(1)
				.rdmaWrite(pair.remote(0), pair.rkey())
				.addSge(pair.requester().memory(), 0, max / 2)
				.addSge(pair.requester().memory(), max / 2, max - max / 2)
				.inlined()
				.signaled());
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(pair.responder().bytes(0, max)).isEqualTo(bytes);
		assertRefused(Errno.EINVAL, 0,
				() -> pair.requester()
					.post((wr) -> wr.rdmaWrite(pair.remote(0), pair.rkey())
						.addSge(pair.requester().memory(), 0, max / 2)
						.addSge(pair.requester().memory(), max / 2, max - max / 2 + 1)
						.inlined()));
	}

	@Test
	@DisplayName("inline > max_inline: post EINVAL")
	void whenInlineDataIsTooLongThenPostIsRefused() {
		ConnectedPair pair = connect();
		int max = pair.requester().queuePair().capabilities().maxInlineData();
		assertRefused(Errno.EINVAL, 0, () -> pair.requester().post((wr) -> pair.send(3, max + 1).accept(wr.inlined())));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.RTS);
	}

	@Test
	void whenReadIsInlinedThenPostIsRefused() {
		ConnectedPair pair = connect();
		assertRefused(Errno.EINVAL, 0, () -> pair.requester().post((wr) -> pair.read(1, 0, 8).accept(wr.inlined())));
	}

	@Test
	void whenInlinedReadIsInAChainThenWhatComesBeforeItIsDone() {
		ConnectedPair pair = connect();
		byte[] bytes = pair.requester().fill(0, 8);
		assertRefused(Errno.EINVAL, 1, () -> pair.requester()
			.post(pair.write(1, 64, 8), (wr) -> pair.read(2, 0, 8).accept(wr.inlined()), pair.write(3, 128, 8)));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(pair.requester().sends().poll()).isNull();
		assertThat(pair.responder().bytes(64, 8)).isEqualTo(bytes);
		assertThat(pair.responder().bytes(128, 8)).containsOnly(0);
	}

	@Test
	void whenLargestInlineSizeIsAskedForThenItIsGrantedAndWorks() {
		int max = context().queryDevice().maxInlineData();
		ConnectedPair pair = connect(EndpointOptions.defaults().withInlineData(max));
		assertThat(pair.requester().queuePair().capabilities().maxInlineData()).isGreaterThanOrEqualTo(max);
		byte[] bytes = pair.requester().fill(0, max);
		pair.requester().post((wr) -> pair.write(1, 0, max).accept(wr.inlined()));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(pair.responder().bytes(0, max)).isEqualTo(bytes);
	}

	@Test
	@DisplayName("SEND gather 2 SGE (3+4) -> recv scatter 2 SGE (5+10)")
	void whenGatheredAndScatteredThenBytesRunOn() {
		ConnectedPair pair = connect();
		pair.requester().put(0, "abc");
		pair.requester().put(50, "defg");
		pair.responder()
			.postReceive((wr) -> wr.wrId(6)
				.addSge(pair.responder().memory(), 0, 5)
				.addSge(pair.responder().memory(), 100, 10));
		pair.requester()
			.post((wr) -> wr.wrId(7)
				.send()
				.addSge(pair.requester().memory(), 0, 3)
				.addSge(pair.requester().memory(), 50, 4)
				.signaled());
		assertThat(pair.requester().awaitSend().byteLength()).isEqualTo(7);
		assertThat(pair.responder().awaitReceive().byteLength()).isEqualTo(7);
		assertThat(pair.responder().bytes(0, 6)).containsExactly('a', 'b', 'c', 'd', 'e', 0);
		assertThat(pair.responder().bytes(100, 3)).containsExactly('f', 'g', 0);
	}

	@Test
	void whenReadIsScatteredThenBytesRunOn() {
		ConnectedPair pair = connect();
		pair.responder().put(8, "abcdefg");
		pair.requester()
			.post((wr) -> wr.wrId(1)
				.rdmaRead(pair.remote(8), pair.rkey())
				.addSge(pair.requester().memory(), 64, 3)
				.addSge(pair.requester().memory(), 0, 4)
				.signaled());
		assertThat(pair.requester().awaitSend().byteLength()).isEqualTo(7);
		assertThat(pair.requester().text(64, 3)).isEqualTo("abc");
		assertThat(pair.requester().text(0, 4)).isEqualTo("defg");
	}

	@Test
	void whenWriteIsGatheredFromManyPacketsThenBytesRunOn() {
		ConnectedPair pair = connect();
		byte[] bytes = pair.requester().fill(0, 10000);
		pair.requester()
			.post((wr) -> wr.wrId(1)
				.rdmaWrite(pair.remote(3), pair.rkey())
				.addSge(pair.requester().memory(), 0, 1)
				.addSge(pair.requester().memory(), 1, 4999)
				.addSge(pair.requester().memory(), 5000, 1024)
				.addSge(pair.requester().memory(), 6024, 3976)
				.signaled());
		assertThat(pair.requester().awaitSend().byteLength()).isEqualTo(10000);
		assertThat(pair.responder().bytes(3, 10000)).isEqualTo(bytes);
	}

	@Test
	@DisplayName("sge > max: post EINVAL")
	void whenThereAreTooManyEntriesThenPostIsRefused() {
		ConnectedPair pair = connect();
		QueuePairCapabilities granted = pair.requester().queuePair().capabilities();
		SendWorkRequests sends = context().allocateSendWorkRequests(1, granted.maxSendScatterGather() + 1);
		SendWorkRequest send = sends.add();
		for (int i = 0; i <= granted.maxSendScatterGather(); i++) {
			send.addSge(pair.requester().memory(), i, 1);
		}
		assertRefused(Errno.EINVAL, 0, () -> pair.requester().queuePair().postSend(sends));
		ReceiveWorkRequests receives = context().allocateReceiveWorkRequests(1, granted.maxReceiveScatterGather() + 1);
		ReceiveWorkRequest receive = receives.add();
		for (int i = 0; i <= granted.maxReceiveScatterGather(); i++) {
			receive.addSge(pair.requester().memory(), i, 1);
		}
		assertRefused(Errno.EINVAL, 0, () -> pair.requester().queuePair().postReceive(receives));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.RTS);
	}

}
