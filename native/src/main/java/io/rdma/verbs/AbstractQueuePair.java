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
import java.util.Arrays;

/**
 * Base of queue pairs: checks what is legal before the device is asked.
 */
public abstract class AbstractQueuePair extends VerbsResource implements QueuePair {

	private final AbstractDeviceContext context;

	private final Object modification = new Object();

	/**
	 * Create a queue pair.
	 * @param context the device context
	 * @param parents what it is made from: protection domain, completion queues, shared
	 * receive queue
	 */
	protected AbstractQueuePair(AbstractDeviceContext context, VerbsResource... parents) {
		super(Arrays.stream(parents).distinct().toArray(VerbsResource[]::new));
		this.context = context;
	}

	/**
	 * Return the state as far as this side knows without asking the device: cheap, for
	 * the check before posting.
	 * @return the state
	 */
	protected abstract QueuePairState cachedState();

	/**
	 * Return the state that a transition starts from. It differs from {@link #state()} on
	 * devices that do not report every state they are in.
	 * @return the state
	 */
	protected QueuePairState transitionState() {
		return state();
	}

	/**
	 * Carry out a transition that is legal by the table.
	 * @param from the state before
	 * @param to the state after
	 * @param attributes the attributes
	 */
	protected abstract void doModify(QueuePairState from, QueuePairState to, QueuePairAttributes attributes);

	/**
	 * Post a chain of sends. Work request {@code i} stands at {@code i} times the size of
	 * {@code struct ibv_send_wr} in the memory, which may be read only during the call.
	 * @param memory the memory of the chain
	 * @param sgeOffset where in it the scatter/gather entries of the first request stand
	 * @param sgeStride the distance in bytes to those of the next request
	 * @param count how many requests, at least 1
	 * @return {@link Refusal#NONE} if all were posted
	 */
	protected abstract long doPostSend(ByteBuffer memory, int sgeOffset, int sgeStride, int count);

	/**
	 * Post a chain of receives, laid out likewise with {@code struct ibv_recv_wr}.
	 * @param memory the memory of the chain
	 * @param sgeOffset where in it the scatter/gather entries of the first request stand
	 * @param sgeStride the distance in bytes to those of the next request
	 * @param count how many requests, at least 1
	 * @return {@link Refusal#NONE} if all were posted
	 */
	protected abstract long doPostReceive(ByteBuffer memory, int sgeOffset, int sgeStride, int count);

	@Override
	public final void modify(QueuePairAttributes attributes) {
		synchronized (this.modification) {
			checkOpen();
			QueuePairState from = transitionState();
			QueuePairState to = QueuePairTransition.check(from, attributes);
			doModify(from, to, attributes);
		}
	}

	@Override
	public final void postSend(SendWorkRequests requests) {
		checkOpen();
		if (requests.context() != this.context) {
			throw otherContext("ibv_post_send");
		}
		int count = requests.size();
		if (count == 0) {
			return;
		}
		if (!cachedState().acceptsSends()) {
			checkNotClosedMeanwhile();
			throw new WorkRequestException("ibv_post_send", Errno.EINVAL, 0, "The " + describe() + " is in state "
					+ cachedState() + ", in which nothing can be sent; bring it to RTS first");
		}
		requests.end();
		long refusal = doPostSend(requests.memory(), requests.sgeOffset(0), requests.sgeStride(), count);
		if (refusal != Refusal.NONE) {
			checkNotClosedMeanwhile();
			throw Refusal.exception("ibv_post_send", describe(), refusal, requests.get(Refusal.index(refusal)));
		}
	}

	@Override
	public final void postReceive(ReceiveWorkRequests requests) {
		checkOpen();
		if (requests.context() != this.context) {
			throw otherContext("ibv_post_recv");
		}
		int count = requests.size();
		if (count == 0) {
			return;
		}
		if (sharedReceiveQueue() != null) {
			throw new WorkRequestException("ibv_post_recv", Errno.EINVAL, 0,
					"The " + describe() + " takes its receives from a shared receive queue; post them there");
		}
		if (!cachedState().acceptsReceives()) {
			checkNotClosedMeanwhile();
			throw new WorkRequestException("ibv_post_recv", Errno.EINVAL, 0, "The " + describe()
					+ " is in state RESET, in which nothing can be received; bring it to INIT first");
		}
		requests.end();
		long refusal = doPostReceive(requests.memory(), requests.sgeOffset(0), requests.sgeStride(), count);
		if (refusal != Refusal.NONE) {
			checkNotClosedMeanwhile();
			throw Refusal.exception("ibv_post_recv", describe(), refusal, requests.get(Refusal.index(refusal)));
		}
	}

	/**
	 * Check that what is refused is not refused because another thread closed the queue
	 * pair: then that is what the caller is to be told.
	 */
	private void checkNotClosedMeanwhile() {
		checkOpen();
	}

	private static WorkRequestException otherContext(String verb) {
		return new WorkRequestException(verb, Errno.EINVAL, 0,
				"The chain was allocated by another device context; allocate it from the one of the queue pair");
	}

	@Override
	protected String describe() {
		return "queue pair 0x%06x".formatted(number());
	}

	@Override
	protected String destroyVerb() {
		return "ibv_destroy_qp";
	}

}
