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

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.MemoryWindow;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.SendWorkRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages of all lengths at which the number or the form of their packets changes, over
 * the largest path MTU that there is, with packet numbers that go around the end of their
 * range.
 */
@DisplayName("Message sizes")
public abstract class MessageSizeContract extends VerbsContract {

	private static final Set<AccessFlag> WRITE = EnumSet.of(AccessFlag.REMOTE_WRITE);

	private static final int LARGEST = 1 << 20;

	/** Where messages go to. It is not aligned to anything. */
	private static final int PLACE = 4099;

	/** Where atomic operations are done. */
	private static final int WORD = 4104;

	/** Everything that the other side holds. */
	private static final int MEMORY = 2 * LARGEST;

	private static final int IMMEDIATE = 0xcafe_babe;

	@SuppressWarnings("NullAway.Init")
	private ConnectedPair pair;

	@BeforeEach
	void connectOverTheLargestMtu() {
		this.pair = connect(EndpointOptions.defaults()
			.withPathMtu(PathMtu.MTU_4096)
			.withMemory(MEMORY)
			.withMemoryAccess(EnumSet.allOf(AccessFlag.class))
			.withTimeout(16)
			.withFirstPsn(0xff_fffe));
	}

	private int[] lengths() {
		int mtu = this.pair.requester().queuePair().query().pathMtu().bytes();
		return new int[] { 0, 1, mtu - 1, mtu, mtu + 1, 3 * mtu, LARGEST };
	}

	@Test
	void whenSentThenReceiveHoldsAllBytes() {
		for (int length : lengths()) {
			this.pair.responder().postReceive(1, PLACE, length + 1);
			Completion received = send(length, SendWorkRequest::send);
			assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECV);
			assertThat(received.byteLength()).isEqualTo(length);
			assertThat(received.immediate()).isNull();
			assertArrived(length);
		}
	}

	@Test
	void whenSentWithImmediateThenReceiveTellsIt() {
		for (int length : lengths()) {
			this.pair.responder().postReceive(1, PLACE, length);
			Completion received = send(length, (wr) -> wr.sendWithImmediate(IMMEDIATE + length));
			assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECV);
			assertThat(received.byteLength()).isEqualTo(length);
			assertThat(received.immediate()).isEqualTo(IMMEDIATE + length);
			assertArrived(length);
		}
	}

	@Test
	void whenSentWithInvalidateThenTheWindowIsGone() {
		Endpoint responder = this.pair.responder();
		MemoryWindow window = closeAfterTest(responder.protectionDomain().allocateMemoryWindow());
		int rkey = 0;
		for (int length : lengths()) {
			responder.queuePair().postBind(1, window, responder.memory(), PLACE, LARGEST, WRITE, true);
			assertThat(outcomes(responder.awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
			rkey = window.rkey();
			int key = rkey;
			perform(this.pair.write(2, PLACE, 1, key));
			responder.postReceive(1, PLACE, length);
			Completion received = send(length, (wr) -> wr.sendWithInvalidate(key));
			if (!responder.isSoftRoce()) {
				// rxe sets bit 4, the kernel's own number of this flag, where verbs have
				// 8
				assertThat(received.invalidatedRkey()).isEqualTo(rkey);
			}
			assertArrived(length);
		}
		this.pair.requester().post(this.pair.write(2, PLACE, 1, rkey));
		assertThat(outcomes(this.pair.requester().awaitSends(1)))
			.containsExactly(outcome(2, CompletionStatus.REM_ACCESS_ERR));
		assertThat(this.pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(responder.state()).isEqualTo(QueuePairState.ERR);
	}

	@Test
	void whenWrittenThenAllBytesAreInPlace() {
		for (int length : lengths()) {
			clear();
			byte[] bytes = this.pair.requester().fill(0, length);
			perform(this.pair.write(2, PLACE, length));
			assertArrived(bytes);
		}
		assertThat(this.pair.responder().receives().poll()).isNull();
	}

	@Test
	void whenWrittenWithImmediateThenAllBytesAreInPlaceAndAReceiveTellsIt() {
		for (int length : lengths()) {
			clear();
			byte[] bytes = this.pair.requester().fill(0, length);
			this.pair.responder().postReceive(1, 0, 8);
			perform((wr) -> wr.wrId(2)
				.rdmaWriteWithImmediate(this.pair.remote(PLACE), this.pair.rkey(), IMMEDIATE + length)
				.addSge(this.pair.requester().memory(), 0, length)
				.signaled());
			Completion received = this.pair.responder().awaitReceive();
			assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECV_RDMA_WITH_IMM);
			assertThat(received.byteLength()).isEqualTo(length);
			assertThat(received.immediate()).isEqualTo(IMMEDIATE + length);
			assertArrived(bytes);
		}
	}

	@Test
	void whenReadThenAllBytesAreHere() {
		Endpoint requester = this.pair.requester();
		for (int length : lengths()) {
			byte[] bytes = this.pair.responder().fill(PLACE, length);
			requester.memory().put(0, ByteBuffer.allocate(MEMORY));
			perform((wr) -> wr.wrId(2)
				.rdmaRead(this.pair.remote(PLACE), this.pair.rkey())
				.addSge(requester.memory(), PLACE, length)
				.signaled());
			assertThat(requester.bytes(PLACE, length)).isEqualTo(bytes);
			assertThat(requester.bytes(PLACE - 8, 8)).containsOnly(0);
			assertThat(requester.bytes(PLACE + length, 8)).containsOnly(0);
		}
	}

	@Test
	void whenPacketNumbersWrapThenEachAtomicIsCarriedOutOnce() {
		Endpoint requester = this.pair.requester();
		for (int i = 0; i < 4; i++) {
			perform(this.pair.fetchAndAdd(2, WORD, 1));
			assertThat(requester.getLong(0)).isEqualTo(3L * i);
			perform(this.pair.compareAndSwap(2, WORD, 3L * i + 1, 3L * i + 3));
			assertThat(requester.getLong(0)).isEqualTo(3L * i + 1);
			perform(this.pair.compareAndSwap(2, WORD, 3L * i + 1, -1));
			assertThat(requester.getLong(0)).isEqualTo(3L * i + 3);
		}
		assertThat(this.pair.responder().getLong(WORD)).isEqualTo(12);
	}

	private void clear() {
		this.pair.responder().memory().put(0, ByteBuffer.allocate(MEMORY));
	}

	/** Send a message, and return what comes of it at the other side. */
	private Completion send(int length, Consumer<SendWorkRequest> operation) {
		clear();
		this.pair.requester().fill(0, length);
		perform((wr) -> {
			this.pair.send(2, length).accept(wr);
			operation.accept(wr);
		});
		Completion received = this.pair.responder().awaitReceive();
		assertThat(received.status()).isEqualTo(CompletionStatus.SUCCESS);
		return received;
	}

	private void perform(Consumer<SendWorkRequest> request) {
		this.pair.requester().post(request);
		assertThat(outcomes(this.pair.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
	}

	private void assertArrived(int length) {
		assertArrived(this.pair.requester().bytes(0, length));
	}

	private void assertArrived(byte[] bytes) {
		Endpoint responder = this.pair.responder();
		assertThat(responder.bytes(PLACE, bytes.length)).isEqualTo(bytes);
		assertThat(responder.bytes(PLACE - 8, 8)).containsOnly(0);
		assertThat(responder.bytes(PLACE + bytes.length, 8)).containsOnly(0);
	}

}
