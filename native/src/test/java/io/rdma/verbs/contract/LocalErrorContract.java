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

import java.util.Set;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkRequestTampering;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that fail because of memory on the own side, and messages that do not fit.
 */
@DisplayName("Local errors")
public abstract class LocalErrorContract extends VerbsContract {

	@Test
	@DisplayName("SEND 100 -> recv 10: [LOC_LEN_ERR and REM_INV_REQ_ERR], rxe LOC_QP_OP_ERR and REM_OP_ERR")
	void whenReceiveIsTooShortThenBothSidesFailAndTheRestIsFlushed() {
		ConnectedPair pair = connect();
		pair.responder().postReceive(1, 0, 10);
		pair.responder().postReceive(2, 0, 100);
		pair.requester().fill(0, 100);
		pair.requester().post(pair.send(3, 100));
		pair.requester().post(pair.send(4, 5));
		Completion sent = pair.requester().awaitSend();
		assertThat(sent.wrId()).isEqualTo(3);
		assertThat(sent.status())
			.isIn(allowed(pair.responder(), CompletionStatus.REM_INV_REQ_ERR, CompletionStatus.REM_OP_ERR));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(4, CompletionStatus.WR_FLUSH_ERR));
		Completion received = pair.responder().awaitReceive();
		assertThat(received.wrId()).isEqualTo(1);
		assertThat(received.status())
			.isIn(allowed(pair.responder(), CompletionStatus.LOC_LEN_ERR, CompletionStatus.LOC_QP_OP_ERR));
		assertThat(outcomes(pair.responder().awaitReceives(1)))
			.containsExactly(outcome(2, CompletionStatus.WR_FLUSH_ERR));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().bytes(10, 90)).containsOnly(0);
	}

	@Test
	@DisplayName("SEND with bad lkey: specification LOC_PROT_ERR, rxe LOC_QP_OP_ERR or WR_FLUSH_ERR (differs)")
	void whenSendNamesAnUnknownKeyThenItFailsHere() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = pair.requester().sendChain(1);
		pair.send(2, 8).accept(chain.add());
		WorkRequestTampering.lkey(chain, Keys.unknown(pair.requester().memory().lkey()));
		assertSendFailsHere(pair, chain);
	}

	@Test
	@DisplayName("SEND past the local MR end: LOC_PROT_ERR, rxe LOC_PROT_ERR or WR_FLUSH_ERR (differs)")
	void whenSendRunsPastTheEndOfItsRegionThenItFailsHere() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = pair.requester().sendChain(1);
		chain.add().wrId(2).send().addSge(pair.requester().memory(), 65536 - 4, 4).signaled();
		WorkRequestTampering.length(chain, 8);
		assertSendFailsHere(pair, chain);
	}

	@Test
	@DisplayName("WRITE with bad lkey: as SEND (differs)")
	void whenWriteNamesAnUnknownKeyThenItFailsHere() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = pair.requester().sendChain(1);
		pair.write(2, 0, 8).accept(chain.add());
		WorkRequestTampering.lkey(chain, Keys.unknown(pair.requester().memory().lkey()));
		assertSendFailsHere(pair, chain);
		assertThat(pair.responder().bytes(0, 8)).containsOnly(0);
	}

	@Test
	@DisplayName("READ into a bad lkey: LOC_PROT_ERR")
	void whenReadNamesAnUnknownKeyThenItFailsHere() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = pair.requester().sendChain(1);
		pair.read(2, 0, 8).accept(chain.add());
		WorkRequestTampering.lkey(chain, Keys.unknown(pair.requester().memory().lkey()));
		pair.requester().queuePair().postSend(chain);
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.LOC_PROT_ERR));
		assertFailedHereOnly(pair);
	}

	@Test
	void whenReadGoesToARegionWithNoLocalWriteThenItFailsHere() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withMemoryAccess(Set.of()), EndpointOptions.defaults());
		pair.responder().fill(0, 8);
		pair.requester().post(pair.read(2, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.LOC_PROT_ERR));
		assertFailedHereOnly(pair);
		assertThat(pair.requester().bytes(0, 8)).containsOnly(0);
	}

	@Test
	@DisplayName("recv with bad lkey: req REM_OP_ERR; resp LOC_QP_OP_ERR")
	void whenReceiveNamesAnUnknownKeyThenBothSidesFail() {
		ConnectedPair pair = connect();
		ReceiveWorkRequests chain = pair.responder().receiveChain(1);
		chain.add().wrId(1).addSge(pair.responder().memory(), 0, 100);
		WorkRequestTampering.lkey(chain, Keys.unknown(pair.responder().memory().lkey()));
		pair.responder().queuePair().postReceive(chain);
		assertReceiveFails(pair);
	}

	@Test
	@DisplayName("recv with an MR without LOCAL_WRITE: req REM_OP_ERR; resp LOC_QP_OP_ERR")
	void whenReceiveGoesToARegionWithNoLocalWriteThenBothSidesFail() {
		ConnectedPair pair = connect(EndpointOptions.defaults(),
				EndpointOptions.defaults().withMemoryAccess(Set.of(AccessFlag.REMOTE_READ)));
		pair.responder().postReceive(1, 0, 100);
		assertReceiveFails(pair);
	}

	@Test
	void whenReceiveRunsPastTheEndOfItsRegionThenBothSidesFail() {
		ConnectedPair pair = connect();
		ReceiveWorkRequests chain = pair.responder().receiveChain(1);
		chain.add().wrId(1).addSge(pair.responder().memory(), 65536 - 4, 4);
		WorkRequestTampering.length(chain, 8);
		pair.responder().queuePair().postReceive(chain);
		assertReceiveFails(pair);
	}

	@Test
	void whenSecondPieceOfReceiveIsBadThenBothSidesFail() {
		ConnectedPair pair = connect();
		MemoryRegion closed = pair.responder().protectionDomain().allocateMemory(4096, EndpointOptions.ALL);
		pair.responder().postReceive((wr) -> wr.wrId(1).addSge(pair.responder().memory(), 0, 4).addSge(closed, 0, 100));
		closed.close();
		assertReceiveFails(pair);
	}

	@Test
	@DisplayName("opcode 99: post 0, LOC_QP_OP_ERR on 6.1, WR_FLUSH_ERR later (differs)")
	void whenOpcodeIsUnknownThenItFailsHere() {
		ConnectedPair pair = connect();
		SendWorkRequests chain = pair.requester().sendChain(1);
		pair.write(1, 0, 8).accept(chain.add());
		WorkRequestTampering.opcode(chain, 99);
		pair.requester().queuePair().postSend(chain);
		assertThat(pair.requester().awaitSend().status())
			.isIn(allowed(pair.requester(), CompletionStatus.LOC_QP_OP_ERR, CompletionStatus.WR_FLUSH_ERR));
		assertFailedHereOnly(pair);
	}

	@Test
	void whenItFailedHereThenTheRestIsFlushed() {
		ConnectedPair pair = connect();
		pair.requester().postReceive(7, 0, 8);
		SendWorkRequests chain = pair.requester().sendChain(1);
		pair.read(1, 0, 8).accept(chain.add());
		WorkRequestTampering.lkey(chain, Keys.unknown(pair.requester().memory().lkey()));
		pair.requester().queuePair().postSend(chain);
		pair.requester().post(pair.write(2, 0, 8), pair.write(3, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(3))).containsExactly(outcome(1, CompletionStatus.LOC_PROT_ERR),
				outcome(2, CompletionStatus.WR_FLUSH_ERR), outcome(3, CompletionStatus.WR_FLUSH_ERR));
		assertThat(outcomes(pair.requester().awaitReceives(1)))
			.containsExactly(outcome(7, CompletionStatus.WR_FLUSH_ERR));
	}

	private static void assertSendFailsHere(ConnectedPair pair, SendWorkRequests chain) {
		pair.requester().fill(0, 8);
		pair.responder().postReceive(1, 4096, 100);
		pair.requester().queuePair().postSend(chain);
		Completion sent = pair.requester().awaitSend();
		assertThat(sent.wrId()).isEqualTo(2);
		assertThat(sent.status()).isIn(allowed(pair.requester(), CompletionStatus.LOC_PROT_ERR,
				CompletionStatus.LOC_QP_OP_ERR, CompletionStatus.WR_FLUSH_ERR));
		assertFailedHereOnly(pair);
	}

	private static void assertFailedHereOnly(ConnectedPair pair) {
		pair.requester().awaitState(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.RTS);
		assertThat(pair.responder().receives().poll()).isNull();
	}

	private static void assertReceiveFails(ConnectedPair pair) {
		pair.responder().postReceive(3, 0, 100);
		pair.requester().fill(0, 8);
		pair.requester().post(pair.send(2, 8));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.REM_OP_ERR));
		assertThat(outcomes(pair.responder().awaitReceives(2)))
			.containsExactly(outcome(1, CompletionStatus.LOC_QP_OP_ERR), outcome(3, CompletionStatus.WR_FLUSH_ERR));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.ERR);
	}

}
