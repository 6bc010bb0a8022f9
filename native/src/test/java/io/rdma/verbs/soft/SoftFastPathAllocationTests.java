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

import io.rdma.verbs.soft.SoftPair.Side;
import io.rdma.verbs.testing.AllocationMeter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The data path allocates nothing, so that it never waits for the garbage collector.
 */
class SoftFastPathAllocationTests {

	private static final int OPERATIONS = 1_000_000;

	private static final int SIZE = 64;

	private final SoftPair pair = new SoftPair();

	private final Side left = this.pair.left;

	private final Side right = this.pair.right;

	@AfterEach
	void closePair() throws Exception {
		this.pair.close();
	}

	@Test
	void writeShouldAllocateNothing() {
		assertThat(bytesAllocatedBy(() -> {
			this.left.sends.clear()
				.add()
				.rdmaWrite(this.right.memory.address(), this.right.memory.rkey())
				.addSge(this.left.memory, 0, SIZE)
				.signaled();
			this.left.queuePair.postSend(this.left.sends);
			this.left.awaitSuccess(this.left.sendQueue);
		})).isZero();
	}

	@Test
	void inlineWriteShouldAllocateNothing() {
		assertThat(bytesAllocatedBy(() -> {
			this.left.sends.clear()
				.add()
				.rdmaWrite(this.right.memory.address(), this.right.memory.rkey())
				.addSge(this.left.memory, 0, SIZE)
				.inlined()
				.signaled();
			this.left.queuePair.postSend(this.left.sends);
			this.left.awaitSuccess(this.left.sendQueue);
		})).isZero();
	}

	@Test
	void readShouldAllocateNothing() {
		assertThat(bytesAllocatedBy(() -> {
			this.left.sends.clear()
				.add()
				.rdmaRead(this.right.memory.address(), this.right.memory.rkey())
				.addSge(this.left.memory, 0, SIZE)
				.signaled();
			this.left.queuePair.postSend(this.left.sends);
			this.left.awaitSuccess(this.left.sendQueue);
		})).isZero();
	}

	@Test
	void fetchAndAddShouldAllocateNothing() {
		assertThat(bytesAllocatedBy(() -> {
			this.left.sends.clear()
				.add()
				.fetchAndAdd(this.right.memory.address(), this.right.memory.rkey(), 1)
				.addSge(this.left.memory, 0, Long.BYTES)
				.signaled();
			this.left.queuePair.postSend(this.left.sends);
			this.left.awaitSuccess(this.left.sendQueue);
		})).isZero();
		assertThat(this.right.memory.getLongAcquire(0)).isGreaterThan(OPERATIONS);
	}

	@Test
	void sendAndReceiveShouldAllocateNothing() {
		assertThat(bytesAllocatedBy(() -> {
			this.right.receives.clear().add().addSge(this.right.memory, 0, SIZE);
			this.right.queuePair.postReceive(this.right.receives);
			this.left.sends.clear().add().sendWithImmediate(7).addSge(this.left.memory, 0, SIZE).signaled();
			this.left.queuePair.postSend(this.left.sends);
			this.right.awaitSuccess(this.right.receiveQueue);
			this.left.awaitSuccess(this.left.sendQueue);
		})).isZero();
	}

	@Test
	void pollOfAnEmptyQueueShouldAllocateNothing() {
		assertThat(bytesAllocatedBy(() -> this.left.sendQueue.poll(this.left.completions))).isZero();
	}

	private static long bytesAllocatedBy(Runnable operation) {
		return new AllocationMeter().bytesAllocatedBy(operation, OPERATIONS);
	}

}
