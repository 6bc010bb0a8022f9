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

package io.rdma.verbs.ibv;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Talks to programs that nobody here wrote: {@code ibv_rc_pingpong} of rdma-core and the
 * programs of perftest, as their client and as their server.
 */
@EnabledIfSystemProperty(named = IbvContractTests.DEVICE_PROPERTY, matches = ".+")
class InteropTests {

	private static final String DEVICE = System.getProperty(IbvContractTests.DEVICE_PROPERTY, "");

	private static final int ROUNDS = 20;

	private static final int SIZE = 4096;

	private static final String LOCALHOST = "127.0.0.1";

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path directory;

	@Test
	void whenPingpongServesThenWhatIsSentComesBack() throws Exception {
		try (Program program = pingpong(); InteropPeer peer = new InteropPeer(DEVICE, 2 * SIZE)) {
			peer.postReceive(0, SIZE);
			peer.connect();
			peer.pingpongHandshake();
			for (int i = 0; i < ROUNDS; i++) {
				if (i > 0) {
					peer.postReceive(0, SIZE);
				}
				peer.fill(SIZE, SIZE, i);
				peer.perform((request) -> request.send().addSge(peer.memory, SIZE, SIZE));
				assertThat(peer.awaitReceive()).isEqualTo(SIZE);
				// it sends from the buffer that it received into
				peer.assertFilled(0, SIZE, i);
			}
			program.assertSucceeded();
		}
	}

	@Test
	void whenPingpongConnectsThenWhatIsAnsweredComesBack() throws Exception {
		try (InteropPeer peer = new InteropPeer(DEVICE, 2 * SIZE);
				ServerSocket server = InteropPeer.listen();
				Program program = pingpong(LOCALHOST)) {
			peer.postReceive(0, SIZE);
			peer.accept(server);
			peer.pingpongHandshake();
			for (int i = 0; i < ROUNDS; i++) {
				assertThat(peer.awaitReceive()).isEqualTo(SIZE);
				if (i > 0) {
					peer.assertFilled(0, SIZE, i - 1);
				}
				if (i < ROUNDS - 1) {
					peer.postReceive(0, SIZE);
				}
				peer.fill(SIZE, SIZE, i);
				peer.perform((request) -> request.send().addSge(peer.memory, SIZE, SIZE));
			}
			program.assertSucceeded();
		}
	}

	private Program pingpong(String... server) throws IOException {
		return new Program("ibv_rc_pingpong",
				List.of("-d", DEVICE, "-g", "1", "-n", Integer.toString(ROUNDS), "-s", Integer.toString(SIZE)), server);
	}

	@Test
	void whenWriteLatServesThenTheLastByteCounts() throws Exception {
		try (Program program = perftest("ib_write_lat", 64); InteropPeer peer = new InteropPeer(DEVICE, SIZE)) {
			peer.connect();
			peer.perftestHandshake(1);
			for (int i = 1; i <= ROUNDS; i++) {
				write(peer, i);
				peer.awaitByte(63, (byte) i);
			}
			program.assertSucceeded();
		}
	}

	@Test
	void whenWriteLatConnectsThenTheLastByteCounts() throws Exception {
		try (InteropPeer peer = new InteropPeer(DEVICE, SIZE);
				ServerSocket server = InteropPeer.listen();
				Program program = perftest("ib_write_lat", 64, LOCALHOST)) {
			peer.accept(server);
			peer.perftestHandshake(1);
			for (int i = 1; i <= ROUNDS; i++) {
				peer.awaitByte(63, (byte) i);
				write(peer, i);
			}
			program.assertSucceeded();
		}
	}

	private static void write(InteropPeer peer, int count) {
		peer.memory.buffer(1024, 64).put(63, (byte) count);
		peer.perform((request) -> request.rdmaWrite(peer.remoteAddress, peer.remoteKey).addSge(peer.memory, 1024, 64));
	}

	@Test
	void whenSendLatServesThenEveryMessageIsAnswered() throws Exception {
		try (Program program = perftest("ib_send_lat", 64); InteropPeer peer = new InteropPeer(DEVICE, SIZE)) {
			peer.connect();
			postReceives(peer);
			peer.perftestHandshake(1);
			for (int i = 0; i < ROUNDS; i++) {
				peer.perform((request) -> request.send().addSge(peer.memory, 1024, 64));
				assertThat(peer.awaitReceive()).isEqualTo(64);
			}
			peer.exchangeKeys(1);
			program.assertSucceeded();
		}
	}

	@Test
	void whenSendLatConnectsThenEveryMessageIsAnswered() throws Exception {
		try (InteropPeer peer = new InteropPeer(DEVICE, SIZE);
				ServerSocket server = InteropPeer.listen();
				Program program = perftest("ib_send_lat", 64, LOCALHOST)) {
			postReceives(peer);
			peer.accept(server);
			peer.perftestHandshake(1);
			for (int i = 0; i < ROUNDS; i++) {
				assertThat(peer.awaitReceive()).isEqualTo(64);
				peer.perform((request) -> request.send().addSge(peer.memory, 1024, 64));
			}
			peer.exchangeKeys(1);
			program.assertSucceeded();
		}
	}

	private static void postReceives(InteropPeer peer) {
		for (int i = 0; i < ROUNDS; i++) {
			peer.postReceive(0, 64);
		}
	}

	@Test
	void whenReadLatServesThenTheSameIsReadEachTime() throws Exception {
		try (Program program = perftest("ib_read_lat", 64); InteropPeer peer = new InteropPeer(DEVICE, SIZE)) {
			peer.connect();
			peer.perftestHandshake(1);
			byte[] first = null;
			for (int i = 0; i < ROUNDS; i++) {
				peer.fill(0, 64, i);
				peer.perform(
						(request) -> request.rdmaRead(peer.remoteAddress, peer.remoteKey).addSge(peer.memory, 0, 64));
				byte[] read = new byte[64];
				peer.memory.buffer(0, 64).get(read);
				first = (first != null) ? first : read;
				assertThat(read).isEqualTo(first);
			}
			peer.exchangeKeys(1);
			program.assertSucceeded();
		}
	}

	@Test
	void whenReadLatConnectsThenItReadsOurMemory() throws Exception {
		try (InteropPeer peer = new InteropPeer(DEVICE, SIZE);
				ServerSocket server = InteropPeer.listen();
				Program program = perftest("ib_read_lat", 64, LOCALHOST)) {
			peer.fill(0, SIZE, 3);
			peer.accept(server);
			peer.perftestHandshake(1);
			peer.exchangeKeys(1);
			program.assertSucceeded();
			peer.assertFilled(0, SIZE, 3);
		}
	}

	@Test
	void whenAtomicLatServesThenTheCounterGoesUp() throws Exception {
		try (Program program = perftest("ib_atomic_lat", 8); InteropPeer peer = new InteropPeer(DEVICE, SIZE)) {
			peer.connect();
			peer.perftestHandshake(1);
			long first = 0;
			for (int i = 0; i < ROUNDS; i++) {
				peer.perform((request) -> request.fetchAndAdd(peer.remoteAddress, peer.remoteKey, 7)
					.addSge(peer.memory, 0, 8));
				long found = peer.memory.buffer(0, 8).order(ByteOrder.nativeOrder()).getLong();
				first = (i == 0) ? found : first;
				assertThat(found).isEqualTo(first + 7L * i);
			}
			peer.exchangeKeys(1);
			program.assertSucceeded();
		}
	}

	@Test
	void whenAtomicLatConnectsThenOurCounterChanges() throws Exception {
		try (InteropPeer peer = new InteropPeer(DEVICE, SIZE);
				ServerSocket server = InteropPeer.listen();
				Program program = perftest("ib_atomic_lat", 8, LOCALHOST)) {
			peer.accept(server);
			peer.perftestHandshake(1);
			peer.exchangeKeys(1);
			program.assertSucceeded();
			assertThat(peer.memory.getLongAcquire(0)).isNotZero();
		}
	}

	@Test
	void whenWriteBandwidthServesThenItTakesWhatIsWritten() throws Exception {
		try (Program program = perftest("ib_write_bw", 1024); InteropPeer peer = new InteropPeer(DEVICE, SIZE)) {
			peer.connect();
			peer.perftestHandshake(1);
			for (int i = 0; i < ROUNDS; i++) {
				peer.perform((request) -> request.rdmaWrite(peer.remoteAddress, peer.remoteKey)
					.addSge(peer.memory, 0, 1024));
			}
			peer.exchangeKeys(1);
			peer.exchangeBandwidthReports();
			peer.exchangeKeys(1);
			program.assertSucceeded();
		}
	}

	@Test
	void whenWriteBandwidthConnectsThenOurMemoryIsWritten() throws Exception {
		try (InteropPeer peer = new InteropPeer(DEVICE, 3 * SIZE);
				ServerSocket server = InteropPeer.listen();
				Program program = perftest("ib_write_bw", 1024, LOCALHOST)) {
			peer.fill(0, 3 * SIZE, 5);
			peer.accept(server);
			peer.perftestHandshake(1);
			peer.exchangeKeys(1);
			peer.exchangeBandwidthReports();
			peer.exchangeKeys(1);
			program.assertSucceeded();
			byte[] written = new byte[1024];
			peer.memory.buffer(0, 1024).get(written);
			assertThat(written).isNotEqualTo(pattern(5, 1024));
			// it goes round in a buffer of the size that we told, and not a byte behind
			// it
			peer.assertFilled(2 * SIZE, SIZE, 5 + 2 * SIZE);
		}
	}

	private static byte[] pattern(int seed, int length) {
		byte[] bytes = new byte[length];
		for (int i = 0; i < length; i++) {
			bytes[i] = (byte) (seed + i);
		}
		return bytes;
	}

	private Program perftest(String name, int size, String... server) throws IOException {
		return new Program(name, List.of("-d", DEVICE, "-x", "1", "-m", "1024", "-F", "-n", Integer.toString(ROUNDS),
				"-s", Integer.toString(size)), server);
	}

	private final class Program implements AutoCloseable {

		private final String name;

		private final Path output;

		private final Process process;

		Program(String name, List<String> arguments, String... server) throws IOException {
			this.name = name;
			this.output = InteropTests.this.directory.resolve(name + ".out");
			List<String> command = new ArrayList<>(List.of(name));
			if ("ib_atomic_lat".equals(name)) {
				// which has no size
				command.addAll(arguments.subList(0, arguments.size() - 2));
			}
			else {
				command.addAll(arguments);
			}
			command.addAll(List.of(server));
			this.process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(this.output.toFile())
				.start();
		}

		void assertSucceeded() throws Exception {
			assertThat(this.process.waitFor(60, TimeUnit.SECONDS)).as("%s has ended: %s", this.name, text()).isTrue();
			assertThat(this.process.exitValue()).as(text()).isZero();
		}

		private String text() throws IOException {
			return Files.readString(this.output, StandardCharsets.ISO_8859_1);
		}

		@Override
		public void close() throws InterruptedException {
			this.process.destroyForcibly().waitFor();
		}

	}

}
