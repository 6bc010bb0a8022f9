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
import java.util.Set;
import java.util.stream.Stream;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.Gid;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.QueuePairAttribute;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.QueuePairTransition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The states of a queue pair, the ways between them and what can be posted in each. A
 * reliable connection never reaches SQE, so no test starts there.
 */
@DisplayName("State machine")
public abstract class StateMachineContract extends VerbsContract {

	@ParameterizedTest
	@MethodSource("pairsOfStates")
	void whenTransitionExistsThenItIsMadeElseRefusedByName(QueuePairState from, QueuePairState to) {
		Endpoint peer = endpoint();
		Endpoint endpoint = endpointIn(from, peer);
		QueuePairAttributes attributes = attributesTo(to, endpoint, peer).build();
		QueuePairState before = endpoint.state();
		if (QueuePairTransition.find(from, to) != null) {
			endpoint.queuePair().modify(attributesOf(from, to, endpoint, peer).build());
			assertThat(endpoint.state()).isIn(asTold(to));
		}
		else {
			assertRefused(Errno.EINVAL, () -> endpoint.queuePair().modify(attributes))
				.withMessageMatching(".*from (" + from + "|" + before + ") to " + to + "\\b.*");
			assertThat(endpoint.state()).isEqualTo(before);
		}
	}

	static Stream<Arguments> pairsOfStates() {
		return Stream.of(QueuePairState.values())
			.filter((from) -> from != QueuePairState.SQE)
			.flatMap((from) -> Stream.of(QueuePairState.values()).map((to) -> Arguments.of(from, to)));
	}

	@Test
	void whenFreshThenQueuePairCannotGoToErr() {
		Endpoint endpoint = endpoint();
		assertRefused(Errno.EINVAL, () -> endpoint.modifyTo(QueuePairState.ERR)).withMessageContaining("RESET")
			.withMessageContaining("ERR");
		assertThat(endpoint.state()).isEqualTo(QueuePairState.RESET);
	}

	@ParameterizedTest
	@MethodSource("requiredAttributes")
	void whenAttributeIsMissingThenTransitionIsRefusedByItsName(QueuePairState from, QueuePairState to,
			QueuePairAttribute missing) {
		Endpoint peer = endpoint();
		Endpoint endpoint = endpointIn(from, peer);
		QueuePairAttributes attributes = attributesOf(from, to, endpoint, peer).without(missing).build();
		assertRefused(Errno.EINVAL, () -> endpoint.queuePair().modify(attributes))
			.withMessageContaining("missing [" + missing + "]");
		assertThat(endpoint.state()).isEqualTo(from);
	}

	static Stream<Arguments> requiredAttributes() {
		return QueuePairTransition.all()
			.stream()
			.flatMap((transition) -> transition.required()
				.stream()
				.sorted()
				.map((attribute) -> Arguments.of(transition.from(), transition.to(), attribute)));
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = { "SQD", "SQE" })
	void whenAttributeIsSurplusThenTransitionIsRefusedByItsName(QueuePairState from) {
		Endpoint peer = endpoint();
		Endpoint endpoint = endpointIn(from, peer);
		QueuePairAttributes surplus = QueuePairAttributes.to(QueuePairState.RESET)
			.destQpNumber(peer.queuePair().number())
			.build();
		assertRefused(Errno.EINVAL, () -> endpoint.queuePair().modify(surplus))
			.withMessageContaining("surplus [DEST_QP_NUMBER]");
		assertThat(endpoint.state()).isEqualTo(from);
	}

	@Test
	void whenCallerIsWrongAboutTheStateThenTransitionIsRefused() {
		Endpoint endpoint = connect().requester();
		QueuePairAttributes attributes = QueuePairAttributes.to(QueuePairState.RTS)
			.currentState(QueuePairState.RTR)
			.minRnrTimer(2)
			.build();
		assertRefused(Errno.EINVAL, () -> endpoint.queuePair().modify(attributes)).withMessageContaining("RTR");
	}

	@Test
	@DisplayName("INIT->INIT: 0")
	void whenInInitThenAttributesCanBeChanged() {
		Endpoint endpoint = endpointIn(QueuePairState.INIT, endpoint());
		endpoint.queuePair()
			.modify(QueuePairAttributes.to(QueuePairState.INIT).accessFlags(Set.of(AccessFlag.REMOTE_READ)).build());
		assertThat(endpoint.queuePair().query().accessFlags()).containsExactly(AccessFlag.REMOTE_READ);
	}

	@Test
	@DisplayName("port 2: EINVAL")
	void whenThereIsNoSuchPortThenInitIsRefused() {
		Endpoint endpoint = endpoint();
		int tooLarge = context().queryDevice().physicalPorts() + 1;
		assertRefused(Errno.EINVAL, () -> endpoint.queuePair().modify(endpoint.init().port(tooLarge).build()));
		assertRefused(Errno.EINVAL, () -> endpoint.queuePair().modify(endpoint.init().port(0).build()));
		assertThat(endpoint.state()).isEqualTo(QueuePairState.RESET);
	}

	@Test
	@DisplayName("pkey_index 5: 0 (accepted)")
	void whenPkeyIndexIsUnusedThenInitIsAccepted() {
		Endpoint endpoint = endpoint();
		endpoint.queuePair().modify(endpoint.init().pkeyIndex(5).build());
		assertThat(endpoint.state()).isEqualTo(QueuePairState.INIT);
	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("path_mtu > active: EINVAL")
	void whenPathMtuIsLargerThanTheActiveOneThenRtrIsRefused(PathMtu mtu) {
		Endpoint peer = endpoint();
		Endpoint endpoint = endpointIn(QueuePairState.INIT, peer);
		QueuePairAttributes attributes = endpoint.readyToReceive(peer).pathMtu(mtu).build();
		if (mtu.compareTo(context().queryPort(device().port()).activeMtu()) > 0) {
			assertRefused(Errno.EINVAL, () -> endpoint.queuePair().modify(attributes));
			assertThat(endpoint.state()).isEqualTo(QueuePairState.INIT);
		}
		else {
			endpoint.queuePair().modify(attributes);
			assertThat(endpoint.queuePair().query().pathMtu()).isEqualTo(mtu);
		}
	}

	@Test
	@DisplayName("RTR with an empty sgid_index: ENODATA")
	void whenSourceGidIsEmptyThenRtrIsRefused() {
		Endpoint peer = endpoint();
		Endpoint endpoint = endpointIn(QueuePairState.INIT, peer);
		QueuePairAttributes attributes = endpoint.readyToReceive(peer)
			.addressVector(endpoint.routeTo(peer.gid(), 200))
			.build();
		assertRefused(Errno.ENODATA, () -> endpoint.queuePair().modify(attributes));
		assertThat(endpoint.state()).isEqualTo(QueuePairState.INIT);
	}

	@Test
	void whenGlobalRouteIsMissingOnEthernetThenRtrIsRefused() {
		Endpoint peer = endpoint();
		Endpoint endpoint = endpointIn(QueuePairState.INIT, peer);
		QueuePairAttributes attributes = endpoint.readyToReceive(peer)
			.addressVector(new AddressVector(0, 0, device().port(), null))
			.build();
		assertRefused(Errno.EINVAL, () -> endpoint.queuePair().modify(attributes));
		assertThat(endpoint.state()).isEqualTo(QueuePairState.INIT);
	}

	@Test
	@DisplayName("unreachable or unrouted dgid: 0 (accepted)")
	void whenPeerIsUnreachableThenRtrIsAccepted() throws UnknownHostException {
		Gid unreachable = Gid.of(InetAddress.getByAddress(new byte[] { (byte) 203, 0, 113, 99 }));
		Endpoint peer = endpoint();
		Endpoint endpoint = endpointIn(QueuePairState.INIT, peer);
		endpoint.queuePair()
			.modify(endpoint.readyToReceive(peer)
				.addressVector(endpoint.routeTo(unreachable, device().gidIndex()))
				.build());
		endpoint.queuePair().modify(endpoint.readyToSend().build());
		assertThat(endpoint.state()).isEqualTo(QueuePairState.RTS);
	}

	@Test
	@DisplayName("max_dest_rd_atomic 200 > 128: 0 (accepted)")
	void whenMoreResponderResourcesAreAskedForThanThereAreThenRtrIsAccepted() {
		Endpoint peer = endpoint();
		Endpoint endpoint = endpointIn(QueuePairState.INIT, peer);
		endpoint.queuePair().modify(endpoint.readyToReceive(peer).maxDestRdAtomic(200).build());
		assertThat(endpoint.state()).isEqualTo(QueuePairState.RTR);
	}

	@Test
	void whenRefusedThenTheRightAttributesAreStillAccepted() {
		Endpoint peer = endpoint();
		Endpoint endpoint = endpointIn(QueuePairState.INIT, peer);
		QueuePairAttributes wrong = endpoint.readyToReceive(peer)
			.addressVector(endpoint.routeTo(peer.gid(), 200))
			.rqPsn(77)
			.build();
		assertRefused(Errno.ENODATA, () -> endpoint.queuePair().modify(wrong));
		endpoint.queuePair().modify(endpoint.readyToReceive(peer).build());
		assertThat(endpoint.queuePair().query().rqPsn()).isEqualTo(100);
	}

	@Test
	void whenInRtsThenQueryTellsWhatWasSet() {
		ConnectedPair pair = connect(EndpointOptions.defaults().withRnrRetry(6).withMinRnrTimer(12));
		QueuePairAttributes told = pair.requester().queuePair().query();
		assertThat(told.state()).isEqualTo(QueuePairState.RTS);
		assertThat(told.destQpNumber()).isEqualTo(pair.responder().queuePair().number());
		assertThat(told.rqPsn()).isEqualTo(100);
		assertThat(told.port()).isEqualTo(device().port());
		assertThat(told.pkeyIndex()).isZero();
		assertThat(told.accessFlags()).containsExactlyInAnyOrderElementsOf(EndpointOptions.REMOTE);
		AddressVector set = pair.requester().routeTo(pair.responder().gid(), device().gidIndex());
		if (pair.requester().isSoftRoce()) {
			assertThat(told.addressVector()).usingRecursiveComparison()
				.ignoringFields("globalRoute.hopLimit")
				.isEqualTo(set);
		}
		else {
			assertThat(told.addressVector()).isEqualTo(set);
		}
		assertThat(told.timeout()).isEqualTo(14);
		assertThat(told.retryCount()).isEqualTo(3);
		assertThat(told.rnrRetry()).isEqualTo(6);
		assertThat(told.minRnrTimer()).isEqualTo(12);
		assertThat(told.maxRdAtomic()).isEqualTo(4);
		assertThat(told.maxDestRdAtomic()).isEqualTo(4);
		assertThat(told.capabilities()).isEqualTo(pair.requester().queuePair().capabilities());
	}

	@ParameterizedTest
	@EnumSource(names = { "RESET", "INIT", "RTR" })
	@DisplayName("post_send in RESET, INIT, RTR: EINVAL")
	void whenNotReadyToSendThenSendIsRefused(QueuePairState state) {
		Endpoint peer = endpoint();
		Endpoint endpoint = endpointIn(state, peer);
		assertRefused(Errno.EINVAL, 0, () -> endpoint.post((wr) -> wr.wrId(1).signaled()));
		assertThat(endpoint.state()).isEqualTo(state);
	}

	@Test
	void whenSendWasRefusedThenItIsNotFlushedLater() {
		Endpoint peer = endpoint();
		Endpoint endpoint = endpointIn(QueuePairState.RTR, peer);
		assertRefused(Errno.EINVAL, 0, () -> endpoint.post((wr) -> wr.wrId(1).signaled()));
		endpoint.queuePair().modify(endpoint.readyToSend().build());
		endpoint.modifyTo(QueuePairState.ERR);
		endpoint.post((wr) -> wr.wrId(2).signaled());
		assertThat(outcomes(endpoint.awaitSends(1))).containsExactly(outcome(2, CompletionStatus.WR_FLUSH_ERR));
	}

	@Test
	@DisplayName("post_recv in RESET: EINVAL")
	void whenInResetThenReceiveIsRefused() {
		Endpoint endpoint = endpoint();
		assertRefused(Errno.EINVAL, 0, () -> endpoint.postReceive(1, 0, 8));
	}

	@ParameterizedTest
	@EnumSource(names = { "INIT", "RTR" })
	@DisplayName("post_recv in INIT / RTR: 0 / 0")
	void whenNotYetConnectedThenReceiveIsKept(QueuePairState state) {
		Endpoint requester = endpoint();
		Endpoint responder = endpointIn(state, requester);
		responder.postReceive(1, 0, 8);
		if (state == QueuePairState.INIT) {
			responder.choosePathTo(requester);
			responder.queuePair().modify(responder.readyToReceive(requester).build());
		}
		requester.connectTo(responder);
		requester.post(new ConnectedPair(requester, responder).send(2, 8));
		assertThat(outcomes(requester.awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
		assertThat(outcomes(responder.awaitReceives(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(responder.state()).isEqualTo(QueuePairState.RTR);
	}

	@Test
	@DisplayName("ERR -> RESET -> reconnect: works")
	void whenResetAfterErrorThenConnectsAndWorksAgain() {
		ConnectedPair pair = connect();
		pair.requester().modifyTo(QueuePairState.ERR);
		pair.requester().modifyTo(QueuePairState.RESET);
		pair.responder().modifyTo(QueuePairState.RESET);
		ConnectedPair again = ConnectedPair.of(pair.requester(), pair.responder());
		again.responder().postReceive(1, 0, 100);
		again.requester().put(0, "again");
		again.requester().post(again.send(2, 5));
		assertThat(outcomes(again.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
		assertThat(outcomes(again.responder().awaitReceives(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(again.responder().text(0, 5)).isEqualTo("again");
	}

	@Test
	void whenAccessIsTakenBackInRtsThenPeerIsRefused() {
		ConnectedPair pair = connect();
		pair.requester().post(pair.write(1, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		pair.responder()
			.queuePair()
			.modify(QueuePairAttributes.to(QueuePairState.RTS).accessFlags(Set.of(AccessFlag.REMOTE_READ)).build());
		pair.requester().post(pair.write(2, 0, 8));
		assertThat(outcomes(pair.requester().awaitSends(1)))
			.containsExactly(outcome(2, CompletionStatus.REM_INV_REQ_ERR));
	}

	private Endpoint endpointIn(QueuePairState state, Endpoint peer) {
		Endpoint endpoint = endpoint();
		if (state == QueuePairState.RESET) {
			return endpoint;
		}
		endpoint.queuePair().modify(endpoint.init().build());
		if (state == QueuePairState.INIT) {
			return endpoint;
		}
		endpoint.choosePathTo(peer);
		endpoint.queuePair().modify(endpoint.readyToReceive(peer).build());
		if (state == QueuePairState.RTR) {
			return endpoint;
		}
		endpoint.queuePair().modify(endpoint.readyToSend().build());
		if (state != QueuePairState.RTS) {
			endpoint.modifyTo(state);
		}
		return endpoint;
	}

	private static QueuePairAttributes.Builder attributesOf(QueuePairState from, QueuePairState to, Endpoint endpoint,
			Endpoint peer) {
		boolean bare = (from == to) || (from == QueuePairState.SQD);
		return bare ? QueuePairAttributes.to(to) : attributesTo(to, endpoint, peer);
	}

	private static QueuePairAttributes.Builder attributesTo(QueuePairState to, Endpoint endpoint, Endpoint peer) {
		return switch (to) {
			case INIT -> endpoint.init();
			case RTR -> endpoint.readyToReceive(peer);
			case RTS -> endpoint.readyToSend();
			default -> QueuePairAttributes.to(to);
		};
	}

}
