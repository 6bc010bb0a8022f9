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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The demo in a process of its own, from the jar.
 */
final class DemoProcess implements AutoCloseable {

	private static final long PATIENCE_SECONDS = 100;

	private final Process process;

	private final Thread reader;

	private final Queue<String> output = new ConcurrentLinkedQueue<>();

	DemoProcess(String profile, String... arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:TieredStopAtLevel=1", "-jar", System.getProperty("demo.jar"),
						"--spring.profiles.active=" + profile));
		command.addAll(List.of(arguments));
		try {
			this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.reader = new Thread(this::read, "demo-" + profile);
		this.reader.setDaemon(true);
		this.reader.start();
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader()) {
			lines.lines().forEach(this.output::add);
		}
		catch (IOException | UncheckedIOException ex) {
			this.output.add(ex.toString());
		}
	}

	String output() {
		return String.join("\n", this.output);
	}

	/**
	 * Wait until the process prints a text.
	 * @param text the text
	 */
	void awaitOutput(String text) {
		await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS).untilAsserted(() -> {
			assertThat(output()).contains(text);
		});
	}

	/**
	 * Wait until the process ends.
	 * @return its exit code
	 * @throws InterruptedException if the thread was interrupted
	 */
	int awaitEnd() throws InterruptedException {
		assertThat(this.process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("ended, having printed: %s", output())
			.isTrue();
		this.reader.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
		return this.process.exitValue();
	}

	/**
	 * Ask the process to end, as Ctrl-C does.
	 * @return its exit code
	 * @throws InterruptedException if the thread was interrupted
	 */
	int stop() throws InterruptedException {
		this.process.destroy();
		return awaitEnd();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
