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

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.SendWorkRequest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that the peer refuses. As in the ground truth, a receive is posted on each
 * side and a second WRITE follows the bad request: the request fails with the cause,
 * everything else is flushed, both queue pairs end in ERR and the peer's memory is
 * untouched.
 */
@DisplayName("Remote access errors")
public abstract class RemoteAccessErrorContract extends VerbsContract {

	@Test
	@DisplayName("WRITE bad rkey: REM_ACCESS_ERR")
	void whenWriteHasAnUnknownKeyThenItIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		assertAccessError(pair, pair.write(1, 0, 8, Keys.unknown(pair.rkey())));
	}

	@Test
	@DisplayName("WRITE wrong key byte: REM_ACCESS_ERR")
	void whenWriteHasAStaleKeyThenItIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		assertAccessError(pair, pair.write(1, 0, 8, Keys.stale(pair.rkey())));
	}

	@Test
	@DisplayName("READ bad rkey: REM_ACCESS_ERR")
	void whenReadHasAnUnknownKeyThenItIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		assertAccessError(pair, pair.read(1, 0, 8, Keys.unknown(pair.rkey())));
	}

	@Test
	@DisplayName("FAA bad rkey: REM_ACCESS_ERR")
	void whenAtomicHasAnUnknownKeyThenItIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		assertAccessError(pair, pair.fetchAndAdd(1, 0, 1, Keys.unknown(pair.rkey())));
	}

	@Test
	@DisplayName("WRITE past MR end: REM_ACCESS_ERR")
	void whenWriteRunsPastTheEndThenItIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		assertAccessError(pair, pair.write(1, 65536 - 8, 16));
	}

	@Test
	@DisplayName("WRITE of 8 packets partly out (nothing written): REM_ACCESS_ERR")
	void whenLongWriteRunsPastTheEndThenNotEvenItsStartIsWritten() throws InterruptedException {
		ConnectedPair pair = connect();
		assertAccessError(pair, pair.write(1, 65536 - 4096, 8192));
	}

	@Test
	@DisplayName("WRITE before MR start: REM_ACCESS_ERR")
	void whenWriteStartsBeforeTheRegionThenItIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		assertAccessError(pair, pair.write(1, -8, 8));
	}

	@Test
	@DisplayName("READ past MR end: REM_ACCESS_ERR")
	void whenReadRunsPastTheEndThenItIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		assertAccessError(pair, pair.read(1, 65536 - 8, 16));
	}

	@Test
	void whenAtomicIsBehindTheEndThenItIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		assertAccessError(pair, pair.fetchAndAdd(1, 65536, 1));
	}

	@Test
	void whenAddressWrapsAroundThenItIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		long lastBytes = -8 - pair.remote(0);
		assertAccessError(pair, pair.write(1, lastBytes, 16));
	}

	@Test
	@DisplayName("MR without REMOTE_WRITE: REM_ACCESS_ERR")
	void whenRegionMayNotBeWrittenThenWriteIsRefused() throws InterruptedException {
		ConnectedPair pair = connectTo(EndpointOptions.defaults().withoutMemoryAccess(AccessFlag.REMOTE_WRITE));
		assertAccessError(pair, pair.write(1, 0, 8));
	}

	@Test
	@DisplayName("MR without REMOTE_READ: REM_ACCESS_ERR")
	void whenRegionMayNotBeReadThenReadIsRefused() throws InterruptedException {
		ConnectedPair pair = connectTo(EndpointOptions.defaults().withoutMemoryAccess(AccessFlag.REMOTE_READ));
		assertAccessError(pair, pair.read(1, 0, 8));
	}

	@Test
	@DisplayName("MR without REMOTE_ATOMIC: REM_ACCESS_ERR")
	void whenRegionHasNoAtomicsThenAtomicIsRefused() throws InterruptedException {
		ConnectedPair pair = connectTo(EndpointOptions.defaults().withoutMemoryAccess(AccessFlag.REMOTE_ATOMIC));
		assertAccessError(pair, pair.fetchAndAdd(1, 0, 1));
	}

	@Test
	@DisplayName("WRITE other PD's MR: REM_ACCESS_ERR")
	void whenRegionIsOfAnotherProtectionDomainThenWriteIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		ProtectionDomain other = closeAfterTest(pair.responder().context().allocateProtectionDomain());
		MemoryRegion region = closeAfterTest(other.allocateMemory(4096, EndpointOptions.ALL));
		assertAccessError(pair, writeTo(region, pair));
		assertThat(region.getLongAcquire(0)).isZero();
	}

	@Test
	@DisplayName("WRITE deregistered MR: REM_ACCESS_ERR")
	void whenRegionIsClosedThenWriteIsRefused() throws InterruptedException {
		ConnectedPair pair = connect();
		MemoryRegion region = pair.responder().protectionDomain().allocateMemory(4096, EndpointOptions.ALL);
		Consumer<SendWorkRequest> write = writeTo(region, pair);
		region.close();
		assertAccessError(pair, write);
	}

	@Test
	@DisplayName("QP access flags lacking WRITE: REM_INV_REQ_ERR")
	void whenQueuePairMayNotBeWrittenThroughThenWriteIsRefused() throws InterruptedException {
		ConnectedPair pair = connectTo(EndpointOptions.defaults().withoutQueuePairAccess(AccessFlag.REMOTE_WRITE));
		assertInvalidRequest(pair, pair.write(1, 0, 8));
	}

	@Test
	@DisplayName("QP access flags lacking READ: REM_INV_REQ_ERR")
	void whenQueuePairMayNotBeReadThroughThenReadIsRefused() throws InterruptedException {
		ConnectedPair pair = connectTo(EndpointOptions.defaults().withoutQueuePairAccess(AccessFlag.REMOTE_READ));
		assertInvalidRequest(pair, pair.read(1, 0, 8));
	}

	@Test
	@DisplayName("QP access flags lacking ATOMIC: REM_INV_REQ_ERR")
	void whenQueuePairHasNoAtomicsThenAtomicIsRefused() throws InterruptedException {
		ConnectedPair pair = connectTo(EndpointOptions.defaults().withoutQueuePairAccess(AccessFlag.REMOTE_ATOMIC));
		assertInvalidRequest(pair, pair.fetchAndAdd(1, 0, 1));
	}

	@Test
	void whenPeerRefusesThenItCanStillBeUsedByOthers() {
		Endpoint responder = peerEndpoint();
		ConnectedPair bad = ConnectedPair.of(endpoint(), responder);
		ConnectedPair good = ConnectedPair.of(endpoint(), closeAfterTest(responder.sibling()));
		bad.requester().post(bad.write(1, 65536, 8));
		bad.requester().awaitSend();
		good.requester().post(good.write(2, 0, 8));
		assertThat(outcomes(good.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
	}

	private ConnectedPair connectTo(EndpointOptions responder) {
		return connect(EndpointOptions.defaults(), responder);
	}

	private static Consumer<SendWorkRequest> writeTo(MemoryRegion region, ConnectedPair pair) {
		long address = region.address();
		int rkey = region.rkey();
		return (wr) -> wr.wrId(1).rdmaWrite(address, rkey).addSge(pair.requester().memory(), 0, 8).signaled();
	}

	/**
	 * Ground truth: "responder's async event for those access errors: none; 7.3:
	 * IBV_EVENT_QP_ACCESS_ERR for the rkey cases". The specification has the event.
	 */
	private void assertAccessError(ConnectedPair pair, Consumer<SendWorkRequest> request) throws InterruptedException {
		assertFailure(pair, request, CompletionStatus.REM_ACCESS_ERR);
		if (!pair.responder().isSoftRoce()) {
			assertThat(awaitEvent(pair.responder(), AsyncEventType.QP_ACCESS_ERR).resource())
				.isSameAs(pair.responder().queuePair());
		}
	}

	/**
	 * No kernel has an event here; the specification has one that tells of an invalid
	 * request.
	 */
	private void assertInvalidRequest(ConnectedPair pair, Consumer<SendWorkRequest> request)
			throws InterruptedException {
		assertFailure(pair, request, CompletionStatus.REM_INV_REQ_ERR);
		AsyncEvent event = pair.responder().context().awaitAsyncEvent(Duration.ofMillis(10));
		if (event != null) {
			assertThat(event).isEqualTo(new AsyncEvent(AsyncEventType.QP_REQ_ERR, pair.responder().queuePair(), 0));
		}
	}

	private void assertFailure(ConnectedPair pair, Consumer<SendWorkRequest> request, CompletionStatus status) {
		pair.requester().fill(0, 8192);
		pair.responder().postReceive(100, 0, 100);
		pair.requester().postReceive(101, 0, 100);
		pair.requester().post(request);
		pair.requester().post(pair.write(2, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(2))).containsExactly(outcome(1, status),
				outcome(2, CompletionStatus.WR_FLUSH_ERR));
		assertThat(outcomes(pair.requester().awaitReceives(1)))
			.containsExactly(outcome(101, CompletionStatus.WR_FLUSH_ERR));
		assertThat(outcomes(pair.responder().awaitReceives(1)))
			.containsExactly(outcome(100, CompletionStatus.WR_FLUSH_ERR));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().bytes(0, 65536)).containsOnly(0);
	}

}
