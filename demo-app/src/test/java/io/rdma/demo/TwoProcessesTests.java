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

package io.rdma.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.rdma.demo.support.Sha256;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.test.util.TestSocketUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The demo as two processes: one has the memory, the other one moves a file there and
 * back.
 */
@Tag("jar")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TwoProcessesTests {

	private static final String[] QUICK = { "--demo.job.warm-up=10", "--demo.job.iterations=200",
			"--demo.job.chunk-size=1MB" };

	private static final int FILE_SIZE = 16 * 1024 * 1024 + 5;

	/** What a process that is ended by SIGTERM has as its exit code. */
	private static final int TERMINATED = 128 + 15;

	private final int port = TestSocketUtils.findAvailableTcpPort();

	@Test
	void whenThereAreTwoProcessesThenTheFileGoesThroughTheMemoryOrTheWire(@TempDir Path directory) throws Exception {
		Path file = file(directory);
		try (DemoProcess store = new DemoProcess("store", "--rdma.server.port=" + this.port,
				"--rdma.regions.blobs.size=32MB")) {
			store.awaitOutput("Listening for RDMA peers");
			assertMoves(file, store, "shared memory");
			assertMoves(file, store, "wire", "--rdma.soft.shared-memory=false");
			assertThat(store.stop()).isEqualTo(TERMINATED);
			assertThat(store.output()).doesNotContain("ERROR", "WARN");
		}
	}

	private void assertMoves(Path file, DemoProcess store, String path, String... arguments) throws Exception {
		try (DemoProcess client = client(file, arguments)) {
			assertThat(client.awaitEnd()).as(client.output()).isZero();
			assertThat(client.output()).contains("SHA-256 " + sha256(file) + ", before and after",
					"Path to peer 'store': " + path);
			for (String operation : new String[] { "WRITE file", "READ file", "FETCH_AND_ADD", "COMPARE_AND_SWAP",
					"SEND 64 B" }) {
				assertThat(client.output()).containsPattern("  " + operation + " +[0-9,]+ ");
			}
			assertThat(client.output()).doesNotContain("ERROR", "WARN");
			String name = path.toUpperCase(Locale.ROOT).replace(' ', '_');
			assertThat(store.output()).contains("is connected, path " + name);
		}
	}

	@Test
	void whenTheStoreComesLaterThenTheClientWaitsForIt(@TempDir Path directory) throws Exception {
		Path file = file(directory);
		try (DemoProcess client = client(file)) {
			client.awaitOutput("Waiting up to 60 s for peer 'store'");
			try (DemoProcess store = new DemoProcess("store", "--rdma.server.port=" + this.port,
					"--rdma.regions.blobs.size=32MB")) {
				assertThat(client.awaitEnd()).as(client.output() + store.output()).isZero();
			}
		}
	}

	@Test
	void whenThereIsNoStoreThenTheClientEndsAndSaysWhatToDo(@TempDir Path directory) throws Exception {
		try (DemoProcess client = client(file(directory), "--demo.job.peer-timeout=2s")) {
			assertThat(client.awaitEnd()).isEqualTo(1);
			assertThat(client.output()).contains("Connection refused", "rdma.peers.");
		}
	}

	private DemoProcess client(Path file, String... arguments) {
		String[] all = new String[QUICK.length + arguments.length + 2];
		System.arraycopy(QUICK, 0, all, 2, QUICK.length);
		System.arraycopy(arguments, 0, all, 2 + QUICK.length, arguments.length);
		all[0] = "--file=" + file;
		all[1] = "--rdma.peers.store.address=localhost:" + this.port;
		return new DemoProcess("client", all);
	}

	private static Path file(Path directory) throws IOException {
		byte[] content = new byte[FILE_SIZE];
		new Random(FILE_SIZE).nextBytes(content);
		return Files.write(directory.resolve("file"), content);
	}

	private static String sha256(Path file) throws IOException {
		MessageDigest digest = Sha256.newDigest();
		digest.update(Files.readAllBytes(file));
		return Sha256.finish(digest);
	}

}
