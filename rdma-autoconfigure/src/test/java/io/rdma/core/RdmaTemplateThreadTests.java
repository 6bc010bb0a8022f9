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

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rdma.core.completion.RdmaThread;
import io.rdma.testing.RdmaTestNode;
import io.rdma.verbs.AccessFlag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for what runs on which thread, with an application executor of one thread.
 */
@SuppressWarnings({ "FutureReturnValueIgnored", "InputStreamSlowMultibyteRead" })
class RdmaTemplateThreadTests {

	private static final int LARGE = 3 * 1024 * 1024 + 1;

	private RdmaTestNode storage;

	private RdmaTestNode client;

	private RdmaTemplate rdma;

	@BeforeEach
	void start() {
		this.storage = RdmaTestNode.named("storage")
			.region("blobs", LARGE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
			.region("counters", 4096, AccessFlag.REMOTE_ATOMIC)
			.start();
		this.client = RdmaTestNode.named("client").peer("storage", this.storage.port()).applicationThreads(1).start();
		this.rdma = this.client.template();
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.storage.close();
	}

	@Test
	void whenDependentMakesBlockingCallsThenTheChainEnds() throws Exception {
		this.storage.executor().execute(() -> {
			for (int i = 0; i < 3; i++) {
				RdmaMessage request = this.storage.template().receive("client");
				this.storage.template().reply(request, request.payload());
			}
		});
		CompletableFuture<String> chain = this.rdma.writeAsync("storage", "blobs", 0, new byte[10])
			.thenApply((none) -> {
				this.rdma.write("storage", "blobs", 0, new byte[LARGE]);
				this.rdma.writeAsync("storage", "blobs", 0, new byte[LARGE]).join();
				this.rdma.readAsync("storage", "blobs", 0, 100).join();
				this.rdma.readAsync("storage", "blobs", 0, LARGE).join();
				this.rdma.fetchAndAddAsync("storage", "counters", 0, 1).join();
				this.rdma.sendAndReceive("storage", new byte[1]);
				this.rdma.sendAndReceiveAsync("storage", new byte[1]).join();
				return this.rdma.convertSendAndReceiveAsync("storage", "hello", String.class).join();
			})
			.thenCompose((text) -> this.rdma.fetchAndAddAsync("storage", "counters", 0, 1)
				.thenApply((old) -> text + " " + old + " " + this.rdma.fetchAndAdd("storage", "counters", 0, 1)));
		assertThat(chain.get(30, TimeUnit.SECONDS)).isEqualTo("hello 1 2");
	}

	@Test
	void whenApplicationExecutorIsBusyThenThoseWhoWaitAreWokenAllTheSame() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		this.client.executor().execute(() -> awaitLatch(release));
		List<String> ran = new ArrayList<>();
		CompletableFuture<byte[]> future = this.rdma.readAsync("storage", "blobs", 0, 10);
		assertThat(future.get(20, TimeUnit.SECONDS)).hasSize(10);
		this.rdma.sendAsync("storage", new byte[1]).get(20, TimeUnit.SECONDS);
		assertThat(this.storage.template().receive("client").payload()).hasSize(1);
		this.storage.template().sendAsync("client", "x".getBytes(StandardCharsets.UTF_8)).get(20, TimeUnit.SECONDS);
		assertThat(this.rdma.receiveAndConvertAsync("storage", String.class).get(20, TimeUnit.SECONDS)).isEqualTo("x");
		this.rdma.writeAsync("storage", "blobs", 0, new byte[LARGE]).get(20, TimeUnit.SECONDS);
		release.countDown();
		future.thenRun(() -> ran.add("dependent")).get(20, TimeUnit.SECONDS);
		assertThat(ran).containsExactly("dependent");
	}

	@Test
	void dependentsNeverRunOnAThreadOfTheLibrary() {
		Set<Thread> threads = ConcurrentHashMap.newKeySet();
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = 0; i < 300; i++) {
			futures.add(note(this.rdma.writeAsync("storage", "blobs", 0, new byte[100]), threads));
			futures.add(note(this.rdma.readAsync("storage", "blobs", 0, 100), threads));
			futures.add(note(this.rdma.fetchAndAddAsync("storage", "counters", 0, 1), threads));
			futures.add(note(this.rdma.readAsync("storage", "blobs", -1, 100), threads));
		}
		futures.add(note(this.rdma.readAsync("storage", "blobs", 0, LARGE), threads));
		CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).exceptionally((ex) -> null).join();
		threads.remove(Thread.currentThread());
		assertThat(threads).isNotEmpty()
			.allSatisfy((thread) -> assertThat(thread).isNotInstanceOf(RdmaThread.class)
				.extracting(Thread::getName)
				.asString()
				.startsWith("application-"));
	}

	private static CompletableFuture<?> note(CompletableFuture<?> future, Set<Thread> threads) {
		return future.whenComplete((value, failure) -> threads.add(Thread.currentThread()));
	}

	@Test
	void whenTransferIsAsynchronousThenProgressIsToldInOrderOnTheApplicationExecutor() {
		Queue<Long> told = new ConcurrentLinkedQueue<>();
		Set<String> threads = ConcurrentHashMap.newKeySet();
		TransferOptions options = TransferOptions.progress((transferred, total) -> {
			assertThat(total).isEqualTo(LARGE);
			told.add(transferred);
			threads.add(Thread.currentThread().getName());
		});
		this.rdma.writeAsync("storage", "blobs", 0, RdmaPayload.of(new byte[LARGE]), options).join();
		await().untilAsserted(() -> assertThat(told).isNotEmpty().last().isEqualTo((long) LARGE));
		assertThat(new ArrayList<>(told)).isSorted();
		assertThat(threads).hasSize(1).allSatisfy((name) -> assertThat(name).startsWith("application-"));
	}

	@Test
	void whenAsynchronousTransferReadsAStreamThenThatRunsOnAThreadThatMayBlock() throws Exception {
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		InputStream stream = new InputStream() {

			@Override
			public int read() {
				thread.complete(Thread.currentThread());
				return RdmaTemplateThreadTests.this.rdma.read("storage", "blobs", 0, 1)[0];
			}

		};
		this.rdma.writeAsync("storage", "blobs", 0, RdmaPayload.of(stream, 10)).get(20, TimeUnit.SECONDS);
		assertThat(thread.get()).isNotInstanceOf(RdmaThread.class);
		assertThat(thread.get().getName()).startsWith("rdma-transfer-");
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
