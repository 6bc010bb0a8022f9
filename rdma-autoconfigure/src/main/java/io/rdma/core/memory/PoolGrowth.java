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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.verbs.MemoryRegion;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Registers further slabs for a pool that ran out, on a thread of its own, so that
 * neither the pool's lock nor any time limit of those who wait is held up. Thread-safe.
 */
@Slf4j
final class PoolGrowth {

	private static final long RETRY_NANOS = Duration.ofSeconds(10).toNanos();

	private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

	private final String pool;

	private final PoolLayout layout;

	private final SlabSource source;

	private final ReentrantLock lock;

	private final PoolMemory memory;

	private final WaitingLine waiting;

	private final Condition ended;

	// What follows is guarded by the lock

	private boolean growing;

	private boolean closed;

	private @Nullable Throwable failure;

	private long retryAt;

	/**
	 * Create the growth of a pool.
	 * @param pool the name of the pool
	 * @param layout its sizes
	 * @param source registers slabs
	 * @param lock the pool's lock
	 * @param memory where slabs are added
	 * @param waiting who waits for them
	 */
	PoolGrowth(String pool, PoolLayout layout, SlabSource source, ReentrantLock lock, PoolMemory memory,
			WaitingLine waiting) {
		this.pool = pool;
		this.layout = layout;
		this.source = source;
		this.lock = lock;
		this.memory = memory;
		this.waiting = waiting;
		this.ended = lock.newCondition();
	}

	/**
	 * Return why the pool could not grow the last time.
	 * @return the cause, {@code null} if it could; read under the lock
	 */
	@Nullable Throwable failure() {
		return this.failure;
	}

	/**
	 * Begin to grow by at least one slab, unless that is going on, was impossible a
	 * moment ago, or the pool is as large as it gets.
	 */
	void request() {
		this.lock.lock();
		try {
			if (this.growing || this.closed || this.memory.nextSlab() == 0
					|| (this.failure != null && System.nanoTime() - this.retryAt < 0)) {
				return;
			}
			this.growing = true;
		}
		finally {
			this.lock.unlock();
		}
		try {
			RdmaMemoryPool.daemon(this::grow, "rdma-memory-growth").start();
		}
		catch (RuntimeException | Error ex) {
			failed(ex);
		}
	}

	private void grow() {
		try {
			boolean more = true;
			while (more) {
				more = addSlab(this.source.register(PoolLayout.MAX_POOL_SIZE, this.layout.maxSize(), nextSlab()));
			}
		}
		catch (RuntimeException | Error ex) {
			failed(ex);
		}
	}

	private long nextSlab() {
		this.lock.lock();
		try {
			return this.memory.nextSlab();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean addSlab(MemoryRegion slab) {
		List<WaitingLine.Waiter> served = List.of();
		boolean more = false;
		long grownTo = 0;
		this.lock.lock();
		try {
			this.failure = null;
			if (this.closed) {
				// Whoever closes waits for this
				slab.close();
			}
			else {
				this.memory.add(slab);
				grownTo = this.memory.capacity();
				served = this.waiting.serve();
				more = !this.waiting.isEmpty() && this.memory.nextSlab() > 0;
			}
			if (!more) {
				ended();
			}
		}
		finally {
			this.lock.unlock();
		}
		WaitingLine.wake(served);
		if (grownTo > 0) {
			logger.info("Memory pool '{}' has grown by {} to {} of {}", this.pool, MemorySize.describe(slab.length()),
					MemorySize.describe(grownTo), MemorySize.describe(this.layout.maxSize()));
		}
		return more;
	}

	private void ended() {
		this.growing = false;
		this.ended.signalAll();
	}

	private void failed(Throwable cause) {
		this.lock.lock();
		try {
			this.failure = cause;
			this.retryAt = System.nanoTime() + RETRY_NANOS;
			ended();
		}
		finally {
			this.lock.unlock();
		}
		logger.warn("Memory pool '{}' cannot grow and goes on with what it has", this.pool, cause);
	}

	/**
	 * Grow no more, and wait, for a bounded time, until what is being registered is
	 * registered and deregistered. Called under the lock, which is released meanwhile.
	 */
	void close() {
		this.closed = true;
		long remaining = CLOSE_LIMIT.toNanos();
		try {
			while (this.growing && remaining > 0) {
				remaining = this.ended.awaitNanos(remaining);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (this.growing) {
			logger.warn(
					"Memory pool '{}' is closed while memory is being registered; it is deregistered when that ends",
					this.pool);
		}
	}

	/**
	 * Registers slabs.
	 */
	@FunctionalInterface
	interface SlabSource {

		/**
		 * Register a slab.
		 * @param property the setting that the size comes from
		 * @param total the value of that setting in bytes
		 * @param size how many bytes
		 * @return the slab
		 */
		MemoryRegion register(String property, long total, long size);

	}

}
