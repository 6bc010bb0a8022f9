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

package io.rdma.verbs.soft;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.Gid;
import io.rdma.verbs.PathKind;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Another JVM with one end of a connection.
 */
final class PeerProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader reader;

	private final BufferedWriter writer;

	final int number;

	final Gid gid;

	final long address;

	final int rkey;

	final long counterAddress;

	final int counterRkey;

	final byte[] offer;

	private PeerProcess(Process process) throws IOException {
		this.process = process;
		this.reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
		this.writer = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
		String[] words = read().split(" ");
		this.number = Integer.parseInt(words[0]);
		this.gid = ProcessEnd.gid(words[1]);
		this.address = Long.parseLong(words[2]);
		this.rkey = Integer.parseInt(words[3]);
		this.counterAddress = Long.parseLong(words[4]);
		this.counterRkey = Integer.parseInt(words[5]);
		this.offer = HexFormat.of().parseHex(words[6]);
	}

	static PeerProcess start(String... arguments) throws IOException {
		return start(List.of(), List.of(), arguments);
	}

	/**
	 * Start a process.
	 * @param prefix what to start it with, for example a shell that limits it
	 * @param options options of its JVM
	 * @param arguments the arguments of {@link PeerMain}
	 * @return the process
	 */
	static PeerProcess start(List<String> prefix, List<String> options, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(prefix);
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		// newer JVMs warn about native libraries unless they are told
		ManagementFactory.getRuntimeMXBean()
			.getInputArguments()
			.stream()
			.filter((argument) -> argument.startsWith("--enable-native-access"))
			.forEach(command::add);
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"));
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), PeerMain.class.getName()));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		try {
			return new PeerProcess(process);
		}
		catch (IOException | RuntimeException ex) {
			process.destroyForcibly();
			throw ex;
		}
	}

	private String read() throws IOException {
		String line = this.reader.readLine();
		assertThat(line).as("what the other process says").isNotNull();
		return line;
	}

	/**
	 * Tell the process something and wait for what it says.
	 * @param command what to do
	 * @return the answer
	 */
	String tell(Object... command) {
		try {
			begin(command);
			return read();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Tell the process something.
	 * @param command what to do
	 */
	void begin(Object... command) throws IOException {
		List<String> words = new ArrayList<>();
		for (Object word : command) {
			words.add(word.toString());
		}
		this.writer.write(String.join(" ", words));
		this.writer.newLine();
		this.writer.flush();
	}

	/**
	 * Connect as a connection manager would.
	 * @param end our end
	 */
	void connect(ProcessEnd end) {
		connect(end, 14, 7);
	}

	void connect(ProcessEnd end, int timeout, int rnrRetry) {
		byte[] ownOffer = end.queuePair.pathOffer();
		byte[] ownAnswer = end.queuePair.answerPathOffer(this.offer);
		byte[] peerAnswer = HexFormat.of().parseHex(tell("answer", hex(ownOffer)));
		end.queuePair.usePath(this.offer, peerAnswer);
		end.connect(this.number, this.gid, timeout, rnrRetry);
		assertThat(tell("use", hex(ownOffer), hex(ownAnswer), end.queuePair.number(), ProcessEnd.text(end.gid())))
			.isEqualTo(PathKind.SHARED_MEMORY.toString());
		assertThat(end.queuePair.pathKind()).isEqualTo(PathKind.SHARED_MEMORY);
	}

	private static String hex(byte[] bytes) {
		return HexFormat.of().formatHex(bytes);
	}

	/**
	 * Send a signal.
	 * @param signal its name
	 */
	void signal(String signal) throws IOException, InterruptedException {
		Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid())).inheritIO().start();
		assertThat(kill.waitFor()).isZero();
	}

	/**
	 * Have the process close everything and end.
	 */
	void closeInput() throws IOException {
		this.writer.close();
	}

	/**
	 * Wait until the process ends.
	 * @return its exit code
	 */
	int waitFor() throws InterruptedException {
		assertThat(this.process.waitFor(20, TimeUnit.SECONDS)).isTrue();
		return this.process.exitValue();
	}

	@Override
	public void close() throws InterruptedException {
		this.process.destroyForcibly();
		assertThat(this.process.waitFor(10, TimeUnit.SECONDS)).isTrue();
	}

}
