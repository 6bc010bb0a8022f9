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

import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkCompletions;
import io.rdma.verbs.soft.shm.SharedMemoryOptions;
import io.rdma.verbs.testing.AllocationMeter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The data path over shared memory allocates nothing, neither on the threads that post
 * and poll nor on those that watch over shared memory.
 */
@Timeout(600)
class SharedMemoryAllocationTests {

	private static final int OPERATIONS = 1_000_000;

	/** How many are under way at a time. */
	private static final int ROUND = 16;

	private final ProcessEnd left = new ProcessEnd(ProcessEnd.provider(SharedMemoryOptions.defaults()));

	private final ProcessEnd right = new ProcessEnd(ProcessEnd.provider(SharedMemoryOptions.defaults()));

	private final SendWorkRequests sends = this.left.context.allocateSendWorkRequests(1, 2);

	private final ReceiveWorkRequests receives = this.right.context.allocateReceiveWorkRequests(1, 1);

	private final WorkCompletions leftCompletions = this.left.context.allocateWorkCompletions(4);

	private final WorkCompletions rightCompletions = this.right.context.allocateWorkCompletions(4);

	@BeforeEach
	void connect() {
		ProcessEnd.connect(this.left, this.right);
	}

	@AfterEach
	void close() {
		this.left.close();
		this.right.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 64, 4096 })
	void writeShouldAllocateNothing(int length) {
		assertAllocatesNothing(() -> {
			this.sends.clear()
				.add()
				.rdmaWrite(this.right.memory.address(), this.right.memory.rkey())
				.addSge(this.left.memory, 0, length)
				.signaled();
			this.left.queuePair.postSend(this.sends);
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 64, 4096 })
	void readShouldAllocateNothing(int length) {
		assertAllocatesNothing(() -> {
			this.sends.clear()
				.add()
				.rdmaRead(this.right.memory.address(), this.right.memory.rkey())
				.addSge(this.left.memory, 0, length)
				.signaled();
			this.left.queuePair.postSend(this.sends);
		});
	}

	@Test
	void fetchAndAddShouldAllocateNothing() {
		assertAllocatesNothing(() -> {
			this.sends.clear()
				.add()
				.fetchAndAdd(this.right.counter.address(), this.right.counter.rkey(), 1)
				.addSge(this.left.memory, 0, Long.BYTES)
				.signaled();
			this.left.queuePair.postSend(this.sends);
		});
		assertThat(this.right.counter.getLongAcquire(0)).isGreaterThanOrEqualTo(OPERATIONS);
	}

	@Test
	void sendAndReceiveShouldAllocateNothing() {
		assertAllocatesNothing(() -> {
			this.receives.clear().add().addSge(this.right.memory, 0, 64);
			this.right.queuePair.postReceive(this.receives);
			this.sends.clear().add().send().addSge(this.left.memory, 0, 64).signaled();
			this.left.queuePair.postSend(this.sends);
		}, () -> await(this.right.receiveQueue, this.rightCompletions));
	}

	@SuppressWarnings("ThreadPriorityCheck") // so that two processors are enough
	private static void await(CompletionQueue queue, WorkCompletions completions) {
		int left = ROUND;
		while (left > 0) {
			int count = queue.poll(completions);
			for (int i = 0; i < count; i++) {
				if (!completions.get(i).isSuccess()) {
					throw new IllegalStateException(completions.get(i).toString());
				}
			}
			left -= count;
			if (count == 0) {
				Thread.yield();
			}
		}
	}

	private void assertAllocatesNothing(Runnable post) {
		assertAllocatesNothing(post, () -> {
		});
	}

	private void assertAllocatesNothing(Runnable post, Runnable receive) {
		Thread[] workers = Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("rdma-soft-shared-memory"))
			.toArray(Thread[]::new);
		assertThat(workers).hasSizeGreaterThanOrEqualTo(2);
		assertThat(new AllocationMeter(workers).bytesAllocatedBy(() -> {
			for (int i = 0; i < ROUND; i++) {
				post.run();
			}
			receive.run();
			await(this.left.sendQueue, this.leftCompletions);
		}, OPERATIONS / ROUND)).isZero();
	}

}
