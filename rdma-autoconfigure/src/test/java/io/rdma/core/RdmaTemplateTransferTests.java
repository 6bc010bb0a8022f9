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

package io.rdma.core;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

import io.rdma.core.memory.MemoryPoolStatistics;
import io.rdma.testing.RdmaTestNode;
import io.rdma.verbs.AccessFlag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for large transfers, with a service that connects to its own listener.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class RdmaTemplateTransferTests {

	private static final int MB = 1024 * 1024;

	private static final int POOL = 8 * MB;

	private static final int FILE = 3 * POOL + 12_345;

	private RdmaTestNode node;

	private RdmaTemplate rdma;

	@BeforeEach
	void start() {
		int port = RdmaTestNode.freePort();
		this.node = RdmaTestNode.named("node")
			.port(port)
			.peer("self", port)
			.poolSize(POOL)
			.region("blobs", FILE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
			.region("counters", 4096, AccessFlag.REMOTE_ATOMIC)
			.start();
		this.rdma = this.node.template();
	}

	@AfterEach
	void stop() {
		this.node.close();
	}

	@Test
	void whenFileIsLargerThanThePoolThenItIsStreamedThereAndBack(@TempDir Path directory) throws IOException {
		Path file = directory.resolve("file");
		CRC32C written = write(file);
		MemoryPoolStatistics before = this.node.pool().statistics();
		this.rdma.write("self", "blobs", 0, new FileSystemResource(file));
		CRC32C read = new CRC32C();
		this.rdma.read("self", "blobs", 0, FILE, new CheckedOutputStream(OutputStream.nullOutputStream(), read));
		assertThat(read.getValue()).isEqualTo(written.getValue());
		CRC32C readLater = new CRC32C();
		this.rdma.writeAsync("self", "blobs", 0, new FileSystemResource(file)).join();
		this.rdma
			.readAsync("self", "blobs", 0, FILE,
					Channels.newChannel(new CheckedOutputStream(OutputStream.nullOutputStream(), readLater)),
					TransferOptions.defaults())
			.join();
		assertThat(readLater.getValue()).isEqualTo(written.getValue());
		MemoryPoolStatistics after = this.node.pool().statistics();
		assertThat(after.usedBytes()).isLessThanOrEqualTo(POOL / 2);
		assertThat(after.highWaterBytes()).as("one transfer leaves half of the pool to others")
			.isLessThanOrEqualTo(Math.max(before.highWaterBytes(), after.usedBytes()) + POOL / 2);
	}

	private static CRC32C write(Path file) throws IOException {
		CRC32C checksum = new CRC32C();
		Random random = new Random(42);
		byte[] block = new byte[64 * 1024];
		try (OutputStream stream = new CheckedOutputStream(Files.newOutputStream(file), checksum)) {
			for (int position = 0; position < FILE; position += block.length) {
				random.nextBytes(block);
				stream.write(block, 0, Math.min(block.length, FILE - position));
			}
		}
		return checksum;
	}

	@Test
	void whenServiceConnectsToItselfThenEverythingWorks() {
		this.rdma.write("self", "blobs", 10, new byte[] { 1, 2, 3 });
		assertThat(this.rdma.read("self", "blobs", 9, 5)).containsExactly(0, 1, 2, 3, 0);
		assertThat(this.rdma.fetchAndAdd("self", "counters", 0, 1)).isZero();
		this.rdma.send("self", new byte[] { 7 });
		assertThat(this.rdma.receive("node").payload()).containsExactly(7);
		this.rdma.receiveAsync("node").thenAccept((request) -> this.rdma.reply(request, request.payload()));
		assertThat(this.rdma.sendAndReceive("self", new byte[] { 8 }).payload()).containsExactly(8);
	}

	@Test
	void whenStoppedAndStartedThenItWorksAgain() {
		this.rdma.write("self", "blobs", 0, new byte[1]);
		this.node.stop();
		this.node.start();
		this.rdma.write("self", "blobs", 0, new byte[] { 9 });
		assertThat(this.rdma.readAsync("self", "blobs", 0, 1).join()).containsExactly(9);
	}

	/**
	 * Prints what a call costs. Nothing is asserted, since the machine may be busy.
	 */
	@Test
	void latencyAndBandwidth() {
		byte[] small = new byte[64];
		long[] nanos = new long[20_000];
		for (int i = 0; i < nanos.length; i++) {
			long start = System.nanoTime();
			this.rdma.write("self", "blobs", 0, small);
			nanos[i] = System.nanoTime() - start;
		}
		long[] warm = Arrays.copyOfRange(nanos, nanos.length / 2, nanos.length);
		Arrays.sort(warm);
		byte[] large = new byte[MB];
		int count = 300;
		long start = System.nanoTime();
		for (int i = 0; i < count; i++) {
			this.rdma.write("self", "blobs", 0, large);
		}
		double seconds = (System.nanoTime() - start) / 1e9;
		System.out.printf("write of 64 B: p50 %d ns, p99 %d ns; write of 1 MB: %.0f MB/s%n", warm[warm.length / 2],
				warm[warm.length * 99 / 100], count / seconds);
	}

}
