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
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Base of completion queues: keeps account of the events that are not acknowledged.
 */
public abstract class AbstractCompletionQueue extends VerbsResource implements CompletionQueue {

	private final AbstractDeviceContext context;

	private final @Nullable CompletionChannel channel;

	private final AtomicInteger unacknowledged = new AtomicInteger();

	/**
	 * Create a completion queue.
	 * @param context the device context
	 * @param channel the channel that tells of completions, {@code null} for none
	 * @param parents what it is made from: the context and, if there is one, the channel
	 */
	protected AbstractCompletionQueue(AbstractDeviceContext context, @Nullable CompletionChannel channel,
			VerbsResource... parents) {
		super(parents);
		this.context = context;
		this.channel = channel;
	}

	/**
	 * Take completions.
	 * @param memory where they go, in the layout of {@code struct ibv_wc}
	 * @param base what the device calls the address of the memory
	 * @param max how many at most
	 * @return how many came
	 */
	protected abstract int doPoll(ByteBuffer memory, long base, int max);

	/**
	 * Ask for one event.
	 * @param solicitedOnly whether only solicited completions and errors count
	 */
	protected abstract void doArm(boolean solicitedOnly);

	/**
	 * Note that the channel handed out an event of this queue.
	 */
	protected final void eventDelivered() {
		this.unacknowledged.incrementAndGet();
	}

	@Override
	public final int poll(WorkCompletions into) {
		checkOpen();
		if (into.context() != this.context) {
			throw new IllegalArgumentException(
					"The batch was allocated by another device context; allocate it from the one of the queue");
		}
		int count = doPoll(into.memory(), into.base(), into.capacity());
		into.size(count);
		return count;
	}

	@Override
	public final void arm() {
		arm(false);
	}

	@Override
	public final void armSolicited() {
		arm(true);
	}

	private void arm(boolean solicitedOnly) {
		checkOpen();
		if (this.channel == null) {
			throw new IllegalStateException("The completion queue has no channel; create it with one to be told");
		}
		doArm(solicitedOnly);
	}

	@Override
	public final void acknowledge(int events) {
		int before = this.unacknowledged
			.getAndUpdate((value) -> (events >= 0 && events <= value) ? value - events : value);
		if (events < 0 || events > before) {
			throw new IllegalArgumentException(
					events + " events were acknowledged, but " + before + " are outstanding");
		}
	}

	@Override
	protected void checkClosable() {
		int count = this.unacknowledged.get();
		if (count > 0) {
			throw new VerbsException(destroyVerb(), Errno.EBUSY, "The completion queue cannot be closed while " + count
					+ " of its events are not acknowledged; acknowledge each one that the channel hands out");
		}
	}

	@Override
	protected String describe() {
		return "completion queue of " + capacity();
	}

	@Override
	protected String destroyVerb() {
		return "ibv_destroy_cq";
	}

}
