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

package io.rdma.core.memory;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaMemoryPoolExhaustedException;
import io.rdma.core.memory.WaitingLine.Waiter;
import io.rdma.verbs.MemoryRegion;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Gives blocks of a pool's memory to those who ask, lets them wait, and takes blocks
 * back. Thread-safe.
 */
@Slf4j
final class PoolAllocator {

	private final ReentrantLock lock = new ReentrantLock();

	private final AtomicLong heldBack = new AtomicLong();

	private final AtomicLong timeouts = new AtomicLong();

	private final String name;

	private final PoolLayout layout;

	private final PoolMemory memory;

	private final WaitingLine waiting;

	private final PoolGrowth growth;

	private volatile boolean closed;

	/**
	 * Create an allocator.
	 * @param name the name of the pool
	 * @param layout its sizes
	 * @param memory its memory, with the first slabs
	 * @param source registers further slabs
	 */
	PoolAllocator(String name, PoolLayout layout, PoolMemory memory, PoolGrowth.SlabSource source) {
		this.name = name;
		this.layout = layout;
		this.memory = memory;
		this.waiting = new WaitingLine(memory);
		this.growth = new PoolGrowth(name, layout, source, this.lock, memory, this.waiting);
	}

	boolean isClosed() {
		return this.closed;
	}

	/**
	 * Take a block if there is one, and begin to grow if not.
	 * @param order its order
	 * @return the block, {@code null} if none is free
	 */
	@Nullable BufferLease tryTake(int order) {
		BufferLease lease;
		this.lock.lock();
		try {
			checkOpen();
			lease = this.waiting.take(order);
		}
		finally {
			this.lock.unlock();
		}
		if (lease == null) {
			this.growth.request();
		}
		return lease;
	}

	/**
	 * Take a block, waiting until there is one.
	 * @param order its order
	 * @param minimumCapacity how many bytes were asked for, for messages
	 * @param timeout how long to wait at most
	 * @return the block
	 */
	BufferLease take(int order, int minimumCapacity, Duration timeout) {
		BufferLease lease = tryTake(order);
		return (lease != null) ? lease : await(order, minimumCapacity, timeout);
	}

	private BufferLease await(int order, int minimumCapacity, Duration timeout) {
		long deadline = System.nanoTime() + nanos(timeout);
		Waiter waiter;
		List<Waiter> served;
		this.lock.lock();
		try {
			checkOpen();
			waiter = this.waiting.join(order);
			served = this.waiting.serve();
		}
		finally {
			this.lock.unlock();
		}
		WaitingLine.wake(served);
		// In case it was as large as it gets when it was asked before, or was failing
		this.growth.request();
		while (true) {
			BufferLease lease = waiter.lease();
			if (lease != null) {
				return lease;
			}
			checkOpen();
			boolean interrupted = Thread.currentThread().isInterrupted();
			long remaining = deadline - System.nanoTime();
			if (interrupted || remaining <= 0) {
				lease = giveUp(waiter, minimumCapacity, timeout, interrupted);
				if (lease != null) {
					return lease;
				}
			}
			LockSupport.parkNanos(this, remaining);
		}
	}

	private @Nullable BufferLease giveUp(Waiter waiter, int minimumCapacity, Duration timeout, boolean interrupted) {
		List<Waiter> served;
		RuntimeException failure;
		this.lock.lock();
		try {
			if (!this.waiting.leave(waiter)) {
				// Served or closed in the meantime
				return waiter.lease();
			}
			// It may have held up others
			served = this.waiting.serve();
			failure = interrupted ? interrupted(minimumCapacity) : exhausted(minimumCapacity, timeout);
		}
		finally {
			this.lock.unlock();
		}
		WaitingLine.wake(served);
		throw failure;
	}

	private RdmaInterruptedException interrupted(int minimumCapacity) {
		return new RdmaInterruptedException(RdmaMemoryPool.ACQUIRE,
				"the thread was interrupted while it waited for a buffer of %d bytes from memory pool '%s'"
					.formatted(minimumCapacity, this.name),
				"Nothing was taken; repeat the operation unless the application is shutting down.");
	}

	private RdmaMemoryPoolExhaustedException exhausted(int minimumCapacity, Duration timeout) {
		this.timeouts.incrementAndGet();
		String maxSize = MemorySize.describe(this.layout.maxSize());
		Throwable growthFailure = this.growth.failure();
		String outlook = "";
		if (growthFailure != null) {
			outlook = "; it could not grow to the " + maxSize + " allowed";
		}
		else if (this.memory.nextSlab() > 0) {
			outlook = "; it can grow to " + maxSize + ", which takes longer";
		}
		return new RdmaMemoryPoolExhaustedException(RdmaMemoryPool.ACQUIRE,
				"no buffer of %d bytes came free in memory pool '%s' within %d ms: %s, %s of them held back by "
					.formatted(minimumCapacity, this.name, timeout.toMillis(), this.memory.describeUse(),
							MemorySize.describe(this.heldBack.get()))
						+ "operations that timed out" + outlook,
				"Release buffers sooner, raise rdma.memory.max-pool-size (now %s), or give the operation more time (rdma.template.timeout)."
					.formatted(maxSize),
				growthFailure);
	}

	/**
	 * Take a block back.
	 * @param lease the block
	 * @param leaked whether it was dropped without being released
	 */
	void giveBack(BufferLease lease, boolean leaked) {
		List<Waiter> served;
		this.lock.lock();
		try {
			this.memory.giveBack(lease, leaked);
			served = this.waiting.serve();
		}
		finally {
			this.lock.unlock();
		}
		WaitingLine.wake(served);
	}

	void heldBack(long deltaBytes) {
		this.heldBack.addAndGet(deltaBytes);
	}

	MemoryPoolStatistics statistics() {
		this.lock.lock();
		try {
			return this.memory.statistics(this.heldBack.get(), this.timeouts.get());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Give out nothing more, send those who wait away, and deregister the memory.
	 */
	void close() {
		List<MemoryRegion> slabs;
		this.lock.lock();
		try {
			if (!this.closed) {
				this.closed = true;
				WaitingLine.wake(this.waiting.clear());
				warnIfOutstanding();
			}
			this.growth.close();
			slabs = this.memory.slabs();
		}
		finally {
			this.lock.unlock();
		}
		CloseFailures failures = new CloseFailures();
		slabs.forEach((slab) -> failures.run(slab::close));
		this.lock.lock();
		try {
			this.memory.removeClosedSlabs();
		}
		finally {
			this.lock.unlock();
		}
		failures.throwIfAny();
	}

	private void warnIfOutstanding() {
		if (this.memory.outstandingCount() > 0) {
			logger.warn(
					"Memory pool '{}' is closed while {} buffers of {} in all are not released; they were taken: {}",
					this.name, this.memory.outstandingCount(), MemorySize.describe(this.memory.used()),
					this.memory.describePlaces());
		}
	}

	void checkOpen() {
		if (this.closed) {
			throw new RdmaClosedException(RdmaMemoryPool.ACQUIRE, "memory pool '" + this.name + "' is closed",
					"It closes with the application; take no buffers after that.");
		}
	}

	private static long nanos(Duration timeout) {
		try {
			return Math.min(timeout.toNanos(), Long.MAX_VALUE / 2);
		}
		catch (ArithmeticException ex) {
			return timeout.isNegative() ? 0 : Long.MAX_VALUE / 2;
		}
	}

}
