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
import java.time.Duration;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.zip.CRC32;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkCompletion;
import io.rdma.verbs.WorkCompletions;
import io.rdma.verbs.soft.shm.SharedMemoryOptions;

/**
 * What one process has of a connection: a queue pair with all it needs, and short forms
 * of what tests do with it. For one thread.
 */
final class ProcessEnd implements AutoCloseable {

	static final int MEMORY = 8 << 20;

	static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE,
			AccessFlag.REMOTE_READ);

	static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final int FIRST_PSN = 0xff_fff0;

	final SoftDeviceContext context;

	final ProtectionDomain domain;

	final CompletionQueue sendQueue;

	final CompletionQueue receiveQueue;

	final MemoryRegion memory;

	/** Eight bytes for atomic operations. */
	final MemoryRegion counter;

	final QueuePair queuePair;

	private final WorkCompletions completions;

	ProcessEnd(SoftProvider provider) {
		this.context = provider.open(SoftProvider.DEVICE_NAME);
		this.domain = this.context.allocateProtectionDomain();
		this.sendQueue = this.context.createCompletionQueue(4096, null);
		this.receiveQueue = this.context.createCompletionQueue(4096, null);
		this.memory = this.domain.allocateMemory(MEMORY, ACCESS);
		this.counter = this.domain.allocateMemory(Long.BYTES,
				EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC));
		this.queuePair = this.domain.createQueuePair(new QueuePairInitAttributes(this.sendQueue, this.receiveQueue,
				new QueuePairCapabilities(31, 31, 4, 4, 64)));
		this.completions = this.context.allocateWorkCompletions(1);
	}

	static SoftProvider provider(SharedMemoryOptions options) {
		return SoftProvider.builder().paths(EnumSet.of(PathKind.SHARED_MEMORY)).sharedMemory(options).build();
	}

	/**
	 * Connect two ends in this process.
	 * @param left one
	 * @param right the other
	 */
	static void connect(ProcessEnd left, ProcessEnd right) {
		byte[] leftOffer = left.queuePair.pathOffer();
		byte[] rightOffer = right.queuePair.pathOffer();
		byte[] leftAnswer = left.queuePair.answerPathOffer(rightOffer);
		byte[] rightAnswer = right.queuePair.answerPathOffer(leftOffer);
		left.queuePair.usePath(rightOffer, rightAnswer);
		right.queuePair.usePath(leftOffer, leftAnswer);
		left.connect(right.queuePair.number(), right.gid());
		right.connect(left.queuePair.number(), left.gid());
	}

	Gid gid() {
		return this.context.queryGidTable(1).get(1).gid();
	}

	static String text(Gid gid) {
		return gid.high() + ":" + gid.low();
	}

	static Gid gid(String text) {
		String[] halves = text.split(":");
		return new Gid(Long.parseLong(halves[0]), Long.parseLong(halves[1]));
	}

	void connect(int peerNumber, Gid peerGid) {
		connect(peerNumber, peerGid, 14, 7);
	}

	void connect(int peerNumber, Gid peerGid, int timeout, int rnrRetry) {
		Set<AccessFlag> access = EnumSet.copyOf(ACCESS);
		access.add(AccessFlag.REMOTE_ATOMIC);
		this.queuePair
			.modify(QueuePairAttributes.to(QueuePairState.INIT).port(1).pkeyIndex(0).accessFlags(access).build());
		this.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTR)
			.addressVector(AddressVector.ethernet(1, new GlobalRoute(peerGid, 1)))
			.pathMtu(PathMtu.MTU_1024)
			.destQpNumber(peerNumber)
			.rqPsn(FIRST_PSN)
			.maxDestRdAtomic(4)
			.minRnrTimer(12)
			.build());
		this.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS)
			.timeout(timeout)
			.retryCount(2)
			.rnrRetry(rnrRetry)
			.sqPsn(FIRST_PSN)
			.maxRdAtomic(4)
			.build());
	}

	void post(Consumer<SendWorkRequest> request) {
		SendWorkRequests chain = this.context.allocateSendWorkRequests(1, 4);
		request.accept(chain.add().signaled());
		this.queuePair.postSend(chain);
	}

	void postReceive(long wrId, MemoryRegion region, long offset, int length) {
		ReceiveWorkRequests chain = this.context.allocateReceiveWorkRequests(1, 1);
		chain.add().wrId(wrId).addSge(region, offset, length);
		this.queuePair.postReceive(chain);
	}

	WorkCompletion awaitSend() {
		return await(this.sendQueue, PATIENCE);
	}

	WorkCompletion awaitReceive() {
		return await(this.receiveQueue, PATIENCE);
	}

	WorkCompletion await(CompletionQueue queue, Duration patience) {
		long deadline = System.nanoTime() + patience.toNanos();
		while (queue.poll(this.completions) == 0) {
			if (System.nanoTime() - deadline > 0) {
				throw new IllegalStateException("No completion within " + patience);
			}
			LockSupport.parkNanos(20_000);
		}
		return this.completions.get(0);
	}

	boolean hasCompletion(CompletionQueue queue) {
		return queue.poll(this.completions) > 0;
	}

	static void fill(MemoryRegion region, long offset, int length, int seed) {
		if (length > 0) {
			byte[] bytes = new byte[length];
			new Random(seed).nextBytes(bytes);
			region.put(offset, ByteBuffer.wrap(bytes));
		}
	}

	static long checksum(MemoryRegion region, long offset, int length) {
		byte[] bytes = new byte[length];
		region.get(offset, ByteBuffer.wrap(bytes));
		return checksum(bytes);
	}

	static long checksum(byte[] bytes) {
		CRC32 crc = new CRC32();
		crc.update(bytes);
		return crc.getValue();
	}

	@Override
	public void close() {
		this.queuePair.close();
		if (this.memory.isOpen()) {
			this.memory.close();
		}
		this.counter.close();
		this.sendQueue.close();
		this.receiveQueue.close();
		this.domain.close();
		this.context.close();
	}

}
