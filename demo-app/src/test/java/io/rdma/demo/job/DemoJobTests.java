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

package io.rdma.demo.job;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

import io.rdma.demo.DemoApplication;
import io.rdma.demo.blob.Blob;
import io.rdma.demo.blob.BlobStore;
import io.rdma.demo.support.Sha256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.TestSocketUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DemoJob}: the service as it is started from the command line, with a
 * small file.
 */
@ExtendWith(OutputCaptureExtension.class)
class DemoJobTests {

	private static final int REGION_SIZE = 1024 * 1024;

	private static final int FILE_SIZE = 7 * 128 * 1024;

	@TempDir
	private Path directory;

	@Test
	void shouldMoveTheFileAndPrintTheTable(CapturedOutput output) throws IOException {
		Path file = file(FILE_SIZE);
		try (ConfigurableApplicationContext context = start("--file=" + file)) {
			String sha256 = sha256(file);
			assertThat(output).contains("Moving " + file + " (917.5 kB) into the remote region and back")
				.contains("WRITE 100 %")
				.contains("READ  100 %")
				.contains("SHA-256 " + sha256 + ", before and after")
				.contains("Hello from the demo")
				.contains("/actuator/health");
			for (String operation : new String[] { "WRITE file", "READ file", "WRITE 64 B", "READ 64 B",
					"FETCH_AND_ADD", "COMPARE_AND_SWAP", "SEND 64 B" }) {
				assertThat(output.getOut().lines()).filteredOn((line) -> line.startsWith("  " + operation))
					.singleElement()
					.asString()
					.matches("  " + operation + " +[0-9,]+ +[0-9.]+ [kMG]?B +[0-9.,]+ .*/s.*");
			}
			assertThat(output).doesNotContain("\r  ").doesNotContain("WARN").doesNotContain("ERROR");
			assertThat(context.getBean(BlobStore.class).list()).singleElement()
				.extracting(Blob::name, Blob::length, Blob::sha256)
				.containsExactly("demo", (long) FILE_SIZE, sha256);
		}
	}

	@Test
	void whenFileIsLargerThanTheRegionThenMovedInWindows(CapturedOutput output) throws IOException {
		Path file = file(5 * REGION_SIZE / 2 + 3);
		try (ConfigurableApplicationContext context = start("--file=" + file)) {
			assertThat(output).contains("SHA-256 " + sha256(file) + ", before and after");
			assertThat(context.getBean(BlobStore.class).list()).isEmpty();
			assertThat(context.getBean(BlobStore.class).free()).isEqualTo(REGION_SIZE);
		}
	}

	@Test
	void whenFileIsMissingThenToldWhatToDo(CapturedOutput output) {
		assertThatExceptionOfType(DemoFileException.class)
			.isThrownBy(() -> start("--file=" + this.directory.resolve("none")));
		assertThat(output).contains("none' does not exist or cannot be read.")
			.contains("Name a large file that can be read with --file=/path/to/it");
	}

	@Test
	void whenFileIsEmptyThenToldWhatToDo(CapturedOutput output) throws IOException {
		Path file = file(0);
		assertThatExceptionOfType(DemoFileException.class).isThrownBy(() -> start("--file=" + file));
		assertThat(output).contains("is empty").contains("Name a large file");
	}

	@Test
	void whenStoppedThenPortsAreClosedAndNothingIsReported(CapturedOutput output) throws IOException {
		int webPort;
		int rdmaPort;
		try (ConfigurableApplicationContext context = start("--file=" + file(1))) {
			webPort = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			rdmaPort = context.getEnvironment().getRequiredProperty("rdma.server.port", Integer.class);
			new Socket(InetAddress.getLoopbackAddress(), rdmaPort).close();
		}
		for (int port : new int[] { webPort, rdmaPort }) {
			assertThatExceptionOfType(ConnectException.class)
				.isThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close());
		}
		assertThat(output).doesNotContain("WARN").doesNotContain("ERROR");
	}

	private ConfigurableApplicationContext start(String argument) {
		return SpringApplication.run(DemoApplication.class, argument, "--server.port=0",
				"--rdma.server.port=" + TestSocketUtils.findAvailableTcpPort(),
				"--rdma.regions.blobs.size=" + REGION_SIZE + "B", "--demo.job.chunk-size=256KB",
				"--demo.job.warm-up=10", "--demo.job.iterations=200");
	}

	private Path file(int size) throws IOException {
		byte[] content = new byte[size];
		new Random(size).nextBytes(content);
		return Files.write(this.directory.resolve("file"), content);
	}

	private static String sha256(Path file) throws IOException {
		var digest = Sha256.newDigest();
		digest.update(Files.readAllBytes(file));
		return Sha256.finish(digest);
	}

}
