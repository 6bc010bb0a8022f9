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
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.rdma.demo.atomic.Counters;
import io.rdma.demo.blob.BlobSpace;
import io.rdma.demo.blob.BlobStore;
import io.rdma.demo.message.Messenger;
import io.rdma.demo.support.Bytes;
import lombok.RequiredArgsConstructor;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.ansi.AnsiOutput;
import org.springframework.boot.ansi.AnsiStyle;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * What the service shows at its start: it moves a large file, does the atomic operations,
 * sends messages, and tells how fast all that was.
 */
@Component
@ConditionalOnBooleanProperty("demo.job.enabled")
@RequiredArgsConstructor
class DemoJob implements ApplicationRunner {

	private static final String BLOB = "demo";

	private final JobProperties properties;

	private final BlobStore blobs;

	private final Counters counters;

	private final Messenger messenger;

	private final DemoPeer peer;

	private final Environment environment;

	@Override
	public void run(ApplicationArguments arguments) throws IOException, InterruptedException {
		PrintStream out = System.out;
		this.peer.await(out, this.properties.peerTimeout());
		Report report = new Report();
		try (BlobSpace space = this.blobs.reserve(SmallOperations.SIZE)) {
			boolean stored = moveFile(out, report);
			repeatSmallOperations(space, out, report);
			sendMessage(out);
			out.println();
			report.print(out);
			out.printf("%nPath to peer '%s': %s%n", this.peer.name(), this.peer.path());
			invite(out, stored);
		}
	}

	private boolean moveFile(PrintStream out, Report report) throws IOException {
		Path file = this.properties.file();
		long size = DemoFile.size(file);
		out.printf("%nMoving %s (%s) into the remote region and back%n", file, Bytes.format(size));
		boolean terminal = isTerminal();
		FileTransfer.Result result = new FileTransfer(this.blobs, new ProgressBar(out, terminal, "WRITE", size),
				new ProgressBar(out, terminal, "READ ", size), Math.toIntExact(this.properties.chunkSize().toBytes()))
			.move(file, BLOB);
		out.printf("  SHA-256 %s, before and after%n", result.sha256());
		report.addTransfer("WRITE file", result.calls(), result.bytes(), result.writeNanos());
		report.addTransfer("READ file", result.calls(), result.bytes(), result.readNanos());
		return result.stored();
	}

	private void repeatSmallOperations(BlobSpace space, PrintStream out, Report report) {
		out.printf("%nRepeating small operations %,d times, each one waited for%n", this.properties.iterations());
		new SmallOperations(space, this.counters, this.messenger, this.properties.warmUp(),
				this.properties.iterations())
			.run(report);
	}

	private void sendMessage(PrintStream out) {
		String text = "Hello from the demo";
		long start = System.nanoTime();
		long number = this.messenger.ask(text);
		out.printf("The listener answered message %,d after %d us: %s%n", number,
				TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start), text);
	}

	/**
	 * Tell a terminal from a file or pipe as Spring Boot does to colour its log, so that
	 * {@code spring.output.ansi.enabled} decides for both.
	 */
	private static boolean isTerminal() {
		return !AnsiOutput.toString(AnsiStyle.BOLD, "").isEmpty();
	}

	private void invite(PrintStream out, boolean stored) {
		String port = this.environment.getProperty("local.server.port");
		if (port == null) {
			return;
		}
		String url = "http://localhost:" + port;
		out.printf("%nThe service is up. Try:%n");
		if (stored) {
			out.printf("  curl -s %s/blobs/%s | sha256sum%n", url, BLOB);
		}
		out.printf("  curl -s -T README.md %s/blobs/readme%n", url);
		out.printf("  curl -s -X POST %s/counters/0%n", url);
		out.printf("  curl -s -X POST %s/locks/mine%n", url);
		out.printf("  curl -s -H 'Content-Type: text/plain' -d 'Good morning' %s/messages%n", url);
		out.printf("  curl -s %s/messages%n", url);
		out.printf("  curl -s %s/actuator/health%n", url);
		out.printf("  curl -s %s/actuator/metrics/rdma.operations%n", url);
		out.printf("  curl -s %s/actuator/rdma%n", url);
		out.printf("Ctrl-C stops it.%n%n");
	}

}
