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
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

import io.rdma.verbs.AbstractCompletionQueue;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.StructLayouts;
import io.rdma.verbs.StructLayouts.Wc;
import io.rdma.verbs.VerbsResource;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue: a ring of {@code struct ibv_wc}. Those who complete share a lock;
 * those who poll need none.
 */
final class SoftCompletionQueue extends AbstractCompletionQueue {

	private static final int SUCCESS = CompletionStatus.SUCCESS.code();

	private final SoftDeviceContext context;

	private final @Nullable SoftCompletionChannel channel;

	private final int capacity;

	private final int mask;

	private final ByteBuffer ring;

	private final ShortLock producers = new ShortLock();

	/** How many completions were ever put in. Written under the lock of the producers. */
	private final AtomicLong produced = new AtomicLong();

	/** How many were ever taken. */
	private final AtomicLong consumed = new AtomicLong();

	/** Guarded by the lock of the producers. */
	private Arming arming = Arming.NONE;

	private SoftCompletionQueue(SoftDeviceContext context, @Nullable SoftCompletionChannel channel, int capacity,
			ByteBuffer ring) {
		super(context, channel, parents(context, channel));
		this.context = context;
		this.channel = channel;
		this.capacity = capacity;
		this.mask = capacity;
		this.ring = ring;
	}

	static SoftCompletionQueue create(SoftDeviceContext context, @Nullable SoftCompletionChannel channel,
			int minimumCapacity) {
		int capacity = Limits.depth(minimumCapacity);
		try {
			ByteBuffer ring = ByteBuffer.allocateDirect((capacity + 1) * Wc.SIZE).order(ByteOrder.nativeOrder());
			return new SoftCompletionQueue(context, channel, capacity, ring);
		}
		catch (OutOfMemoryError ex) {
			throw Limits.outOfMemory("ibv_create_cq", "A completion queue of " + capacity, ex);
		}
	}

	private static VerbsResource[] parents(SoftDeviceContext context, @Nullable SoftCompletionChannel channel) {
		return (channel != null) ? new VerbsResource[] { context, channel } : new VerbsResource[] { context };
	}

	SoftDeviceContext context() {
		return this.context;
	}

	@Override
	public int capacity() {
		return this.capacity;
	}

	/**
	 * Complete a work request with success.
	 * @param wrId the context of the work request
	 * @param opcode the number of the {@link io.rdma.verbs.CompletionOpcode}
	 * @param byteLength how many bytes were moved
	 * @param immediate the immediate data or the invalidated rkey
	 * @param qpNumber the number of the queue pair
	 * @param flags the flags
	 * @param solicited whether the peer asked for an event
	 */
	void succeeded(long wrId, int opcode, int byteLength, int immediate, int qpNumber, int flags, boolean solicited) {
		push(wrId, SUCCESS, opcode, byteLength, immediate, qpNumber, flags, solicited);
	}

	/**
	 * Complete a work request with an error.
	 * @param wrId the context of the work request
	 * @param status the error
	 * @param qpNumber the number of the queue pair
	 */
	void failed(long wrId, CompletionStatus status, int qpNumber) {
		push(wrId, status.code(), 0, 0, 0, qpNumber, 0, true);
	}

	private void push(long wrId, int status, int opcode, int byteLength, int immediate, int qpNumber, int flags,
			boolean solicited) {
		this.producers.lock();
		try {
			long position = this.produced.getPlain();
			if (position - this.consumed.getAcquire() >= this.capacity) {
				// what is there already stays, the latest is lost, and never silently
				this.context.raise(AsyncEventType.CQ_ERR, this);
				return;
			}
			int at = (int) (position & this.mask) * Wc.SIZE;
			ByteBuffer wc = this.ring;
			StructLayouts.LONG.set(wc, at + Wc.WR_ID, wrId);
			StructLayouts.putInts(wc, at + Wc.STATUS, status, opcode);
			StructLayouts.putInts(wc, at + Wc.VENDOR_ERR, 0, byteLength);
			StructLayouts.putInts(wc, at + Wc.IMM_DATA, immediate, qpNumber);
			StructLayouts.putInts(wc, at + Wc.SRC_QP, 0, flags);
			this.produced.setRelease(position + 1);
			if (this.arming != Arming.NONE && (solicited || this.arming == Arming.ANY)) {
				tell();
			}
		}
		finally {
			this.producers.unlock();
		}
	}

	private void tell() {
		this.arming = Arming.NONE;
		if (this.channel != null) {
			this.channel.tell(this);
		}
	}

	@Override
	protected int doPoll(ByteBuffer memory, long base, int max) {
		if (this.produced.getAcquire() == this.consumed.getAcquire()) {
			return 0;
		}
		while (true) {
			long position = this.consumed.getAcquire();
			int count = (int) Math.min(max, this.produced.getAcquire() - position);
			int first = (int) position & this.mask;
			int beforeEnd = Math.min(count, this.mask + 1 - first);
			memory.put(0, this.ring, first * Wc.SIZE, beforeEnd * Wc.SIZE);
			if (beforeEnd < count) {
				memory.put(beforeEnd * Wc.SIZE, this.ring, 0, (count - beforeEnd) * Wc.SIZE);
			}
			// if another thread took them first, what was copied is worth nothing
			if (this.consumed.compareAndSet(position, position + count)) {
				return count;
			}
		}
	}

	@Override
	protected void doArm(boolean solicitedOnly) {
		this.producers.lock();
		try {
			if (!solicitedOnly) {
				this.arming = Arming.ANY;
			}
			else if (this.arming == Arming.NONE) {
				this.arming = Arming.SOLICITED;
			}
		}
		finally {
			this.producers.unlock();
		}
	}

	/**
	 * Note that the channel hands out an event of this queue.
	 */
	void handedOut() {
		eventDelivered();
	}

	@Override
	protected void destroy() {
		if (this.channel != null) {
			this.channel.forget(this);
		}
		this.context.forgetEvents(this);
	}

	/**
	 * What the next completion must be to bring an event.
	 */
	private enum Arming {

		NONE, SOLICITED, ANY

	}

}
