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
import java.util.Arrays;

import io.rdma.core.connection.PeerTrust.Side;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FrameSeal}: what was changed, sent before or sent back does not pass.
 */
class FrameSealTests {

	private static final Frame CLIENT_HELLO = new Frame(FrameType.HELLO, new byte[] { 1, 2, 3 });

	private static final Frame SERVER_HELLO = new Frame(FrameType.HELLO, new byte[] { 4, 5, 6, 7 });

	private static final Frame CONTENT = new Frame(FrameType.PARAMETERS, new byte[] { 9, 8, 7 });

	private PeerTrust trust;

	private FrameSeal client;

	private FrameSeal server;

	@BeforeEach
	void setUp(@TempDir Path directory) {
		this.trust = new PeerTrust(new ProcNetTcp(), SecretFile.in(directory.resolve("home")));
		this.client = new FrameSeal(this.trust, Side.CLIENT, CLIENT_HELLO, SERVER_HELLO);
		this.server = new FrameSeal(this.trust, Side.SERVER, CLIENT_HELLO, SERVER_HELLO);
	}

	@Test
	void whenNothingIsChangedThenTheContentComesThrough() throws HandshakeException {
		assertThat(this.server.open(this.client.seal(CONTENT)).body()).isEqualTo(CONTENT.body());
		assertThat(this.client.open(this.server.seal(CONTENT)).type()).isEqualTo(FrameType.PARAMETERS);
	}

	@Test
	void whenAnyByteIsChangedThenItDoesNotPass() throws HandshakeException {
		byte[] sealed = this.client.seal(CONTENT).body();
		for (int i = 0; i < sealed.length; i++) {
			byte[] changed = sealed.clone();
			changed[i] ^= 1;
			assertRefused(this.server, new Frame(FrameType.PARAMETERS, changed));
		}
	}

	@Test
	void whenItIsCutThenItDoesNotPass() throws HandshakeException {
		byte[] sealed = this.client.seal(CONTENT).body();
		for (int length = 0; length < sealed.length; length++) {
			assertRefused(this.server, new Frame(FrameType.PARAMETERS, Arrays.copyOf(sealed, length)));
		}
	}

	@Test
	void whenItIsSentBackThenItDoesNotPass() throws HandshakeException {
		assertRefused(this.client, this.client.seal(CONTENT));
	}

	@Test
	void whenItIsSentAsAnotherFrameThenItDoesNotPass() throws HandshakeException {
		assertRefused(this.server, new Frame(FrameType.PROOF, this.client.seal(CONTENT).body()));
	}

	@Test
	void whenAHelloWasChangedOnTheWayThenNothingPasses() throws HandshakeException {
		Frame changed = new Frame(FrameType.HELLO, new byte[] { 1, 2, 2 });
		assertRefused(this.server, new FrameSeal(this.trust, Side.CLIENT, changed, SERVER_HELLO).seal(CONTENT));
		assertRefused(this.server, new FrameSeal(this.trust, Side.CLIENT, CLIENT_HELLO, changed).seal(CONTENT));
		// the border between the two counts too
		assertRefused(this.server,
				new FrameSeal(this.trust, Side.CLIENT, new Frame(FrameType.HELLO, new byte[] { 1, 2, 3, 4 }),
						new Frame(FrameType.HELLO, new byte[] { 5, 6, 7 }))
					.seal(CONTENT));
	}

	private static void assertRefused(FrameSeal seal, Frame frame) {
		assertThatExceptionOfType(HandshakeException.class).isThrownBy(() -> seal.open(frame))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(RejectCode.NOT_TRUSTED))
			.withMessageContaining("did not prove");
	}

}
