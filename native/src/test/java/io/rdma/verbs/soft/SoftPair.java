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

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkCompletion;
import io.rdma.verbs.WorkCompletions;

/**
 * Two connected queue pairs on one device context, each with a memory region and two
 * completion queues. The chains and batches of a side are for one thread.
 */
final class SoftPair implements AutoCloseable {

	static final int DEPTH = 63;

	static final int MEMORY = 1 << 20;

	static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE,
			AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

	private static final int TIMEOUT = 10;

	final SoftDeviceContext context;

	final ProtectionDomain domain;

	final Side left;

	final Side right;

	private final List<AutoCloseable> more = new ArrayList<>();

	SoftPair() {
		this(new SoftProvider());
	}

	SoftPair(SoftProvider provider) {
		this.context = provider.open(SoftProvider.DEVICE_NAME);
		this.domain = this.context.allocateProtectionDomain();
		this.left = new Side();
		this.right = new Side();
		reconnect();
	}

	void reconnect() {
		this.left.connect(this.right.queuePair.number());
		this.right.connect(this.left.queuePair.number());
	}

	void connect(QueuePair queuePair, int peer) {
		connect(queuePair, peer, 1);
	}

	private void connect(QueuePair queuePair, int peer, int psn) {
		GlobalRoute route = new GlobalRoute(this.context.queryGidTable(1).get(1).gid(), 1);
		queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT).port(1).pkeyIndex(0).accessFlags(ACCESS).build());
		queuePair.modify(QueuePairAttributes.to(QueuePairState.RTR)
			.addressVector(AddressVector.ethernet(1, route))
			.pathMtu(PathMtu.MTU_4096)
			.destQpNumber(peer)
			.rqPsn(psn)
			.maxDestRdAtomic(4)
			.minRnrTimer(1)
			.build());
		queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS)
			.timeout(TIMEOUT)
			.retryCount(1)
			.rnrRetry(7)
			.sqPsn(psn)
			.maxRdAtomic(4)
			.build());
	}

	Side other(Side side) {
		return (side == this.left) ? this.right : this.left;
	}

	<T extends AutoCloseable> T alsoClose(T resource) {
		this.more.add(0, resource);
		return resource;
	}

	@Override
	public void close() throws Exception {
		for (AutoCloseable resource : this.more) {
			resource.close();
		}
		this.left.close();
		this.right.close();
		this.domain.close();
		this.context.close();
	}

	/**
	 * One of the two.
	 */
	final class Side {

		final CompletionQueue sendQueue = SoftPair.this.context.createCompletionQueue(4096, null);

		final CompletionQueue receiveQueue = SoftPair.this.context.createCompletionQueue(4096, null);

		final MemoryRegion memory = SoftPair.this.domain.allocateMemory(MEMORY, ACCESS);

		final QueuePair queuePair = SoftPair.this.domain.createQueuePair(new QueuePairInitAttributes(this.sendQueue,
				this.receiveQueue, new QueuePairCapabilities(DEPTH, DEPTH, 2, 2, 64)));

		final SendWorkRequests sends = SoftPair.this.context.allocateSendWorkRequests(DEPTH, 2);

		final ReceiveWorkRequests receives = SoftPair.this.context.allocateReceiveWorkRequests(DEPTH, 2);

		final WorkCompletions completions = SoftPair.this.context.allocateWorkCompletions(DEPTH);

		void connect(int peer) {
			connect(peer, 1);
		}

		void connect(int peer, int psn) {
			SoftPair.this.connect(this.queuePair, peer, psn);
		}

		void modifyTo(QueuePairState state) {
			this.queuePair.modify(QueuePairAttributes.to(state).build());
		}

		/**
		 * Poll until a completion comes.
		 * @param queue the completion queue
		 * @return the completion
		 */
		@SuppressWarnings("ThreadPriorityCheck") // leaves the processor to who works for
													// it
		WorkCompletion await(CompletionQueue queue) {
			while (queue.poll(this.completions) == 0) {
				Thread.yield();
			}
			return this.completions.get(0);
		}

		/**
		 * Poll until a completion comes, and check it.
		 * @param queue the completion queue
		 * @return the context of the work request
		 */
		long awaitSuccess(CompletionQueue queue) {
			WorkCompletion completion = await(queue);
			if (!completion.isSuccess() || completion.qpNumber() != this.queuePair.number()) {
				throw new IllegalStateException(completion.toString());
			}
			return completion.wrId();
		}

		private void close() {
			this.queuePair.close();
			this.memory.close();
			this.sendQueue.close();
			this.receiveQueue.close();
		}

	}

}
