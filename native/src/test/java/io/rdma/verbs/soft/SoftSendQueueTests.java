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

import java.nio.ByteBuffer;

import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What waits in a send queue, and in a receive queue, is kept as it was posted.
 */
class SoftSendQueueTests {

	private static final int COUNT = 200;

	private final SoftPair pair = new SoftPair();

	private final SendWorkRequests sends = this.pair.context.allocateSendWorkRequests(COUNT, 2);

	private final ReceiveWorkRequests receives = this.pair.context.allocateReceiveWorkRequests(COUNT, 2);

	@AfterEach
	void closePair() throws Exception {
		this.pair.close();
	}

	@Test
	void whenManyWaitThenEachKeepsItsPlaceAndItsPayload() {
		QueuePair sender = queuePair();
		QueuePair receiver = queuePair();
		this.pair.connect(sender, receiver.number());
		this.pair.connect(receiver, sender.number());
		for (int i = 0; i < COUNT; i++) {
			this.pair.left.memory.put(0, ByteBuffer.allocate(8).putInt(i).putInt(-i).flip());
			SendWorkRequest request = this.sends.clear()
				.add()
				.wrId(i)
				.sendWithImmediate(i)
				.addSge(this.pair.left.memory, 0, 4);
			if (i % 2 == 0) {
				// copied when it is posted
				request.addSge(this.pair.left.memory, 4, 4).inlined();
			}
			sender.postSend(this.sends);
		}
		this.receives.clear();
		for (int i = 0; i < COUNT; i++) {
			this.receives.add()
				.wrId(i)
				.addSge(this.pair.right.memory, i * 8L, 3)
				.addSge(this.pair.right.memory, i * 8L + 3, 5);
		}
		receiver.postReceive(this.receives);
		for (int i = 0; i < COUNT;) {
			this.pair.right.receiveQueue.poll(this.pair.right.completions);
			for (int k = 0; k < this.pair.right.completions.size(); k++, i++) {
				assertThat(this.pair.right.completions.get(k).wrId()).isEqualTo(i);
				assertThat(this.pair.right.completions.get(k).immediate()).isEqualTo(i);
				assertThat(this.pair.right.completions.get(k).byteLength()).isEqualTo((i % 2 == 0) ? 8 : 4);
				ByteBuffer arrived = this.pair.right.memory.buffer(i * 8L, 8);
				// what is not inline is read when its turn comes
				assertThat(arrived.getInt(0)).isEqualTo((i % 2 == 0) ? i : COUNT - 1);
				assertThat(arrived.getInt(4)).isEqualTo((i % 2 == 0) ? -i : 0);
			}
		}
	}

	private QueuePair queuePair() {
		return this.pair
			.alsoClose(this.pair.domain.createQueuePair(new QueuePairInitAttributes(this.pair.left.sendQueue,
					this.pair.right.receiveQueue, new QueuePairCapabilities(COUNT, COUNT, 2, 2, 8))));
	}

}
