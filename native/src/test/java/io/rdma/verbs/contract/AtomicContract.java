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

import java.util.stream.LongStream;

import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.SendWorkRequests;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Atomic operations on 8 bytes of the peer.
 */
@DisplayName("Atomic operations")
public abstract class AtomicContract extends VerbsContract {

	@Test
	@DisplayName("CAS match")
	void whenExpectedValueIsFoundThenItIsSwapped() {
		ConnectedPair pair = connect();
		pair.responder().putLong(1024, 10);
		pair.requester().post(pair.compareAndSwap(9, 1024, 10, 20));
		Completion swapped = pair.requester().awaitSend();
		assertThat(swapped.status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(swapped.opcode()).isEqualTo(CompletionOpcode.COMP_SWAP);
		assertThat(swapped.byteLength()).isEqualTo(8);
		assertThat(pair.requester().getLong(0)).isEqualTo(10);
		assertThat(pair.responder().getLong(1024)).isEqualTo(20);
	}

	@Test
	@DisplayName("CAS mismatch is SUCCESS")
	void whenAnotherValueIsFoundThenItIsReturnedAndKept() {
		ConnectedPair pair = connect();
		pair.responder().putLong(1024, 20);
		pair.requester().post(pair.compareAndSwap(10, 1024, 10, 30));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(10, CompletionStatus.SUCCESS));
		assertThat(pair.requester().getLong(0)).isEqualTo(20);
		assertThat(pair.responder().getLong(1024)).isEqualTo(20);
	}

	@Test
	@DisplayName("FAA: old value returned in host order")
	void whenAddedThenOldValueIsReturnedInHostOrder() {
		ConnectedPair pair = connect();
		pair.responder().putLong(8, 0x0102_0304_0506_0708L);
		pair.requester().post(pair.fetchAndAdd(11, 8, 5));
		Completion added = pair.requester().awaitSend();
		assertThat(added.status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(added.opcode()).isEqualTo(CompletionOpcode.FETCH_ADD);
		assertThat(added.byteLength()).isEqualTo(8);
		assertThat(pair.requester().getLong(0)).isEqualTo(0x0102_0304_0506_0708L);
		assertThat(pair.responder().getLong(8)).isEqualTo(0x0102_0304_0506_070dL);
	}

	@ParameterizedTest
	@ValueSource(longs = { -1, Long.MAX_VALUE, Long.MIN_VALUE })
	void whenSumOverflowsThenItWrapsAround(long start) {
		ConnectedPair pair = connect();
		pair.responder().putLong(0, start);
		pair.requester().post(pair.fetchAndAdd(1, 0, start));
		pair.requester().awaitSend();
		assertThat(pair.responder().getLong(0)).isEqualTo(start + start);
	}

	@Test
	void whenChainOfAtomicsIsPostedThenEachSeesTheOneBefore() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = pair.requester().sendChain(10);
		for (int i = 0; i < 10; i++) {
			chain.add()
				.wrId(i)
				.fetchAndAdd(pair.remote(0), pair.rkey(), 1)
				.addSge(pair.requester().memory(), i * 8L, 8)
				.signaled();
		}
		pair.requester().queuePair().postSend(chain);
		pair.requester().awaitSends(10);
		assertThat(LongStream.range(0, 10).map((i) -> pair.requester().getLong(i * 8))).containsExactly(0L, 1L, 2L, 3L,
				4L, 5L, 6L, 7L, 8L, 9L);
		assertThat(pair.responder().getLong(0)).isEqualTo(10);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4, 7 })
	@DisplayName("FAA not 8-aligned: post_send EINVAL")
	void whenRemoteAddressIsNotAlignedThenPostIsRefused(int offset) {
		ConnectedPair pair = connect();
		assertRefused(Errno.EINVAL, 0, () -> pair.requester().post(pair.fetchAndAdd(1, offset, 1)));
		assertRefused(Errno.EINVAL, 0, () -> pair.requester().post(pair.compareAndSwap(2, offset, 0, 1)));
		assertStillWorks(pair);
		assertThat(pair.responder().bytes(0, 16)).containsOnly(0);
	}

	@Test
	@DisplayName("FAA local sge 4 bytes: post_send EINVAL")
	void whenLocalMemoryIsTooShortThenPostIsRefused() {
		ConnectedPair pair = connect();
		assertRefused(Errno.EINVAL, 0, () -> pair.requester()
			.post((wr) -> wr.fetchAndAdd(pair.remote(0), pair.rkey(), 1).addSge(pair.requester().memory(), 0, 4)));
		assertStillWorks(pair);
		assertThat(pair.responder().getLong(0)).isZero();
	}

	@Test
	void whenAtomicIsInlinedThenPostIsRefused() {
		ConnectedPair pair = connect();
		assertRefused(Errno.EINVAL, 0,
				() -> pair.requester().post((wr) -> pair.fetchAndAdd(1, 0, 1).accept(wr.inlined())));
		assertStillWorks(pair);
	}

	@Test
	void whenTwoConnectionsAddToOneWordThenEachSeesTheOther() {
		Endpoint counter = peerEndpoint();
		ConnectedPair first = ConnectedPair.of(endpoint(), counter);
		ConnectedPair second = ConnectedPair.of(endpoint(), closeAfterTest(counter.sibling()));
		for (int i = 0; i < 10; i++) {
			first.requester().post(first.fetchAndAdd(i, 0, 1));
			first.requester().awaitSend();
			second.requester().post(second.fetchAndAdd(i, 0, 100));
			second.requester().awaitSend();
		}
		assertThat(first.requester().getLong(0)).isEqualTo(9 * 101);
		assertThat(second.requester().getLong(0)).isEqualTo(9 * 101 + 1);
		assertThat(counter.getLong(0)).isEqualTo(1010);
	}

	private void assertStillWorks(ConnectedPair pair) {
		pair.requester().post(pair.write(99, 4096, 8));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(99, CompletionStatus.SUCCESS));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.RTS);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.RTS);
	}

}
