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

/**
 * Base of shared receive queues.
 */
public abstract class AbstractSharedReceiveQueue extends VerbsResource implements SharedReceiveQueue {

	private final AbstractDeviceContext context;

	/**
	 * Create a shared receive queue.
	 * @param context the device context
	 * @param protectionDomain the protection domain
	 */
	protected AbstractSharedReceiveQueue(AbstractDeviceContext context, VerbsResource protectionDomain) {
		super(protectionDomain);
		this.context = context;
	}

	/**
	 * Post a chain of receives, as of {@link AbstractQueuePair#doPostReceive}.
	 * @param memory the memory of the chain
	 * @param sgeOffset where in it the scatter/gather entries of the first request stand
	 * @param sgeStride the distance in bytes to those of the next request
	 * @param count how many requests, at least 1
	 * @return {@link Refusal#NONE} if all were posted
	 */
	protected abstract long doPostReceive(ByteBuffer memory, int sgeOffset, int sgeStride, int count);

	@Override
	public final void postReceive(ReceiveWorkRequests requests) {
		checkOpen();
		if (requests.context() != this.context) {
			throw new WorkRequestException("ibv_post_srq_recv", Errno.EINVAL, 0,
					"The chain was allocated by another device context; allocate it from the one of the queue");
		}
		int count = requests.size();
		if (count == 0) {
			return;
		}
		requests.end();
		long refusal = doPostReceive(requests.memory(), requests.sgeOffset(0), requests.sgeStride(), count);
		if (refusal != Refusal.NONE) {
			throw Refusal.exception("ibv_post_srq_recv", describe(), refusal, requests.get(Refusal.index(refusal)));
		}
	}

	@Override
	protected String describe() {
		return "shared receive queue";
	}

	@Override
	protected String destroyVerb() {
		return "ibv_destroy_srq";
	}

}
