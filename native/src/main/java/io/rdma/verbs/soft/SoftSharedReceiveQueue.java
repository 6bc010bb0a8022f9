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
