package io.rdma.verbs.soft;

import java.util.EnumSet;
import java.util.Set;

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
import io.rdma.verbs.WorkCompletions;

/**
 * Two connected queue pairs on one device context, with a memory region and completion
 * queues each.
 */
final class BenchmarkPair implements AutoCloseable {

	private static final int DEPTH = 64;

	private static final int MEMORY = 1 << 20;

	private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE,
			AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

	final DeviceContext context = new SoftProvider().open(SoftProvider.DEVICE_NAME);

	final ProtectionDomain domain = this.context.allocateProtectionDomain();

	final Side requester = new Side();

	final Side responder = new Side();

	BenchmarkPair() {
		this.requester.connect(this.responder.queuePair.number());
		this.responder.connect(this.requester.queuePair.number());
	}

	@Override
	public void close() {
		this.requester.close();
		this.responder.close();
		this.domain.close();
		this.context.close();
	}

	/**
	 * One of the two.
	 */
	final class Side {

		final CompletionQueue sendQueue = BenchmarkPair.this.context.createCompletionQueue(DEPTH, null);

		final CompletionQueue receiveQueue = BenchmarkPair.this.context.createCompletionQueue(DEPTH, null);

		final MemoryRegion memory = BenchmarkPair.this.domain.allocateMemory(MEMORY, ACCESS);

		final QueuePair queuePair = BenchmarkPair.this.domain.createQueuePair(new QueuePairInitAttributes(
				this.sendQueue, this.receiveQueue, new QueuePairCapabilities(DEPTH, DEPTH, 2, 2, 64)));

		final SendWorkRequests sends = BenchmarkPair.this.context.allocateSendWorkRequests(DEPTH, 2);

		final ReceiveWorkRequests receives = BenchmarkPair.this.context.allocateReceiveWorkRequests(DEPTH, 2);

		final WorkCompletions completions = BenchmarkPair.this.context.allocateWorkCompletions(DEPTH);

		void connect(int peer) {
			GlobalRoute route = new GlobalRoute(BenchmarkPair.this.context.queryGidTable(1).get(1).gid(), 1);
			this.queuePair.modify(
					QueuePairAttributes.to(QueuePairState.INIT).port(1).pkeyIndex(0).accessFlags(ACCESS).build());
			this.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTR)
				.addressVector(AddressVector.ethernet(1, route))
				.pathMtu(PathMtu.MTU_4096)
				.destQpNumber(peer)
				.rqPsn(1)
				.maxDestRdAtomic(4)
				.minRnrTimer(12)
				.build());
			this.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS)
				.timeout(14)
				.retryCount(6)
				.rnrRetry(6)
				.sqPsn(1)
				.maxRdAtomic(4)
				.build());
		}

		/**
		 * Poll until a completion comes, and check it.
		 * @param queue the completion queue
		 * @return the context of the work request
		 */
		long awaitCompletion(CompletionQueue queue) {
			while (queue.poll(this.completions) == 0) {
				Thread.onSpinWait();
			}
			if (!this.completions.get(0).isSuccess()
					|| this.completions.get(0).qpNumber() != this.queuePair.number()) {
				throw new IllegalStateException(this.completions.get(0).toString());
			}
			return this.completions.get(0).wrId();
		}

		void close() {
			this.queuePair.close();
			this.memory.close();
			this.sendQueue.close();
			this.receiveQueue.close();
		}

	}

}
