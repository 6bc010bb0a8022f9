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

package io.rdma.core.connection;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

import io.rdma.core.exception.RdmaConnectException;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.AdditionalAnswers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;

/**
 * Tests for what the handshake makes of the offers of both devices.
 */
class PathChoiceTests {

	private static final byte[] NOTHING = {};

	private final List<AutoCloseable> resources = new ArrayList<>();

	private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

	private <T extends AutoCloseable> T closing(T resource) {
		this.resources.add(0, resource);
		return resource;
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable resource : this.resources) {
			resource.close();
		}
	}

	/**
	 * Have queue pairs that make an offer and note what they are asked.
	 * @param options the service
	 * @param name its name in the notes
	 * @param offer what they offer
	 * @param answer what they answer
	 * @param more anything else
	 */
	private void device(TestService.Options options, String name, byte[] offer, byte[] answer,
			Consumer<QueuePair> more) {
		options.domain((domain) -> {
			ProtectionDomain offering = mock(ProtectionDomain.class, AdditionalAnswers.delegatesTo(domain));
			willAnswer((call) -> {
				QueuePair real = domain.createQueuePair(call.getArgument(0));
				QueuePair queuePair = mock(QueuePair.class, AdditionalAnswers.delegatesTo(real));
				willReturn(offer).given(queuePair).pathOffer();
				willReturn(null).given(queuePair).pathObstacle(any());
				willAnswer((ask) -> note(name + " answers " + text(ask.getArgument(0)), answer)).given(queuePair)
					.answerPathOffer(any());
				willAnswer((use) -> note(name + " uses " + text(use.getArgument(0)) + " " + text(use.getArgument(1)),
						null))
					.given(queuePair)
					.usePath(any(), any());
				willAnswer((modify) -> {
					QueuePairAttributes attributes = modify.getArgument(0);
					if (attributes.state() == QueuePairState.RTR) {
						this.calls.add(name + " goes to RTR");
					}
					real.modify(attributes);
					return null;
				}).given(queuePair).modify(any());
				more.accept(queuePair);
				return queuePair;
			}).given(offering).createQueuePair(any());
			return offering;
		});
	}

	private <T> T note(String call, T result) {
		this.calls.add(call);
		return result;
	}

	private static String text(byte[] bytes) {
		return HexFormat.of().formatHex(bytes);
	}

	private static byte[] bytes(String hex) {
		return HexFormat.of().parseHex(hex);
	}

	private void connect(PeerTrust trust, byte[] clientAnswer, byte[] serverAnswer) {
		TestService storage = closing(TestService.start("storage", (options) -> {
			options.trust(trust);
			device(options, "server", bytes("50"), serverAnswer, (queuePair) -> {
			});
		}));
		TestService client = closing(TestService.start("client", (options) -> {
			options.trust(trust).peer("storage", storage.server.port());
			device(options, "client", bytes("c0"), clientAnswer, (queuePair) -> {
			});
		}));
		client.connect("storage");
		await().atMost(TestService.PATIENCE).until(() -> storage.connections.ready("client") != null);
	}

	private List<String> calls(String side) {
		return this.calls.stream().filter((call) -> call.startsWith(side)).toList();
	}

	@Test
	void whenBothAnswerThenEachIsToldBeforeItGoesToRtr(@TempDir Path directory) {
		connect(new PeerTrust(new ProcNetTcp(), SecretFile.in(directory)), bytes("ca"), bytes("5a"));
		assertThat(calls("client")).containsExactly("client answers 50", "client uses 50 5a", "client goes to RTR");
		assertThat(calls("server")).containsExactly("server answers c0", "server uses c0 ca", "server goes to RTR");
		assertThat(this.calls.indexOf("client answers 50")).isLessThan(this.calls.indexOf("server answers c0"));
	}

	@Test
	void whenClientDoesNotAnswerThenTheServerIsNotAsked(@TempDir Path directory) {
		connect(new PeerTrust(new ProcNetTcp(), SecretFile.in(directory)), NOTHING, bytes("5a"));
		assertThat(calls("client")).contains("client uses 50 ");
		assertThat(calls("server")).containsExactly("server uses c0 ", "server goes to RTR");
	}

	@Test
	void whenServerDoesNotAnswerThenTheClientIsToldSo(@TempDir Path directory) {
		connect(new PeerTrust(new ProcNetTcp(), SecretFile.in(directory)), bytes("ca"), NOTHING);
		assertThat(calls("client")).contains("client uses 50 ");
		assertThat(calls("server")).contains("server uses c0 ca");
	}

	@Test
	void whenServerHasToProveItselfThenItsMemoryIsNotLookedAtBefore(@TempDir Path directory) {
		connect(new PeerTrust(new ProcNetTcp(directory), SecretFile.in(directory.resolve("home"))), bytes("ca"),
				bytes("5a"));
		assertThat(calls("client")).containsExactly("client uses 50 ", "client goes to RTR");
		assertThat(calls("server")).containsExactly("server uses c0 ", "server goes to RTR");
	}

	@Test
	void whenDeviceCannotReachThePeerThenItsReasonIsTold() {
		TestService storage = closing(TestService.start("storage"));
		TestService client = closing(TestService.start("client", (options) -> {
			options.peer("storage", storage.server.port());
			device(options, "client", NOTHING, NOTHING,
					(queuePair) -> willReturn("its UDP port is 40000").given(queuePair).pathObstacle(any()));
		}));
		assertThatExceptionOfType(RdmaConnectException.class).isThrownBy(() -> client.connect("storage"))
			.withMessageContaining("its UDP port is 40000")
			.withMessageContaining("rdma.soft.port");
		assertThat(this.calls).isEmpty();
	}

	@Test
	void whenConnectedThenThePathIsShown() {
		TestService storage = closing(
				TestService.start("storage", (options) -> device(options, "server", NOTHING, NOTHING, (queuePair) -> {
				})));
		TestService client = closing(TestService.start("client", (options) -> {
			options.peer("storage", storage.server.port());
			device(options, "client", NOTHING, NOTHING,
					(queuePair) -> given(queuePair.pathKind()).willReturn(PathKind.SHARED_MEMORY));
		}));
		assertThat(client.status("storage").path()).isNull();
		RdmaConnection connection = client.connect("storage");
		assertThat(connection.path()).isEqualTo(PathKind.SHARED_MEMORY);
		assertThat(connection.details().path()).isEqualTo(PathKind.SHARED_MEMORY);
		assertThat(client.status("storage").path()).isEqualTo(PathKind.SHARED_MEMORY);
	}

}
