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

import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.QueuePairState;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages into posted receives.
 */
@DisplayName("SEND and RECV")
public abstract class SendReceiveContract extends VerbsContract {

	@Test
	@DisplayName("SEND 5 -> recv 100")
	void whenMessageIsSentThenReceiveTellsItsLengthAndHoldsIt() {
		ConnectedPair pair = connect();
		pair.responder().postReceive(1, 0, 100);
		pair.requester().put(0, "hello");
		pair.requester().post(pair.send(2, 5));
		Completion sent = pair.requester().awaitSend();
		assertThat(sent.wrId()).isEqualTo(2);
		assertThat(sent.status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(sent.opcode()).isEqualTo(CompletionOpcode.SEND);
		assertThat(sent.byteLength()).isEqualTo(5);
		Completion received = pair.responder().awaitReceive();
		assertThat(received.wrId()).isEqualTo(1);
		assertThat(received.status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECV);
		assertThat(received.byteLength()).isEqualTo(5);
		assertThat(received.immediate()).isNull();
		assertThat(pair.responder().text(0, 5)).isEqualTo("hello");
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.RTS);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.RTS);
	}

	@Test
	@DisplayName("SEND_WITH_IMM, 0 bytes, no sge")
	void whenEmptyMessageHasImmediateDataThenItArrives() {
		ConnectedPair pair = connect();
		pair.responder().postReceive(3, 0, 100);
		pair.requester().post((wr) -> wr.wrId(4).sendWithImmediate(0xcafe_f00d).signaled());
		assertThat(pair.requester().awaitSend().opcode()).isEqualTo(CompletionOpcode.SEND);
		Completion received = pair.responder().awaitReceive();
		assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECV);
		assertThat(received.byteLength()).isZero();
		assertThat(received.immediate()).isEqualTo(0xcafe_f00d);
	}

	@Test
	void whenReceiveHasNoMemoryThenEmptyMessageFits() {
		ConnectedPair pair = connect();
		pair.responder().postReceive((wr) -> wr.wrId(1));
		pair.requester().post((wr) -> wr.wrId(2).send().signaled());
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
		assertThat(pair.responder().awaitReceive().byteLength()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 1023, 1024, 1025, 5000, 65536 })
	void whenMessageHasManyPacketsThenAllBytesArrive(int length) {
		ConnectedPair pair = connect();
		pair.responder().postReceive(1, 0, 65536);
		byte[] message = pair.requester().fill(0, length);
		pair.requester().post(pair.send(2, length));
		assertThat(pair.responder().awaitReceive().byteLength()).isEqualTo(length);
		assertThat(pair.responder().bytes(0, length)).isEqualTo(message);
	}

	@Test
	void whenMessageIsShorterThanReceiveThenTheRestStaysUntouched() {
		ConnectedPair pair = connect();
		pair.responder().put(0, "........");
		pair.responder().postReceive(1, 0, 8);
		pair.requester().put(0, "abc");
		pair.requester().post(pair.send(2, 3));
		pair.responder().awaitReceive();
		assertThat(pair.responder().text(0, 8)).isEqualTo("abc.....");
	}

	@Test
	void whenSeveralMessagesAreSentThenReceivesCompleteInOrder() {
		ConnectedPair pair = connect();
		for (int i = 0; i < 10; i++) {
			pair.responder().postReceive(100 + i, i * 8L, 8);
		}
		for (int i = 0; i < 10; i++) {
			pair.requester().put(0, "message" + i);
			pair.requester().post((wr) -> pair.send(7, 8).accept(wr.inlined()));
		}
		assertThat(pair.responder().awaitReceives(10)).extracting(Completion::wrId)
			.containsExactly(100L, 101L, 102L, 103L, 104L, 105L, 106L, 107L, 108L, 109L);
		assertThat(pair.responder().text(72, 8)).isEqualTo("message9");
	}

	@Test
	void whenBothSidesSendThenBothReceive() {
		ConnectedPair pair = connect();
		ConnectedPair back = pair.reversed();
		pair.requester().postReceive(1, 1024, 8);
		pair.responder().postReceive(2, 1024, 8);
		pair.requester().put(0, "question");
		pair.responder().put(0, "answer..");
		pair.requester().post(pair.send(3, 8));
		back.requester().post(back.send(4, 8));
		assertThat(outcomes(pair.requester().awaitReceives(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(outcomes(pair.responder().awaitReceives(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
		assertThat(pair.requester().text(1024, 8)).isEqualTo("answer..");
		assertThat(pair.responder().text(1024, 8)).isEqualTo("question");
	}

	@Test
	void whenPacketNumbersWrapThenMessagesStillArrive() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withFirstPsn(0xff_fffe));
		for (int i = 0; i < 5; i++) {
			pair.responder().postReceive(i, 0, 8);
			pair.requester().post(pair.send(10 + i, 8));
			assertThat(outcomes(pair.requester().awaitSends(1)))
				.containsExactly(outcome(10 + i, CompletionStatus.SUCCESS));
		}
		assertThat(pair.responder().awaitReceives(5)).extracting(Completion::wrId).containsExactly(0L, 1L, 2L, 3L, 4L);
	}

	@Test
	void whenQueuePairIsConnectedToItselfThenItReceivesWhatItSends() {
		Endpoint endpoint = endpoint();
		endpoint.connectTo(endpoint);
		ConnectedPair loop = new ConnectedPair(endpoint, endpoint);
		endpoint.put(0, "echo");
		endpoint.postReceive(1, 1024, 8);
		endpoint.post(loop.send(2, 4));
		assertThat(outcomes(endpoint.awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
		assertThat(outcomes(endpoint.awaitReceives(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(endpoint.text(1024, 4)).isEqualTo("echo");
	}

}
