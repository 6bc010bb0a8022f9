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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaConnectException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link PeerTrust}: who is let in where the system does not tell users, as it
 * does not of other machines.
 */
@DisabledOnOs(OS.WINDOWS)
@ExtendWith(OutputCaptureExtension.class)
class PeerTrustTests {

	private final List<AutoCloseable> resources = new ArrayList<>();

	@TempDir
	private Path directory;

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

	/** The system tells nothing, since there are no tables. */
	private PeerTrust blind(SecretFile secret) {
		return new PeerTrust(new ProcNetTcp(this.directory), secret);
	}

	private PeerTrust blind(String home) {
		return blind(SecretFile.in(this.directory.resolve(home)));
	}

	private Path given(String name, String content) throws IOException {
		Path file = this.directory.resolve(name);
		Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
		return Files.writeString(file, content);
	}

	private TestService listener(PeerTrust trust) {
		return closing(TestService.start("storage", (options) -> options.trust(trust)));
	}

	private TestService client(PeerTrust trust, TestService storage) {
		return closing(
				TestService.start("client", (options) -> options.trust(trust).peer("storage", storage.server.port())));
	}

	private RdmaConnectException refusal(TestService client) {
		return catchThrowableOfType(RdmaConnectException.class, () -> client.connect("storage"));
	}

	@Test
	void whenBothHaveTheSecretThenTheyConnect() throws IOException {
		TestService storage = listener(blind("own"));
		assertThat(client(blind("own"), storage).connect("storage").state()).isEqualTo(ConnectionState.READY);
		assertThat(Files.size(this.directory.resolve("own/secret"))).isEqualTo(32);
	}

	@Test
	void whenOneSideOnlyDoesNotSeeUsersThenTheOtherProvesItself() {
		PeerTrust sighted = new PeerTrust(new ProcNetTcp(), SecretFile.in(this.directory.resolve("own")));
		TestService blindStorage = listener(blind("own"));
		assertThat(client(sighted, blindStorage).connect("storage").state()).isEqualTo(ConnectionState.READY);
		TestService sightedStorage = listener(sighted);
		assertThat(client(blind("own"), sightedStorage).connect("storage").state()).isEqualTo(ConnectionState.READY);
	}

	@Test
	void whenClientHasAnotherSecretThenBothSidesNameTheirFile(CapturedOutput output) {
		TestService storage = listener(blind("own"));
		RdmaConnectException refusal = refusal(client(blind("other"), storage));
		assertThat(refusal).hasMessageContaining("did not prove that it has the same secret")
			.hasMessageContaining(this.directory.resolve("other/secret").toString())
			.hasMessageContaining("rdma.connection.secret-file")
			.hasMessageContaining("0600");
		assertThat(refusal.getMessage()).doesNotContain(this.directory.resolve("own").toString());
		await().atMost(TestService.PATIENCE)
			.untilAsserted(() -> assertThat(output).contains("did not prove that it has the same secret",
					this.directory.resolve("own/secret").toString()));
		assertThat(storage.connections.connections()).isEmpty();
	}

	@Test
	void whenListenerHasAnotherSecretThenTheClientRefusesIt() {
		PeerTrust sighted = new PeerTrust(new ProcNetTcp(), SecretFile.in(this.directory.resolve("other")));
		TestService storage = listener(sighted);
		assertThat(refusal(client(blind("own"), storage))).hasMessageContaining("did not prove")
			.hasMessageContaining(this.directory.resolve("own/secret").toString());
		await().atMost(TestService.PATIENCE).until(() -> storage.connections.connections().isEmpty());
	}

	@Test
	void whenPeerHasNoSecretThenTheFileAndTheRemedyAreNamed() throws IOException {
		TestService storage = listener(blind("own"));
		Path missing = Files.writeString(this.directory.resolve("missing"), "in the way of the directory");
		PeerTrust without = new PeerTrust(new ProcNetTcp(), SecretFile.in(missing));
		assertThat(refusal(client(without, storage))).hasMessageContaining("no secret that would prove it")
			.hasMessageContaining(missing.toString())
			.hasMessageContaining("rdma.connection.secret-file");
	}

	@Test
	void whenPeerSaysNothingOfTheSecretThenItIsRefused() {
		TestService storage = listener(blind("own"));
		RawPeer raw = closing(new RawPeer());
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> raw.connect(storage.server.port()));
		assertThat(storage.connections.connections()).isEmpty();
		assertThat(storage.connections.isKnown("raw")).isFalse();
	}

	@Test
	void whenFileIsGivenThenItIsTaken() throws IOException {
		String secret = "0123456789".repeat(4);
		PeerTrust one = blind(SecretFile.at(given("one", secret)));
		PeerTrust other = blind(SecretFile.at(given("other", secret)));
		TestService storage = listener(one);
		assertThat(client(other, storage).connect("storage").state()).isEqualTo(ConnectionState.READY);
	}

	@Test
	void whenFileThatIsGivenCannotBeUsedThenTheStartFails() throws IOException {
		TestService service = closing(TestService.create("service",
				(options) -> options.trust(blind(SecretFile.at(this.directory.resolve("none"))))));
		service.poller.start();
		assertThatExceptionOfType(RdmaConfigurationException.class).isThrownBy(service.connections::start)
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("rdma.connection.secret-file"))
			.withMessageContaining(this.directory.resolve("none").toString())
			.withMessageContaining("/dev/urandom");
		given("none", "x".repeat(32));
		service.connections.start();
	}

	@Test
	void whenListenerIsNotOnLoopbackThenThereHasToBeASecret(CapturedOutput output) throws IOException {
		TestService service = listener(blind("own"));
		RdmaServer server = closing(new RdmaServer(service.connections, "0.0.0.0", 0));
		server.start();
		assertThat(output).contains("Listening for RDMA peers at 0.0.0.0:" + server.port(),
				this.directory.resolve("own/secret").toString());
		server.stop();
		Files.setPosixFilePermissions(this.directory.resolve("own/secret"),
				PosixFilePermissions.fromString("rw-r--r--"));
		assertThatExceptionOfType(RdmaConfigurationException.class).isThrownBy(server::start)
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("rdma.connection.secret-file"))
			.withMessageContaining("Others can use");
		assertThat(server.isRunning()).isFalse();
	}

	@Test
	void whenPeerIsOnAnotherMachineThenItHasToProveItself() throws Exception {
		PeerTrust trust = new PeerTrust(new ProcNetTcp(), SecretFile.in(this.directory));
		InetSocketAddress local = new InetSocketAddress(InetAddress.getByName("192.0.2.1"), 1);
		InetSocketAddress remote = new InetSocketAddress(InetAddress.getByName("192.0.2.2"), 2);
		assertThat(trust.isSameUser(local, remote)).isFalse();
		assertThat(trust.isSameUser(null, null)).isFalse();
	}

}
