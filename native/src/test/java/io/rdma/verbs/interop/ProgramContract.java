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

package io.rdma.verbs.interop;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.VerbsProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Talks to programs that nobody here wrote: {@code ibv_rc_pingpong} of rdma-core and the
 * programs of perftest, as their client and as their server.
 */
abstract class ProgramContract {

	private static final int ROUNDS = 20;

	private static final int SIZE = 4096;

	/** How long the messages of the tests of latency are. */
	private static final int LENGTH = 64;

	/** How long those of the tests of bandwidth are. */
	private static final int BULK = 1024;

	/** Where we send from. */
	private static final int OUT = 1024;

	/** What perftest sends from comes that many bytes before what it offers to us. */
	private static final int HALF = 4096;

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path directory;

	/**
	 * Return who talks to whom.
	 * @return the set-up
	 */
	abstract Setup setup();

	private ProgramPeer peer(int size) {
		Setup setup = setup();
		return new ProgramPeer(setup.provider().open(setup.device()), setup.gidIndex(), size);
	}

	private String own() {
		return setup().ownHost().getHostAddress();
	}

	@Test
	void whenPingpongServesThenWhatIsSentComesBack() throws Exception {
		try (Program program = pingpong(); ProgramPeer peer = peer(2 * SIZE)) {
			peer.postReceive(0, SIZE);
			peer.connect(setup().programHost());
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
		try (ProgramPeer peer = peer(2 * SIZE);
				ServerSocket server = ProgramPeer.listen();
				Program program = pingpong(own())) {
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
		return new Program("ibv_rc_pingpong", List.of("-d", setup().programDevice(), "-g", gid(), "-n",
				Integer.toString(ROUNDS), "-s", Integer.toString(SIZE)), server);
	}

	@Test
	void whenWriteLatServesThenWhatIsWrittenIsFoundOnBothSides() throws Exception {
		try (Program program = perftest("ib_write_lat", LENGTH); ProgramPeer peer = peer(SIZE)) {
			peer.connect(setup().programHost());
			peer.perftestHandshake(4);
			// the server writes first
			for (int i = 1; i <= ROUNDS; i++) {
				peer.awaitByte(LENGTH - 1, (byte) i);
				if (i > 1) {
					assertExchanged(program, peer);
				}
				write(peer, i);
			}
			program.assertSucceeded();
		}
	}

	@Test
	void whenWriteLatConnectsThenWhatIsWrittenIsFoundOnBothSides() throws Exception {
		try (ProgramPeer peer = peer(SIZE);
				ServerSocket server = ProgramPeer.listen();
				Program program = perftest("ib_write_lat", LENGTH, own())) {
			peer.accept(server);
			peer.perftestHandshake(4);
			for (int i = 1; i <= ROUNDS; i++) {
				write(peer, i);
				peer.awaitByte(LENGTH - 1, (byte) i);
				if (i < ROUNDS) {
					assertExchanged(program, peer);
				}
			}
			program.assertSucceeded();
		}
	}

	private static void write(ProgramPeer peer, int count) {
		peer.fill(OUT, LENGTH, count);
		peer.memory.put(OUT + LENGTH - 1, ByteBuffer.wrap(new byte[] { (byte) count }));
		peer.perform(
				(request) -> request.rdmaWrite(peer.remoteAddress, peer.remoteKey).addSge(peer.memory, OUT, LENGTH));
	}

	@Test
	void whenSendLatServesThenEveryMessageIsAnswered() throws Exception {
		try (Program program = perftest("ib_send_lat", LENGTH); ProgramPeer peer = peer(SIZE)) {
			peer.connect(setup().programHost());
			postReceives(peer);
			peer.perftestHandshake(4);
			for (int i = 0; i < ROUNDS; i++) {
				peer.fill(OUT, LENGTH, i);
				peer.perform((request) -> request.send().addSge(peer.memory, OUT, LENGTH));
				assertThat(peer.awaitReceive()).isEqualTo(LENGTH);
				assertExchanged(program, peer);
			}
			peer.exchangeKeys();
			program.assertSucceeded();
		}
	}

	@Test
	void whenSendLatConnectsThenEveryMessageIsAnswered() throws Exception {
		try (ProgramPeer peer = peer(SIZE);
				ServerSocket server = ProgramPeer.listen();
				Program program = perftest("ib_send_lat", LENGTH, own())) {
			postReceives(peer);
			peer.accept(server);
			peer.perftestHandshake(4);
			for (int i = 0; i < ROUNDS; i++) {
				assertThat(peer.awaitReceive()).isEqualTo(LENGTH);
				peer.fill(OUT, LENGTH, i);
				peer.perform((request) -> request.send().addSge(peer.memory, OUT, LENGTH));
				assertExchanged(program, peer);
			}
			peer.exchangeKeys();
			program.assertSucceeded();
		}
	}

	private static void postReceives(ProgramPeer peer) {
		for (int i = 0; i < ROUNDS; i++) {
			peer.postReceive(0, LENGTH);
		}
	}

	/** Check that each side has what the other one sent last. */
	private static void assertExchanged(Program program, ProgramPeer peer) throws IOException {
		assertThat(program.memory(peer.remoteAddress, LENGTH)).isEqualTo(peer.bytes(OUT, LENGTH));
		assertThat(peer.bytes(0, LENGTH)).isEqualTo(program.memory(peer.remoteAddress - HALF, LENGTH));
	}

	@Test
	void whenReadLatServesThenItsMemoryIsRead() throws Exception {
		try (Program program = perftest("ib_read_lat", LENGTH); ProgramPeer peer = peer(SIZE)) {
			peer.connect(setup().programHost());
			peer.perftestHandshake(4);
			for (int i = 0; i < ROUNDS; i++) {
				int length = 1 + i * 64;
				peer.fill(0, length + 1, i);
				peer.perform((request) -> request.rdmaRead(peer.remoteAddress, peer.remoteKey)
					.addSge(peer.memory, 0, length));
				assertThat(peer.bytes(0, length)).isEqualTo(program.memory(peer.remoteAddress, length));
				peer.assertFilled(length, 1, i + length);
			}
			peer.exchangeKeys();
			program.assertSucceeded();
		}
	}

	@Test
	void whenReadLatConnectsThenItReadsOurMemory() throws Exception {
		try (ProgramPeer peer = peer(SIZE);
				ServerSocket server = ProgramPeer.listen();
				Program program = perftest("ib_read_lat", LENGTH, own())) {
			peer.fill(0, SIZE, 3);
			peer.accept(server);
			peer.perftestHandshake(4);
			peer.readKeys();
			assertThat(program.memory(peer.remoteAddress - HALF, LENGTH)).isEqualTo(peer.bytes(0, LENGTH));
			peer.assertFilled(0, SIZE, 3);
			peer.writeKeys();
			program.assertSucceeded();
		}
	}

	@Test
	void whenAtomicLatServesThenTheCounterGoesUp() throws Exception {
		try (Program program = perftest("ib_atomic_lat", 8); ProgramPeer peer = peer(SIZE)) {
			peer.connect(setup().programHost());
			peer.perftestHandshake(4);
			long first = program.number(peer.remoteAddress);
			for (int i = 0; i < ROUNDS; i++) {
				peer.perform((request) -> request.fetchAndAdd(peer.remoteAddress, peer.remoteKey, 7)
					.addSge(peer.memory, 0, 8));
				assertThat(peer.memory.getLongAcquire(0)).isEqualTo(first + 7L * i);
				assertThat(program.number(peer.remoteAddress)).isEqualTo(first + 7L * (i + 1));
			}
			long last = first + 7L * ROUNDS;
			peer.perform((request) -> request.compareAndSwap(peer.remoteAddress, peer.remoteKey, last + 1, 4)
				.addSge(peer.memory, 0, 8));
			assertThat(peer.memory.getLongAcquire(0)).isEqualTo(last);
			assertThat(program.number(peer.remoteAddress)).isEqualTo(last);
			peer.perform((request) -> request.compareAndSwap(peer.remoteAddress, peer.remoteKey, last, 5)
				.addSge(peer.memory, 0, 8));
			assertThat(program.number(peer.remoteAddress)).isEqualTo(5);
			peer.exchangeKeys();
			program.assertSucceeded();
		}
	}

	@Test
	void whenAtomicLatConnectsThenOurCountersGoUp() throws Exception {
		try (ProgramPeer peer = peer(SIZE);
				ServerSocket server = ProgramPeer.listen();
				Program program = perftest("ib_atomic_lat", 8, own())) {
			peer.accept(server);
			peer.perftestHandshake(4);
			peer.readKeys();
			long sum = 0;
			for (int offset = 0; offset < SIZE; offset += Long.BYTES) {
				sum += peer.memory.getLongAcquire(offset);
			}
			// it adds 1 each time
			assertThat(sum).isEqualTo(ROUNDS);
			peer.writeKeys();
			program.assertSucceeded();
		}
	}

	@Test
	void whenWriteBandwidthServesThenItsMemoryIsWritten() throws Exception {
		try (Program program = perftest("ib_write_bw", BULK); ProgramPeer peer = peer(SIZE)) {
			peer.connect(setup().programHost());
			peer.perftestHandshake(3);
			for (int i = 0; i < ROUNDS; i++) {
				long address = peer.remoteAddress + (i % 3) * (long) BULK;
				peer.fill(0, BULK, i);
				peer.perform((request) -> request.rdmaWrite(address, peer.remoteKey).addSge(peer.memory, 0, BULK));
				assertThat(program.memory(address, BULK)).isEqualTo(peer.bytes(0, BULK));
			}
			peer.exchangeKeys();
			peer.exchangeBandwidthReports();
			peer.exchangeKeys();
			program.assertSucceeded();
		}
	}

	@Test
	void whenWriteBandwidthConnectsThenOurMemoryIsWritten() throws Exception {
		try (ProgramPeer peer = peer(2 * SIZE);
				ServerSocket server = ProgramPeer.listen();
				Program program = perftest("ib_write_bw", BULK, own())) {
			peer.fill(0, 2 * SIZE, 5);
			peer.accept(server);
			peer.perftestHandshake(3);
			peer.readKeys();
			// it goes round in the page that was agreed on, and not a byte behind it
			assertThat(peer.bytes(0, SIZE)).isEqualTo(program.memory(peer.remoteAddress - HALF, SIZE));
			peer.assertFilled(SIZE, SIZE, 5 + SIZE);
			peer.writeKeys();
			peer.exchangeBandwidthReports();
			peer.exchangeKeys();
			program.assertSucceeded();
		}
	}

	private String gid() {
		return Integer.toString(setup().programGidIndex());
	}

	private Program perftest(String name, int size, String... server) throws IOException {
		return new Program(name, List.of("-d", setup().programDevice(), "-x", gid(), "-m", "1024", "-F", "-n",
				Integer.toString(ROUNDS), "-s", Integer.toString(size)), server);
	}

	/**
	 * Who talks to whom.
	 *
	 * @param provider where our device comes from
	 * @param device the name of our device
	 * @param gidIndex the index of its GID
	 * @param ownHost where the program finds us
	 * @param prefix what stands before the name of the program to start it
	 * @param programDevice the name of the device of the program
	 * @param programGidIndex the index of its GID
	 * @param programHost where we find the program
	 */
	record Setup(VerbsProvider provider, String device, int gidIndex, InetAddress ownHost, List<String> prefix,
			String programDevice, int programGidIndex, InetAddress programHost) {

	}

	private final class Program implements AutoCloseable {

		private final String name;

		private final Path output;

		private final Process process;

		Program(String name, List<String> arguments, String... server) throws IOException {
			this.name = name;
			this.output = ProgramContract.this.directory.resolve(name + ".out");
			List<String> command = new ArrayList<>(setup().prefix());
			command.add(name);
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

		/** What the program has in its memory. */
		byte[] memory(long address, int length) throws IOException {
			byte[] bytes = new byte[length];
			try (RandomAccessFile file = new RandomAccessFile("/proc/" + this.process.pid() + "/mem", "r")) {
				file.seek(address);
				file.readFully(bytes);
			}
			return bytes;
		}

		long number(long address) throws IOException {
			return ByteBuffer.wrap(memory(address, Long.BYTES)).order(ByteOrder.nativeOrder()).getLong();
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
