package io.rdma.verbs.soft;

import java.nio.ByteBuffer;

import io.rdma.verbs.AbstractSharedReceiveQueue;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.Errno;
import io.rdma.verbs.VerbsException;

/**
 * A shared receive queue.
 */
final class SoftSharedReceiveQueue extends AbstractSharedReceiveQueue {

	private final SoftDeviceContext context;

	private final ReceiveQueue receives;

	SoftSharedReceiveQueue(SoftProtectionDomain protectionDomain, int maxWorkRequests, int maxScatterGather) {
		super(protectionDomain.context(), protectionDomain);
		this.context = protectionDomain.context();
		this.receives = new ReceiveQueue(Limits.depth(maxWorkRequests), maxScatterGather, true, this::belowLimit);
	}

	SoftDeviceContext context() {
		return this.context;
	}

	ReceiveQueue receives() {
		return this.receives;
	}

	private void belowLimit() {
		this.context.raise(AsyncEventType.SRQ_LIMIT_REACHED, this);
	}

	@Override
	public int maxWorkRequests() {
		return this.receives.capacity();
	}

	@Override
	public void armLimit(int limit) {
		checkOpen();
		if (limit < 0 || limit > this.receives.capacity()) {
			throw new VerbsException("ibv_modify_srq", Errno.EINVAL, "The limit of a shared receive queue of "
					+ this.receives.capacity() + " is 0 to that, but " + limit + " was given");
		}
		this.receives.armLimit(limit);
	}

	@Override
	protected long doPostReceive(ByteBuffer memory, int sgeOffset, int sgeStride, int count) {
		return this.receives.post(memory, sgeOffset, sgeStride, count);
	}

	@Override
	protected void destroy() {
		this.context.forgetEvents(this);
	}

}
