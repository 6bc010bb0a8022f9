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
 * A chain of receive work requests, written in place in the layout of
 * {@code struct ibv_recv_wr} and posted in one call to a queue pair or a shared receive
 * queue. See {@link SendWorkRequests} for how it is used.
 *
 * <p>
 * Not thread-safe: a chain belongs to one thread at a time.
 */
public final class ReceiveWorkRequests {

	private final AbstractDeviceContext context;

	private final ArenaMemory arena;

	private final ReceiveWorkRequest[] requests;

	private int size;

	ReceiveWorkRequests(AbstractDeviceContext context, ByteBuffer memory, long base, int capacity, int maxSge) {
		this.context = context;
		this.arena = new ArenaMemory(memory, base, StructLayouts.RecvWr.SIZE, StructLayouts.RecvWr.SG_LIST, capacity,
				maxSge);
		this.requests = new ReceiveWorkRequest[capacity];
		for (int i = 0; i < capacity; i++) {
			this.requests[i] = new ReceiveWorkRequest(this.arena, i);
		}
	}

	/**
	 * Empty the chain.
	 * @return this
	 */
	public ReceiveWorkRequests clear() {
		this.size = 0;
		return this;
	}

	/**
	 * Append a receive with no memory.
	 * @return the work request, the same object for the same place in the chain
	 * @throws IllegalStateException if the chain is full
	 */
	public ReceiveWorkRequest add() {
		if (this.size == this.requests.length) {
			throw new IllegalStateException("The chain holds " + this.requests.length + " work requests and is full");
		}
		ReceiveWorkRequest request = this.requests[this.size++];
		request.reset();
		return request;
	}

	/**
	 * Return how many work requests there are.
	 * @return the number
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Return how many work requests there can be.
	 * @return the number
	 */
	public int capacity() {
		return this.requests.length;
	}

	AbstractDeviceContext context() {
		return this.context;
	}

	ByteBuffer memory() {
		return this.arena.memory();
	}

	int sgeOffset(int index) {
		return this.arena.sgeOffset(index);
	}

	int sgeStride() {
		return this.arena.sgeStride();
	}

	ReceiveWorkRequest get(int index) {
		return this.requests[index];
	}

	/**
	 * Cut the chain after its last work request: a longer one may have stood there
	 * before.
	 */
	void end() {
		this.arena.endAt(this.size - 1, StructLayouts.RecvWr.NEXT);
	}

}
