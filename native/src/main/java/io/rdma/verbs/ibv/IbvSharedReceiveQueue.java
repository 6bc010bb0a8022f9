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

package io.rdma.verbs.ibv;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;

import io.rdma.verbs.AbstractSharedReceiveQueue;
import io.rdma.verbs.Errno;
import io.rdma.verbs.VerbsException;

/**
 * A shared receive queue of libibverbs.
 */
final class IbvSharedReceiveQueue extends AbstractSharedReceiveQueue {

	private final IbvDeviceContext context;

	private final Handle handle;

	private final long number;

	private int maxWorkRequests;

	IbvSharedReceiveQueue(IbvDeviceContext context, IbvProtectionDomain protectionDomain, int maxWorkRequests,
			int maxScatterGather) {
		this(context, protectionDomain, maxWorkRequests, maxScatterGather, new Handle());
	}

	private IbvSharedReceiveQueue(IbvDeviceContext context, IbvProtectionDomain protectionDomain, int maxWorkRequests,
			int maxScatterGather, Handle handle) {
		super(context, protectionDomain);
		this.context = context;
		this.handle = handle;
		this.number = context.number(this);
		int[] sizes = { maxWorkRequests, maxScatterGather };
		long pointer = (maxWorkRequests < 1 || maxScatterGather < 0) ? -Errno.EINVAL.number()
				: Native.createSharedReceiveQueue(protectionDomain.pointer(), this.number, sizes);
		if (pointer < 0) {
			close();
			throw Results.failure(pointer, "ibv_create_srq",
					"No shared receive queue of " + maxWorkRequests + " receives with " + maxScatterGather
							+ " scatter/gather entries each can be created; look at the device's limits");
		}
		this.maxWorkRequests = Math.max(sizes[0], Native.querySharedReceiveQueue(pointer));
		this.handle.set(pointer);
	}

	IbvDeviceContext context() {
		return this.context;
	}

	long pointer() {
		return this.handle.pointer();
	}

	@Override
	public int maxWorkRequests() {
		return this.maxWorkRequests;
	}

	@Override
	protected long doPostReceive(ByteBuffer memory, int sgeOffset, int sgeStride, int count) {
		long chain = ChainMemory.receiveBase(memory, sgeOffset);
		Handle.Use use = this.handle.use();
		long refusal;
		try {
			refusal = Native.postSharedReceive(this.handle.cell(), chain);
		}
		finally {
			use.end();
			Reference.reachabilityFence(memory);
		}
		if (refusal < 0) {
			throw Results.useFailure(refusal, "ibv_post_srq_recv", this);
		}
		return refusal;
	}

	@Override
	public void armLimit(int limit) {
		checkOpen();
		if (limit < 0 || limit > this.maxWorkRequests) {
			throw new VerbsException("ibv_modify_srq", Errno.EINVAL,
					"A limit must be from 0 to " + this.maxWorkRequests + ", but " + limit + " was given");
		}
		Handle.Use use = this.handle.use();
		int failed;
		try {
			failed = Native.armLimit(this.handle.cell(), limit);
		}
		finally {
			use.end();
		}
		Results.checkUse(failed, "ibv_modify_srq", this);
	}

	@Override
	protected void destroy() {
		this.context.forget(this.number);
		long pointer = this.handle.close(null);
		if (pointer != 0) {
			Results.check(Native.destroySharedReceiveQueue(pointer), destroyVerb(),
					"The shared receive queue could not be destroyed");
		}
	}

}
