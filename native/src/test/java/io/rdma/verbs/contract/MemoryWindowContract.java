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

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.MemoryWindow;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.SendWorkRequest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * Rights to a part of a region that can be given and taken back.
 */
@DisplayName("Memory window")
public abstract class MemoryWindowContract extends VerbsContract {

	private static final Set<AccessFlag> READ_WRITE = EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

	private static final EndpointOptions BINDABLE = EndpointOptions.defaults()
		.withMemoryAccess(EnumSet.allOf(AccessFlag.class));

	@Test
	@DisplayName("MW type 2: BIND_MW, WRITE through, SEND_WITH_INV (resp flag WITH_INV), WRITE again: REM_ACCESS_ERR")
	void whenPeerInvalidatesTheWindowThenItCannotBeUsedAnyMore() {
		ConnectedPair pair = connect(BINDABLE);
		MemoryWindow window = bind(pair, 1000, 100, READ_WRITE);
		pair.requester().put(0, "through");
		pair.requester().post(pair.write(2, 1000, 7, window.rkey()));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
		assertThat(pair.responder().text(1000, 7)).isEqualTo("through");
		pair.responder().postReceive(3, 0, 100);
		pair.requester()
			.post((wr) -> wr.wrId(4)
				.sendWithInvalidate(window.rkey())
				.addSge(pair.requester().memory(), 0, 4)
				.signaled());
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(4, CompletionStatus.SUCCESS));
		Completion received = pair.responder().awaitReceive();
		assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECV);
		assertThat(received.byteLength()).isEqualTo(4);
		if (!pair.responder().isSoftRoce()) {
			// rxe sets bit 4, the kernel's own number of this flag, where verbs have 8
			assertThat(received.invalidatedRkey()).isEqualTo(window.rkey());
		}
		assertRefused(pair, pair.write(5, 1000, 8, window.rkey()));
	}

	@Test
	void whenBoundThenTheWindowHasANewKey() {
		ConnectedPair pair = connect(BINDABLE);
		MemoryWindow window = closeAfterTest(pair.responder().protectionDomain().allocateMemoryWindow());
		int before = window.rkey();
		pair.responder().queuePair().postBind(1, window, pair.responder().memory(), 0, 100, READ_WRITE, true);
		assertThat(window.rkey()).isNotEqualTo(before).isNotEqualTo(pair.rkey());
		Completion bound = pair.responder().awaitSend();
		assertThat(bound.status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(bound.opcode()).isEqualTo(CompletionOpcode.BIND_MW);
		assertThat(bound.wrId()).isEqualTo(1);
		assertRefused(pair, pair.write(5, 0, 8, before));
	}

	@Test
	void whenNotSignaledThenBindBringsNoCompletion() {
		ConnectedPair pair = connect(BINDABLE);
		MemoryWindow window = closeAfterTest(pair.responder().protectionDomain().allocateMemoryWindow());
		pair.responder().queuePair().postBind(1, window, pair.responder().memory(), 0, 100, READ_WRITE, false);
		pair.responder().post(pair.reversed().write(2, 0, 8));
		assertThat(outcomes(pair.responder().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
	}

	@Test
	void whenOutsideTheWindowThenAccessIsRefused() {
		ConnectedPair pair = connect(BINDABLE);
		assumeFalse(pair.responder().isSoftRoce(), "Soft-RoCE does not look at the bounds");
		MemoryWindow window = bind(pair, 1000, 100, READ_WRITE);
		assertRefused(pair, pair.write(5, 1096, 8, window.rkey()));
	}

	@Test
	void whenBeforeTheWindowThenAccessIsRefused() {
		ConnectedPair pair = connect(BINDABLE);
		assumeFalse(pair.responder().isSoftRoce(), "Soft-RoCE does not look at the bounds");
		MemoryWindow window = bind(pair, 1000, 100, READ_WRITE);
		assertRefused(pair, pair.read(5, 999, 8, window.rkey()));
	}

	@Test
	void whenWindowMayNotBeWrittenThenWriteIsRefused() {
		ConnectedPair pair = connect(BINDABLE);
		MemoryWindow window = bind(pair, 1000, 100, EnumSet.of(AccessFlag.REMOTE_READ));
		pair.responder().put(1000, "readable");
		pair.requester().post(pair.read(4, 1000, 8, window.rkey()));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(4, CompletionStatus.SUCCESS));
		assertThat(pair.requester().text(0, 8)).isEqualTo("readable");
		assertRefused(pair, pair.write(5, 1000, 8, window.rkey()));
	}

	@Test
	void whenInvalidatedHereThenAccessIsRefused() {
		ConnectedPair pair = connect(BINDABLE);
		MemoryWindow window = bind(pair, 1000, 100, READ_WRITE);
		pair.responder().post((wr) -> wr.wrId(9).localInvalidate(window.rkey()).signaled());
		Completion invalidated = pair.responder().awaitSend();
		assertThat(invalidated.status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(invalidated.opcode()).isEqualTo(CompletionOpcode.LOCAL_INV);
		assertRefused(pair, pair.write(5, 1000, 8, window.rkey()));
	}

	@Test
	void whenBoundAgainThenOnlyTheNewKeyWorks() {
		ConnectedPair pair = connect(BINDABLE);
		MemoryWindow window = bind(pair, 1000, 100, READ_WRITE);
		int old = window.rkey();
		pair.responder().post((wr) -> wr.localInvalidate(old));
		pair.responder().queuePair().postBind(1, window, pair.responder().memory(), 2000, 100, READ_WRITE, true);
		assertThat(outcomes(pair.responder().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		pair.requester().post(pair.write(4, 2000, 8, window.rkey()));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(4, CompletionStatus.SUCCESS));
		assertRefused(pair, pair.write(5, 1000, 8, old));
	}

	@Test
	void whenWindowIsClosedThenAccessIsRefused() {
		ConnectedPair pair = connect(BINDABLE);
		MemoryWindow window = bind(pair, 1000, 100, READ_WRITE);
		int rkey = window.rkey();
		window.close();
		assertThat(window.isOpen()).isFalse();
		assertRefused(pair, pair.write(5, 1000, 8, rkey));
	}

	@Test
	void whenWindowIsBoundThenRegionRefusesToClose() {
		ConnectedPair pair = connect(BINDABLE);
		MemoryWindow window = bind(pair, 1000, 100, READ_WRITE);
		assertRefused(Errno.EBUSY, pair.responder().memory()::close);
		window.close();
		pair.responder().memory().close();
		assertThat(pair.responder().memory().isOpen()).isFalse();
	}

	@Test
	void whenBindFailsThenTheRegionOfTheOneBeforeStillRefusesToClose() {
		ConnectedPair pair = connect(BINDABLE);
		Endpoint responder = pair.responder();
		MemoryWindow window = bind(pair, 1000, 100, READ_WRITE);
		MemoryRegion other = closeAfterTest(
				responder.protectionDomain().allocateMemory(4096, EnumSet.allOf(AccessFlag.class)));
		responder.queuePair().modify(QueuePairAttributes.to(QueuePairState.ERR).build());
		responder.queuePair().postBind(2, window, other, 0, 100, READ_WRITE, true);
		assertThat(outcomes(responder.awaitSends(1))).containsExactly(outcome(2, CompletionStatus.WR_FLUSH_ERR));
		assertRefused(Errno.EBUSY, responder.memory()::close);
		window.close();
		other.close();
		responder.memory().close();
		assertThat(responder.memory().isOpen()).isFalse();
	}

	@Test
	void whenRegionIsClosedThenNothingCanBeBoundToIt() {
		ConnectedPair pair = connect(BINDABLE);
		MemoryWindow window = closeAfterTest(pair.responder().protectionDomain().allocateMemoryWindow());
		pair.responder().memory().close();
		assertClosed(() -> pair.responder()
			.queuePair()
			.postBind(1, window, pair.responder().memory(), 0, 100, READ_WRITE, true));
	}

	@Test
	void whenOutsideTheRegionThenBindIsRefused() {
		ConnectedPair pair = connect(BINDABLE);
		MemoryWindow window = closeAfterTest(pair.responder().protectionDomain().allocateMemoryWindow());
		for (long[] range : new long[][] { { -1, 1 }, { 0, -1 }, { 65536, 1 }, { 65000, 1000 },
				{ Long.MAX_VALUE, 2 } }) {
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> pair.responder()
				.queuePair()
				.postBind(1, window, pair.responder().memory(), range[0], range[1], READ_WRITE, true));
		}
	}

	@Test
	void whenRegionDoesNotAllowWindowsThenBindFails() {
		ConnectedPair pair = connect();
		MemoryWindow window = closeAfterTest(pair.responder().protectionDomain().allocateMemoryWindow());
		pair.responder().queuePair().postBind(1, window, pair.responder().memory(), 0, 100, READ_WRITE, false);
		assertThat(pair.responder().awaitSend().status()).isIn(allowed(pair.responder(), CompletionStatus.MW_BIND_ERR,
				CompletionStatus.LOC_QP_OP_ERR, CompletionStatus.WR_FLUSH_ERR));
		pair.responder().awaitState(QueuePairState.ERR);
	}

	@Test
	void whenWindowIsUnboundThenPeersCannotUseItsKey() {
		ConnectedPair pair = connect(BINDABLE);
		MemoryWindow window = closeAfterTest(pair.responder().protectionDomain().allocateMemoryWindow());
		assertRefused(pair, pair.write(5, 0, 8, window.rkey()));
	}

	private MemoryWindow bind(ConnectedPair pair, long offset, long length, Set<AccessFlag> access) {
		MemoryWindow window = closeAfterTest(pair.responder().protectionDomain().allocateMemoryWindow());
		pair.responder().queuePair().postBind(1, window, pair.responder().memory(), offset, length, access, true);
		assertThat(outcomes(pair.responder().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		return window;
	}

	private static void assertRefused(ConnectedPair pair, Consumer<SendWorkRequest> request) {
		pair.requester().post(request);
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(5, CompletionStatus.REM_ACCESS_ERR));
		assertThat(pair.requester().state()).isEqualTo(QueuePairState.ERR);
		assertThat(pair.responder().state()).isEqualTo(QueuePairState.ERR);
	}

}
