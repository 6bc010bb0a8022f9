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

import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePairState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two contexts of one device, as two users of it have: connected, but otherwise
 * independent.
 */
@DisplayName("Two contexts")
public abstract class TwoContextContract extends VerbsContract {

	@SuppressWarnings("NullAway.Init")
	private DeviceContext other;

	@BeforeEach
	void openOther() {
		this.other = openContext();
	}

	@Test
	void whenMessageIsSentThenTheOtherContextReceivesIt() {
		ConnectedPair pair = connectContexts(EndpointOptions.defaults());
		pair.responder().postReceive(1, 0, 100);
		pair.requester().put(0, "across");
		pair.requester().post(pair.send(2, 6));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
		assertThat(pair.responder().awaitReceive().byteLength()).isEqualTo(6);
		assertThat(pair.responder().text(0, 6)).isEqualTo("across");
	}

	@Test
	void whenMemoryIsWrittenReadAndCountedThenTheOtherContextHasIt() {
		ConnectedPair pair = connectContexts(EndpointOptions.defaults());
		byte[] bytes = pair.requester().fill(0, 5000);
		pair.requester().post(pair.write(1, 64, 5000));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(pair.responder().bytes(64, 5000)).isEqualTo(bytes);
		pair.responder().putLong(8, 41);
		pair.requester().post(pair.fetchAndAdd(2, 8, 1), pair.read(3, 8, 8));
		assertThat(outcomes(pair.requester().awaitSends(2))).containsExactly(outcome(2, CompletionStatus.SUCCESS),
				outcome(3, CompletionStatus.SUCCESS));
		assertThat(pair.requester().getLong(0)).isEqualTo(42);
	}

	@Test
	void whenAccessIsRefusedThenBothFailAndOnlyTheResponderIsTold() throws InterruptedException {
		ConnectedPair pair = ConnectedPair.of(endpoint(this.other, EndpointOptions.defaults()), endpoint());
		pair.responder().postReceive(100, 0, 8);
		pair.requester().post(pair.write(1, 65536, 8));
		pair.requester().post(pair.write(2, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(2)))
			.containsExactly(outcome(1, CompletionStatus.REM_ACCESS_ERR), outcome(2, CompletionStatus.WR_FLUSH_ERR));
		assertThat(outcomes(pair.responder().awaitReceives(1)))
			.containsExactly(outcome(100, CompletionStatus.WR_FLUSH_ERR));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.ERR);
		if (!isSoftRoce()) {
			assertThat(awaitEvent(AsyncEventType.QP_ACCESS_ERR).resource()).isSameAs(pair.responder().queuePair());
			assertThat(this.other.awaitAsyncEvent(Duration.ofMillis(10))).isNull();
		}
	}

	@Test
	void whenReceiverIsNotReadyThenItsDelayIsKept() {
		EndpointOptions options = EndpointOptions.defaults().withRnrRetry(3).withMinRnrTimer(20);
		ConnectedPair pair = connectContexts(options);
		long start = System.nanoTime();
		pair.requester().post(pair.send(1, 8));
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(1, CompletionStatus.RNR_RETRY_EXC_ERR));
		assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(3 * 10_240_000);
	}

	@Test
	void whenContextOfThePeerIsClosedThenRequestFails() throws Exception {
		ConnectedPair pair = connectContexts(EndpointOptions.defaults().withTimeout(12).withRetryCount(1));
		pair.responder().close();
		this.other.close();
		pair.requester().post((wr) -> wr.wrId(1).rdmaWrite(4096, 1).addSge(pair.requester().memory(), 0, 8).signaled());
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(1, CompletionStatus.RETRY_EXC_ERR));
	}

	@Test
	void whenOneContextIsClosedThenTheOtherWorksOn() {
		ConnectedPair pair = connect();
		this.other.close();
		pair.requester().post(pair.write(1, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
	}

	@Test
	void whenLocalMemoryIsOfTheOtherContextThenRequestFailsHere() {
		ConnectedPair pair = connect();
		ProtectionDomain domain = closeAfterTest(this.other.allocateProtectionDomain());
		MemoryRegion foreign = closeAfterTest(domain.allocateMemory(4096, EndpointOptions.ALL));
		pair.requester()
			.post((wr) -> wr.wrId(1).rdmaRead(pair.remote(0), pair.rkey()).addSge(foreign, 0, 8).signaled());
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.LOC_PROT_ERR));
	}

	@Test
	void whenOverrunHappensInOneContextThenTheOtherIsNotTold() throws InterruptedException {
		ConnectedPair pair = connect(EndpointOptions.defaults().withCompletionDepth(1));
		pair.requester().post(pair.write(1, 0, 8), pair.write(2, 0, 8));
		awaitEvent(AsyncEventType.CQ_ERR);
		assertThat(this.other.awaitAsyncEvent(Duration.ofMillis(10))).isNull();
	}

	private ConnectedPair connectContexts(EndpointOptions options) {
		return ConnectedPair.of(endpoint(options), endpoint(this.other, options));
	}

}
