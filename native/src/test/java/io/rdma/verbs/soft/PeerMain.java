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
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.stream.Stream;

import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkCompletion;
import io.rdma.verbs.WorkCompletions;
import io.rdma.verbs.soft.shm.SharedMemoryOptions;

/**
 * The other process: does what it is told, line by line, and answers each line with one.
 */
final class PeerMain {

	private final PrintStream output = System.out;

	private final ProcessEnd end;

	private PeerMain(SoftProvider provider) {
		this.end = new ProcessEnd(provider);
	}

	/**
	 * Run.
	 * @param arguments whether to use files in memory; the directory for files with names
	 */
	public static void main(String[] arguments) throws IOException {
		SharedMemoryOptions options = new SharedMemoryOptions(Boolean.parseBoolean(arguments[0]),
				(arguments.length > 1) ? Path.of(arguments[1]) : null, 0);
		PeerMain peer = new PeerMain(ProcessEnd.provider(options));
		peer.run(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
	}

	private void run(BufferedReader input) throws IOException {
		this.output.println(String.join(" ", Integer.toString(this.end.queuePair.number()),
				ProcessEnd.text(this.end.gid()), Long.toString(this.end.memory.address()),
				Integer.toString(this.end.memory.rkey()), Long.toString(this.end.counter.address()),
				Integer.toString(this.end.counter.rkey()), HexFormat.of().formatHex(this.end.queuePair.pathOffer())));
		String line = input.readLine();
		while (line != null) {
			this.output.println(obey(line.split(" ", -1)));
			line = input.readLine();
		}
		this.end.close();
	}

	private String obey(String[] words) throws IOException {
		return switch (words[0]) {
			case "answer" -> HexFormat.of().formatHex(this.end.queuePair.answerPathOffer(bytes(words[1])));
			case "use" -> {
				this.end.queuePair.usePath(bytes(words[1]), bytes(words[2]));
				this.end.connect(Integer.parseInt(words[3]), ProcessEnd.gid(words[4]));
				yield String.valueOf(this.end.queuePair.pathKind());
			}
			case "fill" -> {
				ProcessEnd.fill(this.end.memory, number(words, 1), (int) number(words, 2), (int) number(words, 3));
				yield "filled";
			}
			case "checksum" ->
				Long.toString(ProcessEnd.checksum(this.end.memory, number(words, 1), (int) number(words, 2)));
			case "counter" -> Long.toString(this.end.counter.getLongAcquire(0));
			case "receive" -> {
				this.end.postReceive(number(words, 1), this.end.memory, number(words, 2), (int) number(words, 3));
				yield "posted";
			}
			case "received" -> describe(this.end.awaitReceive());
			case "send" -> {
				this.end
					.post((wr) -> wr.wrId(1).send().addSge(this.end.memory, number(words, 1), (int) number(words, 2)));
				yield describe(this.end.awaitSend());
			}
			case "write" -> {
				this.end.post((wr) -> wr.wrId(1)
					.rdmaWrite(number(words, 3), (int) number(words, 4))
					.addSge(this.end.memory, number(words, 1), (int) number(words, 2)));
				yield describe(this.end.awaitSend());
			}
			case "read" -> {
				this.end.post((wr) -> wr.wrId(1)
					.rdmaRead(number(words, 3), (int) number(words, 4))
					.addSge(this.end.memory, number(words, 1), (int) number(words, 2)));
				yield describe(this.end.awaitSend());
			}
			case "echo" -> echo();
			case "state" -> this.end.queuePair.state().toString();
			case "deregister" -> {
				this.end.memory.close();
				yield "closed";
			}
			case "mapped" -> String.join(" ", MappedFiles.inodes());
			case "holds" -> Boolean.toString(MappedFiles.inodes(1).contains(words[1]));
			case "truncate" -> {
				truncate(Path.of(words[1]));
				yield "truncated";
			}
			case "fill-up" -> "full: " + fillUp(Path.of(words[1]));
			default -> throw new IllegalArgumentException(words[0]);
		};
	}

	/**
	 * Send back what comes, until the queue pair fails.
	 * @return how many messages came
	 */
	@SuppressWarnings("ThreadPriorityCheck") // so that few processors are enough
	private String echo() {
		ReceiveWorkRequests receives = this.end.context.allocateReceiveWorkRequests(1, 1);
		SendWorkRequests sends = this.end.context.allocateSendWorkRequests(1, 1);
		WorkCompletions completions = this.end.context.allocateWorkCompletions(1);
		long count = 0;
		while (true) {
			while (this.end.receiveQueue.poll(completions) == 0) {
				Thread.yield();
			}
			if (!completions.get(0).isSuccess()) {
				return Long.toString(count);
			}
			int length = (int) completions.get(0).byteLength();
			receives.clear().add().addSge(this.end.memory, 0, 4096);
			this.end.queuePair.postReceive(receives);
			sends.clear().add().send().addSge(this.end.memory, 0, length);
			this.end.queuePair.postSend(sends);
			count++;
		}
	}

	private static void truncate(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
					channel.truncate(0);
				}
			}
		}
	}

	/**
	 * Write to a file until nothing more goes into its file system.
	 * @return why not
	 */
	private static String fillUp(Path directory) throws IOException {
		ByteBuffer page = ByteBuffer.allocate(4096);
		try (FileChannel channel = FileChannel.open(directory.resolve("filler"), StandardOpenOption.CREATE_NEW,
				StandardOpenOption.WRITE)) {
			while (true) {
				try {
					channel.write(page.clear());
				}
				catch (IOException ex) {
					return String.valueOf(ex.getMessage());
				}
			}
		}
	}

	private static String describe(WorkCompletion completion) {
		return completion.isSuccess() ? completion.wrId() + " SUCCESS " + completion.byteLength()
				: completion.wrId() + " " + completion.status();
	}

	private static byte[] bytes(String hex) {
		return HexFormat.of().parseHex(hex);
	}

	private static long number(String[] words, int index) {
		return Long.parseLong(words[index]);
	}

}
