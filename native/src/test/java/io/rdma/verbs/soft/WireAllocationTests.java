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

import java.util.EnumSet;

import io.rdma.verbs.PathKind;
import io.rdma.verbs.soft.SoftPair.Side;
import io.rdma.verbs.testing.AllocationMeter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing is allocated for what is sent as packets, neither by the thread that posts nor
 * by the one that takes packets from the socket.
 */
class WireAllocationTests {

	private static final int OPERATIONS = 1_000_000;

	private static final int WRITES = 12;

	private static final int SIZE = 64;

	private final SoftPair pair = new SoftPair(SoftProvider.builder().paths(EnumSet.of(PathKind.WIRE)).build());

	private final Side left = this.pair.left;

	private final Side right = this.pair.right;

	@AfterEach
	void closePair() throws Exception {
		this.pair.close();
	}

	@Test
	void operationsShouldAllocateNothing() {
		AllocationMeter meter = new AllocationMeter(this.pair.context.wire().thread());
		int round = WRITES + 3;
		assertThat(meter.bytesAllocatedBy(() -> {
			this.right.receives.clear().add().addSge(this.right.memory, 0, SIZE);
			this.right.queuePair.postReceive(this.right.receives);
			this.left.sends.clear();
			for (int i = 0; i < WRITES; i++) {
				this.left.sends.add()
					.rdmaWrite(this.right.memory.address(), this.right.memory.rkey())
					.addSge(this.left.memory, 0, SIZE);
			}
			this.left.sends.add()
				.rdmaRead(this.right.memory.address(), this.right.memory.rkey())
				.addSge(this.left.memory, 0, SIZE);
			this.left.sends.add()
				.fetchAndAdd(this.right.memory.address() + SIZE, this.right.memory.rkey(), 1)
				.addSge(this.left.memory, SIZE, Long.BYTES);
			this.left.sends.add().sendWithImmediate(7).addSge(this.left.memory, 0, SIZE).signaled();
			this.left.queuePair.postSend(this.left.sends);
			this.right.awaitSuccess(this.right.receiveQueue);
			this.left.awaitSuccess(this.left.sendQueue);
		}, OPERATIONS / round)).isZero();
		assertThat(this.right.memory.getLongAcquire(SIZE)).isGreaterThan(OPERATIONS / round);
	}

}
