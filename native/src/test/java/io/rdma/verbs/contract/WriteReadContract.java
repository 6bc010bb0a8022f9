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
import java.util.stream.LongStream;

import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.SendWorkRequests;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One-sided operations that move bytes.
 */
@DisplayName("WRITE and READ")
public abstract class WriteReadContract extends VerbsContract {

	@Test
	@DisplayName("WRITE 4096: SUCCESS, no responder WC")
	void whenWrittenThenBytesAreThereAndOnlyTheRequesterIsTold() {
		ConnectedPair pair = connect();
		byte[] bytes = pair.requester().fill(0, 4096);
		pair.responder().postReceive(1, 8192, 8);
		pair.requester().post(pair.write(5, 0, 4096));
		Completion written = pair.requester().awaitSend();
		assertThat(written.wrId()).isEqualTo(5);
		assertThat(written.opcode()).isEqualTo(CompletionOpcode.RDMA_WRITE);
		assertThat(written.byteLength()).isEqualTo(4096);
		assertThat(pair.responder().bytes(0, 4096)).isEqualTo(bytes);
		pair.requester().post(pair.send(6, 8));
		assertThat(pair.responder().awaitReceive().opcode()).isEqualTo(CompletionOpcode.RECV);
		assertThat(pair.responder().receives().poll()).isNull();
	}

	@Test
	@DisplayName("READ 5000: SUCCESS, no responder WC")
	void whenReadThenBytesAreHereAndOnlyTheRequesterIsTold() {
		ConnectedPair pair = connect();
		byte[] bytes = pair.responder().fill(100, 5000);
		pair.requester().post(pair.read(8, 100, 5000));
		Completion read = pair.requester().awaitSend();
		assertThat(read.wrId()).isEqualTo(8);
		assertThat(read.opcode()).isEqualTo(CompletionOpcode.RDMA_READ);
		assertThat(read.byteLength()).isEqualTo(5000);
		assertThat(pair.requester().bytes(0, 5000)).isEqualTo(bytes);
		assertThat(pair.responder().receives().poll()).isNull();
	}

	@Test
	@DisplayName("WRITE_WITH_IMM 3000: takes a recv, writes nothing into it")
	void whenWrittenWithImmediateThenReceiveCompletesUntouched() {
		ConnectedPair pair = connect();
		byte[] bytes = pair.requester().fill(0, 3000);
		pair.responder().put(0, "untouched");
		pair.responder().postReceive(6, 0, 9);
		pair.requester()
			.post((wr) -> wr.wrId(7)
				.rdmaWriteWithImmediate(pair.remote(8192), pair.rkey(), 0x0102_0304)
				.addSge(pair.requester().memory(), 0, 3000)
				.signaled());
		assertThat(pair.requester().awaitSend().opcode()).isEqualTo(CompletionOpcode.RDMA_WRITE);
		Completion received = pair.responder().awaitReceive();
		assertThat(received.wrId()).isEqualTo(6);
		assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECV_RDMA_WITH_IMM);
		assertThat(received.byteLength()).isEqualTo(3000);
		assertThat(received.immediate()).isEqualTo(0x0102_0304);
		assertThat(pair.responder().text(0, 9)).isEqualTo("untouched");
		assertThat(pair.responder().bytes(8192, 3000)).isEqualTo(bytes);
	}

	@Test
	@DisplayName("WRITE or READ of 0 bytes, bad rkey: SUCCESS (not checked)")
	void whenNothingIsMovedThenKeyIsNotLookedAt() {
		ConnectedPair pair = connect();
		int bad = Keys.unknown(pair.rkey());
		pair.requester().post(pair.write(12, 0, 0, bad));
		pair.requester().post(pair.read(13, 0, 0, bad));
		assertThat(outcomes(pair.requester().awaitSends(2))).containsExactly(outcome(12, CompletionStatus.SUCCESS),
				outcome(13, CompletionStatus.SUCCESS));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.RTS);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.RTS);
	}

	@Test
	void whenWrittenToTheWholeRegionThenFirstAndLastByteAreThere() {
		ConnectedPair pair = connect();
		byte[] bytes = pair.requester().fill(0, 65536);
		pair.requester().post(pair.write(1, 0, 65536));
		assertThat(pair.requester().awaitSend().status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(pair.responder().bytes(0, 65536)).isEqualTo(bytes);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 4095, 4097 })
	void whenWrittenAtAnOddOffsetThenNeighboursStayUntouched(int offset) {
		ConnectedPair pair = connect();
		pair.requester().put(0, "ab");
		pair.requester().post(pair.write(1, offset, 2));
		assertThat(pair.requester().awaitSend().status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(pair.responder().bytes(offset - 1L, 4)).containsExactly(0, 'a', 'b', 0);
	}

	@Test
	@DisplayName("32 READs, max_rd_atomic 1: all complete")
	void whenMoreReadsArePostedThanMayBeOutstandingThenAllComplete() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withMaxRdAtomic(1).withSendDepth(64));
		SendWorkRequests chain = pair.requester().sendChain(32);
		for (int i = 0; i < 32; i++) {
			pair.read(i, 0, 8).accept(chain.add());
		}
		pair.requester().queuePair().postSend(chain);
		assertThat(pair.requester().awaitSends(32)).allMatch((wc) -> wc.status() == CompletionStatus.SUCCESS)
			.extracting(Completion::wrId)
			.containsExactlyElementsOf(LongStream.range(0, 32).boxed().toList());
	}

	@Test
	@DisplayName("READ with max_rd_atomic 0: post 0, no WC (hangs)")
	void whenNoReadMayBeOutstandingThenReadWaitsForEver() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withMaxRdAtomic(0).withRetryCount(1));
		pair.requester().post(pair.read(1, 0, 8));
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(300));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.RTS);
		pair.requester().modifyTo(QueuePairState.ERR);
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.WR_FLUSH_ERR));
	}

	@Test
	void whenReadFollowsWriteThenItSeesWhatWasWritten() {
		ConnectedPair pair = connect();
		pair.requester().put(0, "written.");
		pair.requester()
			.post(pair.write(1, 64, 8),
					(wr) -> wr.wrId(2)
						.rdmaRead(pair.remote(64), pair.rkey())
						.addSge(pair.requester().memory(), 128, 8)
						.signaled());
		pair.requester().awaitSends(2);
		assertThat(pair.requester().text(128, 8)).isEqualTo("written.");
	}

	@Test
	void whenFencedThenSendCarriesWhatTheReadBrought() {
		ConnectedPair pair = connect();
		pair.responder().put(0, "fetched!");
		pair.responder().postReceive(9, 1024, 8);
		pair.requester().post(pair.read(1, 0, 8), (wr) -> pair.send(2, 8).accept(wr.fenced()));
		assertThat(outcomes(pair.requester().awaitSends(2))).containsExactly(outcome(1, CompletionStatus.SUCCESS),
				outcome(2, CompletionStatus.SUCCESS));
		pair.responder().awaitReceive();
		assertThat(pair.responder().text(1024, 8)).isEqualTo("fetched!");
	}

	@Test
	@DisplayName("WRITE of 1 MiB, 8 MiB and one byte more")
	void whenMessageIsLargeThenAllBytesArrive() {
		int largest = (8 << 20) + 1;
		ConnectedPair pair = connect(EndpointOptions.defaults().withMemory(9 << 20));
		byte[] bytes = pair.requester().fill(0, largest);
		pair.requester().post(pair.write(1, 0, largest));
		Completion written = pair.requester().awaitSend();
		assertThat(written.status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(written.byteLength()).isEqualTo(largest);
		assertThat(pair.responder().bytes(0, largest)).isEqualTo(bytes);
	}

	@Test
	void whenRegionIsUsedThroughItsBufferThenPeerSeesIt() {
		ConnectedPair pair = connect();
		pair.responder().memory().buffer(16, 8).putLong(0x0102_0304_0506_0708L);
		pair.requester().post(pair.read(1, 16, 8));
		pair.requester().awaitSend();
		assertThat(pair.requester().memory().buffer(0, 8).getLong()).isEqualTo(0x0102_0304_0506_0708L);
	}

}
