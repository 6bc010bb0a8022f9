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

package io.rdma.core.completion;

import java.util.Set;

import io.rdma.testing.TestDevice;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
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

/**
 * A software device for tests, with queue pairs on it.
 */
final class QueuePairs implements AutoCloseable {

	private static final int BUFFER_SIZE = 4096;

	private final DeviceContext context = TestDevice.open();

	private final ProtectionDomain protectionDomain = this.context.allocateProtectionDomain();

	private final MemoryRegion memory = this.protectionDomain.allocateMemory(BUFFER_SIZE,
			Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));

	private final SendWorkRequests sends = this.context.allocateSendWorkRequests(1, 1);

	private final ReceiveWorkRequests receives = this.context.allocateReceiveWorkRequests(1, 1);

	DeviceContext context() {
		return this.context;
	}

	/**
	 * Create a queue pair that is connected to itself.
	 * @param sendQueue where sends complete
	 * @param receiveQueue where receives complete
	 * @param sendDepth how many sends it can have
	 * @param receiveDepth how many receives it can have
	 * @return the queue pair, in RTS
	 */
	QueuePair loopback(CompletionQueue sendQueue, CompletionQueue receiveQueue, int sendDepth, int receiveDepth) {
		QueuePair queuePair = this.protectionDomain.createQueuePair(new QueuePairInitAttributes(sendQueue, receiveQueue,
				new QueuePairCapabilities(sendDepth, receiveDepth)));
		queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT)
			.pkeyIndex(0)
			.port(1)
			.accessFlags(Set.of(AccessFlag.REMOTE_WRITE))
			.build());
		queuePair.modify(QueuePairAttributes.to(QueuePairState.RTR)
			.addressVector(AddressVector.ethernet(1, new GlobalRoute(this.context.queryGidTable(1).get(1).gid(), 1)))
			.pathMtu(PathMtu.MTU_1024)
			.destQpNumber(queuePair.number())
			.rqPsn(7)
			.maxDestRdAtomic(1)
			.minRnrTimer(12)
			.build());
		queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS)
			.sqPsn(7)
			.timeout(14)
			.retryCount(6)
			.rnrRetry(6)
			.maxRdAtomic(1)
			.build());
		return queuePair;
	}

	synchronized void postWrite(QueuePair queuePair, long wrId) {
		this.sends.clear()
			.add()
			.wrId(wrId)
			.rdmaWrite(this.memory.address(), this.memory.rkey())
			.addSge(this.memory, 0, 8)
			.signaled();
		queuePair.postSend(this.sends);
	}

	synchronized void postBadWrite(QueuePair queuePair, long wrId) {
		this.sends.clear().add().wrId(wrId).rdmaWrite(0, 0).addSge(this.memory, 0, 8).signaled();
		queuePair.postSend(this.sends);
	}

	synchronized void postSend(QueuePair queuePair, long wrId) {
		this.sends.clear().add().wrId(wrId).send().signaled();
		queuePair.postSend(this.sends);
	}

	synchronized void postReceive(QueuePair queuePair, long wrId) {
		this.receives.clear().add().wrId(wrId).addSge(this.memory, 0, 8);
		queuePair.postReceive(this.receives);
	}

	static void fail(QueuePair queuePair) {
		queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
	}

	@Override
	public void close() {
		this.memory.close();
		this.protectionDomain.close();
		this.context.close();
	}

}
