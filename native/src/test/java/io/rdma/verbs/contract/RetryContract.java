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

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Gid;
import io.rdma.verbs.QueuePairState;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Peers that do not answer. A request fails after its timeout has run out once for the
 * request itself and once for each retry.
 */
@DisplayName("No answer")
public abstract class RetryContract extends VerbsContract {

	/** Timeout of code 14: 4.096 µs times 2 to the power of 14. */
	private static final Duration TIMEOUT_14 = Duration.ofNanos(4096L << 14);

	/** Timeout of code 12. */
	private static final Duration TIMEOUT_12 = Duration.ofNanos(4096L << 12);

	@Test
	@DisplayName("peer QP destroyed, timeout 14, retry 3: RETRY_EXC_ERR after 270 ms")
	void whenPeerIsDestroyedThenRequestFailsAfterItsRetries() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withTimeout(14).withRetryCount(3));
		pair.requester().postReceive(3, 0, 8);
		pair.responder().queuePair().close();
		long start = System.nanoTime();
		pair.requester().post(pair.send(1, 8));
		pair.requester().post(pair.send(2, 8));
		assertThat(outcomes(pair.requester().awaitSends(2))).containsExactly(outcome(1, CompletionStatus.RETRY_EXC_ERR),
				outcome(2, CompletionStatus.WR_FLUSH_ERR));
		assertTook(TIMEOUT_14.multipliedBy(4), start);
		assertThat(outcomes(pair.requester().awaitReceives(1)))
			.containsExactly(outcome(3, CompletionStatus.WR_FLUSH_ERR));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
	}

	@ParameterizedTest
	@EnumSource(names = { "ERR", "RESET" })
	@DisplayName("peer QP in ERR, timeout 14, retry 1: RETRY_EXC_ERR after 134 ms")
	void whenPeerLeftTheConnectionThenRequestFailsAfterItsRetries(QueuePairState left) {
		ConnectedPair pair = connect(EndpointOptions.defaults().withTimeout(14).withRetryCount(1));
		pair.responder().modifyTo(left);
		long start = System.nanoTime();
		pair.requester().post(pair.write(1, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(1, CompletionStatus.RETRY_EXC_ERR));
		assertTook(TIMEOUT_14.multipliedBy(2), start);
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(left);
		assertThat(pair.responder().bytes(0, 8)).containsOnly(0);
	}

	@Test
	void whenThereAreNoRetriesThenRequestFailsAfterOneTimeout() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withTimeout(12).withRetryCount(0));
		pair.responder().modifyTo(QueuePairState.ERR);
		long start = System.nanoTime();
		pair.requester().post(pair.read(1, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(1, CompletionStatus.RETRY_EXC_ERR));
		assertTook(TIMEOUT_12, start);
	}

	@Test
	void whenPeerIsNotYetReadyToReceiveThenRequestFails() {
		EndpointOptions options = EndpointOptions.defaults().withTimeout(12).withRetryCount(1);
		Endpoint requester = endpoint(options);
		Endpoint responder = peerEndpoint(options);
		responder.queuePair().modify(responder.init().build());
		responder.postReceive(2, 0, 8);
		requester.connectTo(responder);
		requester.post(new ConnectedPair(requester, responder).send(1, 8));
		assertThat(outcomes(requester.awaitSends(1))).containsExactly(outcome(1, CompletionStatus.RETRY_EXC_ERR));
		assertThat(responder.receives().poll()).isNull();
		assertThat(responder.state()).isEqualTo(QueuePairState.INIT);
	}

	@Test
	void whenPeerGetsReadyWithinTheRetriesThenRequestSucceeds() {
		EndpointOptions options = EndpointOptions.defaults().withTimeout(16).withRetryCount(6);
		Endpoint requester = endpoint(options);
		Endpoint responder = peerEndpoint(options);
		responder.queuePair().modify(responder.init().build());
		requester.connectTo(responder);
		requester.post(new ConnectedPair(requester, responder).write(1, 0, 8));
		responder.choosePathTo(requester);
		responder.queuePair().modify(responder.readyToReceive(requester).build());
		assertThat(outcomes(requester.awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
	}

	@Test
	@DisplayName("RTR to an unreachable dgid is accepted; requests then fail")
	void whenPeerIsUnreachableThenRequestFails() throws UnknownHostException {
		Gid unreachable = Gid.of(InetAddress.getByAddress(new byte[] { (byte) 203, 0, 113, 99 }));
		Endpoint requester = endpoint(EndpointOptions.defaults().withTimeout(12).withRetryCount(1));
		Endpoint other = peerEndpoint();
		requester.queuePair().modify(requester.init().build());
		requester.queuePair()
			.modify(requester.readyToReceive(other)
				.addressVector(requester.routeTo(unreachable, device().gidIndex()))
				.build());
		requester.queuePair().modify(requester.readyToSend().build());
		requester.post(new ConnectedPair(requester, other).write(1, 0, 8));
		assertThat(outcomes(requester.awaitSends(1))).containsExactly(outcome(1, CompletionStatus.RETRY_EXC_ERR));
		requester.awaitState(QueuePairState.ERR);
	}

	@Test
	void whenTimeoutIsZeroThenRequestWaitsForEver() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withTimeout(0).withRetryCount(1));
		pair.responder().modifyTo(QueuePairState.ERR);
		pair.requester().post(pair.write(1, 0, 8));
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(200));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.RTS);
		pair.requester().modifyTo(QueuePairState.ERR);
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.WR_FLUSH_ERR));
	}

	@Test
	void whenPeerComesBackAfterAFailureThenBothCanConnectAgain() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withTimeout(12).withRetryCount(0));
		pair.responder().modifyTo(QueuePairState.ERR);
		pair.requester().post(pair.write(1, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(1, CompletionStatus.RETRY_EXC_ERR));
		pair.requester().modifyTo(QueuePairState.RESET);
		pair.responder().modifyTo(QueuePairState.RESET);
		ConnectedPair again = ConnectedPair.of(pair.requester(), pair.responder());
		again.requester().post(again.write(2, 0, 8));
		assertThat(outcomes(again.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
	}

	/**
	 * Soft-RoCE counts in ticks of up to 10 ms, so it may be one tick early each time.
	 */
	private void assertTook(Duration stated, long start) {
		Duration atLeast = isSoftRoce() ? stated.multipliedBy(8).dividedBy(10) : stated;
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(atLeast, stated.multipliedBy(10));
	}

}
