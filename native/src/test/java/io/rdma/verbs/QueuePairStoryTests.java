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

package io.rdma.verbs;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;

import io.rdma.verbs.soft.SoftProvider;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The whole story of one RDMA operation in nine steps, with nothing hidden in helpers but
 * the way from RESET to RTS. {@code docs/concepts.md} tells the same story in words.
 */
class QueuePairStoryTests {

	private static final int PORT = 1;

	private static final int GID_INDEX = 1;

	private static final long ORDER_NUMBER = 4711;

	@Test
	void anOrderBecomesAReceipt() {
		try (DeviceContext context = new SoftProvider().open(SoftProvider.DEVICE_NAME);
				ProtectionDomain domain = context.allocateProtectionDomain();

				// 1. Register memory and get its keys: the lkey is for our own use, the
				// rkey is given to the peer.
				MemoryRegion ours = domain.allocateMemory(4096, Set.of(AccessFlag.LOCAL_WRITE));
				MemoryRegion theirs = domain.allocateMemory(4096,
						Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));

				// 2. Create a queue pair. That has to wait: where its outcomes go must be
				// known when it is created. So step 3 comes first.

				// 3. Create a completion queue.
				CompletionQueue completionQueue = context.createCompletionQueue(16, null);

				// 2 and 4. Create the queue pair, which joins it to the completion queue.
				QueuePair queuePair = domain.createQueuePair(
						new QueuePairInitAttributes(completionQueue, completionQueue, new QueuePairCapabilities(8, 8)));

				// The other end of the connection. In real life it is far away.
				CompletionQueue peerQueue = context.createCompletionQueue(16, null);
				QueuePair peer = domain.createQueuePair(
						new QueuePairInitAttributes(peerQueue, peerQueue, new QueuePairCapabilities(8, 8)))) {

			assertThat(ours.lkey()).isNotEqualTo(theirs.lkey());
			assertThat(theirs.rkey()).isNotZero();
			assertThat(queuePair.state()).isEqualTo(QueuePairState.RESET);
			connect(queuePair, peer);
			connect(peer, queuePair);
			assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);

			// 5. Build a work request over registered memory: write our 5 bytes to
			// offset 100 of the peer's region, and report success too.
			ours.put(0, ByteBuffer.wrap("hello".getBytes(UTF_8)));
			SendWorkRequests orders = context.allocateSendWorkRequests(1, 1);
			orders.add()
				.wrId(ORDER_NUMBER)
				.rdmaWrite(theirs.address() + 100, theirs.rkey())
				.addSge(ours, 0, 5)
				.signaled();

			// 6. Post it to the send queue.
			queuePair.postSend(orders);

			// 7. The device executes it: no code of the peer runs.
			// 8. A work completion arrives in the completion queue.
			WorkCompletions receipts = context.allocateWorkCompletions(16);
			await().atMost(Duration.ofSeconds(10)).until(() -> completionQueue.poll(receipts) > 0);

			// 9. Polled: check status, bytes, queue pair number and context.
			assertThat(receipts.size()).isOne();
			WorkCompletion receipt = receipts.get(0);
			assertThat(receipt.status()).isEqualTo(CompletionStatus.SUCCESS);
			assertThat(receipt.opcode()).isEqualTo(CompletionOpcode.RDMA_WRITE);
			assertThat(receipt.byteLength()).isEqualTo(5);
			assertThat(receipt.qpNumber()).isEqualTo(queuePair.number());
			assertThat(receipt.wrId()).isEqualTo(ORDER_NUMBER);

			byte[] delivered = new byte[5];
			theirs.get(100, ByteBuffer.wrap(delivered));
			assertThat(new String(delivered, UTF_8)).isEqualTo("hello");
			assertThat(peerQueue.poll(receipts)).isZero();
		}
	}

	/**
	 * Take a queue pair from RESET to RTS. What is needed of the peer (its GID, its queue
	 * pair number and its first packet number) is told over some other connection in real
	 * life.
	 */
	private static void connect(QueuePair queuePair, QueuePair peer) {
		queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT)
			.port(PORT)
			.pkeyIndex(0)
			.accessFlags(Set.of(AccessFlag.REMOTE_WRITE))
			.build());
		queuePair.modify(QueuePairAttributes.to(QueuePairState.RTR)
			.addressVector(AddressVector.ethernet(PORT, new GlobalRoute(gid(peer), GID_INDEX)))
			.pathMtu(PathMtu.MTU_1024)
			.destQpNumber(peer.number())
			.rqPsn(0)
			.maxDestRdAtomic(1)
			.minRnrTimer(12)
			.build());
		queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS)
			.sqPsn(0)
			.timeout(14)
			.retryCount(6)
			.rnrRetry(6)
			.maxRdAtomic(1)
			.build());
	}

	private static Gid gid(QueuePair peer) {
		return peer.protectionDomain()
			.context()
			.queryGidTable(PORT)
			.stream()
			.filter((entry) -> entry.index() == GID_INDEX)
			.map(GidEntry::gid)
			.findFirst()
			.orElseThrow();
	}

}
