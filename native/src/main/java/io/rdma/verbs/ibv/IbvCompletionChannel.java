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

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.VerbsResource;
import org.jspecify.annotations.Nullable;

/**
 * A completion channel of libibverbs. An interrupt does not end the wait of the kernel,
 * so that is done in slices.
 */
final class IbvCompletionChannel extends VerbsResource implements CompletionChannel {

	private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final IbvDeviceContext context;

	private final Handle handle;

	private final Object wakeupLock = new Object();

	private int wakeup;

	IbvCompletionChannel(IbvDeviceContext context) {
		this(context, new Handle());
	}

	private IbvCompletionChannel(IbvDeviceContext context, Handle handle) {
		super(context);
		this.context = context;
		this.handle = handle;
		this.wakeup = Native.createWakeup();
		if (this.wakeup < 0) {
			int failed = this.wakeup;
			close();
			throw Results.failure(failed, "eventfd", "The descriptor for wake-ups cannot be created");
		}
		long pointer = Native.createCompletionChannel(context.pointer());
		if (pointer < 0) {
			close();
			throw Results.failure(pointer, "ibv_create_comp_channel", "No completion channel can be created");
		}
		this.handle.set(pointer);
	}

	IbvDeviceContext context() {
		return this.context;
	}

	long pointer() {
		return this.handle.pointer();
	}

	@Override
	public @Nullable CompletionQueue await(Duration timeout) throws InterruptedException {
		long start = System.nanoTime();
		long limit = Waits.nanos(timeout);
		long left = limit;
		do {
			checkOpen();
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			long number = await(Math.min(left, SLICE_NANOS));
			if (number == Native.WOKEN) {
				// close() wakes too
				checkOpen();
				return null;
			}
			if (number < 0) {
				throw Results.useFailure(number, "ibv_get_cq_event", this);
			}
			// a queue that is not there any more was closed meanwhile
			if (number != 0 && this.context.resource(number) instanceof IbvCompletionQueue queue) {
				queue.delivered();
				return queue;
			}
			left = limit - (System.nanoTime() - start);
		}
		while (left > 0);
		return null;
	}

	private long await(long nanos) {
		int millis = (int) ((nanos + TimeUnit.MILLISECONDS.toNanos(1) - 1) / TimeUnit.MILLISECONDS.toNanos(1));
		Handle.Use use = this.handle.use();
		try {
			return Native.awaitCompletion(this.handle.cell(), this.wakeup, millis);
		}
		finally {
			use.end();
		}
	}

	@Override
	public void wakeup() {
		synchronized (this.wakeupLock) {
			if (this.wakeup >= 0) {
				Native.wakeup(this.wakeup);
			}
		}
	}

	@Override
	protected String describe() {
		return "completion channel";
	}

	@Override
	protected String destroyVerb() {
		return "ibv_destroy_comp_channel";
	}

	@Override
	protected void destroy() {
		long pointer = this.handle.close(this::wakeup);
		synchronized (this.wakeupLock) {
			if (this.wakeup >= 0) {
				Native.close(this.wakeup);
				this.wakeup = -1;
			}
		}
		if (pointer != 0) {
			Results.check(Native.destroyCompletionChannel(pointer), destroyVerb(),
					"The completion channel could not be destroyed");
		}
	}

}
