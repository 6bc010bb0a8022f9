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

import io.rdma.verbs.AbstractCompletionQueue;
import io.rdma.verbs.Errno;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsResource;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue of libibverbs.
 */
final class IbvCompletionQueue extends AbstractCompletionQueue {

	private final IbvDeviceContext context;

	private final Handle handle;

	private final long number;

	private int capacity;

	IbvCompletionQueue(IbvDeviceContext context, @Nullable IbvCompletionChannel channel, int minimumCapacity) {
		this(context, channel, minimumCapacity, new Handle());
	}

	private IbvCompletionQueue(IbvDeviceContext context, @Nullable IbvCompletionChannel channel, int minimumCapacity,
			Handle handle) {
		super(context, channel,
				(channel != null) ? new VerbsResource[] { context, channel } : new VerbsResource[] { context });
		this.context = context;
		this.handle = handle;
		this.number = context.number(this);
		int[] granted = new int[1];
		long pointer = (minimumCapacity < 1) ? -Errno.EINVAL.number() : Native.createCompletionQueue(context.pointer(),
				minimumCapacity, (channel != null) ? channel.pointer() : 0, this.number, granted);
		if (pointer < 0) {
			close();
			throw Results.failure(pointer, "ibv_create_cq",
					"No completion queue of " + minimumCapacity + " entries can be created; it must be from 1 to the "
							+ "device's limit, and needs locked memory (ulimit -l) on some devices");
		}
		this.capacity = granted[0];
		this.handle.set(pointer);
	}

	IbvDeviceContext context() {
		return this.context;
	}

	long pointer() {
		return this.handle.pointer();
	}

	void delivered() {
		eventDelivered();
	}

	@Override
	public int capacity() {
		return this.capacity;
	}

	@Override
	protected int doPoll(ByteBuffer memory, long base, int max) {
		Handle.Use use = this.handle.use();
		int count;
		try {
			count = Native.poll(this.handle.cell(), base, max);
		}
		finally {
			use.end();
			Reference.reachabilityFence(memory);
		}
		if (count < 0) {
			throw pollFailure(count);
		}
		return count;
	}

	private RuntimeException pollFailure(int count) {
		if (count == Native.CLOSED) {
			return Results.useFailure(count, "ibv_poll_cq", this);
		}
		// providers return -1 or numbers of their own
		return new VerbsException("ibv_poll_cq", Errno.EIO, "The completion queue cannot be polled (" + count + ")");
	}

	@Override
	protected void doArm(boolean solicitedOnly) {
		Handle.Use use = this.handle.use();
		int failed;
		try {
			failed = Native.arm(this.handle.cell(), solicitedOnly);
		}
		finally {
			use.end();
		}
		Results.checkUse(failed, "ibv_req_notify_cq", this);
	}

	@Override
	protected void destroy() {
		this.context.forget(this.number);
		long pointer = this.handle.close(null);
		if (pointer != 0) {
			Results.check(Native.destroyCompletionQueue(pointer), destroyVerb(),
					"The completion queue could not be destroyed");
		}
	}

}
