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

import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaMemoryPoolExhaustedException;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.ProtectionDomain;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Memory that is registered once, in slabs, and handed out in pieces. Sizes are powers of
 * two; pieces that come back are joined with their neighbors, so that no size starves.
 * The pool grows slab by slab, on a thread of its own, when it runs out. Thread-safe.
 * <p>
 * Who waits is served in order. A request that the free memory cannot satisfy lets a
 * bounded number of smaller ones go first, then all others wait until it is served.
 */
@Slf4j
public final class RdmaMemoryPool implements AutoCloseable {

	static final RdmaErrorContext ACQUIRE = RdmaErrorContext.none().withOperation("acquire");

	/** One for all pools, so that no thread is left behind by each that is closed. */
	private static final Cleaner CLEANER = Cleaner.create((task) -> daemon(task, "rdma-memory-cleaner"));

	private static final long PROGRESS_NANOS = Duration.ofSeconds(2).toNanos();

	private final String name;

	private final PoolLayout layout;

	private final int leakSampling;

	private final LeakReporter leakReporter;

	private final PoolAllocator allocator;

	@SuppressWarnings("this-escape")
	private RdmaMemoryPool(Builder builder, PoolLayout layout) {
		this.name = builder.name;
		this.layout = layout;
		this.leakSampling = builder.leakSampling;
		this.leakReporter = new LeakReporter(this.name, this.leakSampling);
		MemoryRegistration registration = new MemoryRegistration(builder.protectionDomain);
		Set<AccessFlag> access = MemoryRegistration.withLocalRights(builder.access);
		access.add(AccessFlag.LOCAL_WRITE);
		PoolMemory memory = new PoolMemory(this, layout);
		this.allocator = new PoolAllocator(this.name, layout, memory,
				(property, total, size) -> registration.register(property, total, size, access));
		registerInitialSlabs(memory, registration, access);
	}

	/**
	 * Return a builder.
	 * @param protectionDomain where the memory is registered
	 * @return the builder
	 */
	public static Builder builder(ProtectionDomain protectionDomain) {
		Assert.notNull(protectionDomain, "'protectionDomain' must not be null");
		return new Builder(protectionDomain);
	}

	static Thread daemon(Runnable task, String name) {
		Thread thread = new Thread(null, task, name, 0, false);
		thread.setDaemon(true);
		return thread;
	}

	private void registerInitialSlabs(PoolMemory memory, MemoryRegistration registration, Set<AccessFlag> access) {
		long goal = this.layout.initialSize();
		MemoryRegistration.checkFitsMachine(PoolLayout.POOL_SIZE, goal);
		registration.checkFitsDevice(PoolLayout.SLAB_SIZE, Math.min(this.layout.slabSize(), goal));
		long start = System.nanoTime();
		long reportAt = start + PROGRESS_NANOS;
		try {
			while (memory.capacity() < goal) {
				memory.add(registration.register(PoolLayout.POOL_SIZE, goal, memory.nextSlab(), access));
				if (System.nanoTime() - reportAt > 0) {
					logger.info("Memory pool '{}' has registered {} of {}", this.name,
							MemorySize.describe(memory.capacity()), MemorySize.describe(goal));
					reportAt = System.nanoTime() + PROGRESS_NANOS;
				}
			}
		}
		catch (RuntimeException | Error ex) {
			try {
				close();
			}
			catch (RuntimeException closeEx) {
				ex.addSuppressed(closeEx);
			}
			throw ex;
		}
		logger.debug("Memory pool '{}' has registered {} in {} slabs within {} ms", this.name,
				MemorySize.describe(goal), memory.slabCount(),
				TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
	}

	/**
	 * Return the name, which stands in messages.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	boolean isClosed() {
		return this.allocator.isClosed();
	}

	/**
	 * Take a buffer, waiting until there is one.
	 * @param minimumCapacity how many bytes it must have at least, 0 to
	 * {@link #maxBufferSize()}
	 * @param timeout how long to wait at most; zero or less does not wait
	 * @return the buffer, to be released by the caller
	 * @throws RdmaMemoryPoolExhaustedException if none came free in time or there can
	 * never be one so large
	 * @throws RdmaClosedException if the pool is closed
	 * @throws RdmaInterruptedException if the thread is interrupted while it waits; it
	 * stays interrupted
	 */
	public RdmaBuffer acquire(int minimumCapacity, Duration timeout) {
		Assert.notNull(timeout, "'timeout' must not be null");
		return handOut(this.allocator.take(checkedOrder(minimumCapacity), minimumCapacity, timeout));
	}

	/**
	 * Take a buffer if there is one. If there is none and the pool can grow, it starts
	 * to.
	 * @param minimumCapacity how many bytes it must have at least, 0 to
	 * {@link #maxBufferSize()}
	 * @return the buffer, to be released by the caller, or {@code null}
	 * @throws RdmaMemoryPoolExhaustedException if there can never be one so large
	 * @throws RdmaClosedException if the pool is closed
	 */
	public @Nullable RdmaBuffer tryAcquire(int minimumCapacity) {
		BufferLease lease = this.allocator.tryTake(checkedOrder(minimumCapacity));
		return (lease != null) ? handOut(lease) : null;
	}

	private int checkedOrder(int minimumCapacity) {
		Assert.isTrue(minimumCapacity >= 0, () -> "'minimumCapacity' must not be negative, but is " + minimumCapacity);
		if (minimumCapacity > maxBufferSize()) {
			throw new RdmaMemoryPoolExhaustedException(ACQUIRE,
					"a buffer of %d bytes was asked for, but the largest of memory pool '%s' has %s"
						.formatted(minimumCapacity, this.name, MemorySize.describe(maxBufferSize())),
					"Raise rdma.memory.slab-size (and the size of the pool, if it is smaller than that), or use several "
							+ "smaller buffers.");
		}
		return this.layout.orderOf(minimumCapacity);
	}

	private RdmaBuffer handOut(BufferLease lease) {
		try {
			if (isSampled()) {
				lease.place(new AllocationPlace(lease.capacity()));
			}
			return new RdmaBuffer(lease, CLEANER);
		}
		catch (RuntimeException | Error ex) {
			lease.release();
			lease.run();
			this.allocator.checkOpen();
			throw ex;
		}
	}

	private boolean isSampled() {
		return this.leakSampling == 1
				|| (this.leakSampling > 1 && ThreadLocalRandom.current().nextInt(this.leakSampling) == 0);
	}

	/**
	 * Take memory back.
	 * @param lease what was handed out
	 * @param leaked whether it was dropped without being released
	 */
	void giveBack(BufferLease lease, boolean leaked) {
		this.allocator.giveBack(lease, leaked);
		if (leaked && !isClosed()) {
			this.leakReporter.report(lease.capacity(), lease.place());
		}
	}

	/**
	 * Return the size of the largest buffer.
	 * @return the number of bytes, a power of two
	 */
	public int maxBufferSize() {
		return this.layout.maxBufferSize();
	}

	/**
	 * Return what it has and did. Waits neither for buffers nor for registrations.
	 * @return the statistics
	 */
	public MemoryPoolStatistics statistics() {
		return this.allocator.statistics();
	}

	/**
	 * Note that buffers stay in use, or no longer do, since the device may still touch
	 * them after their operation timed out.
	 * @param deltaBytes how many bytes more, negative for fewer
	 */
	public void heldBack(long deltaBytes) {
		this.allocator.heldBack(deltaBytes);
	}

	/**
	 * Deregister the memory. When this returns no device touches it any more. Who waits
	 * for a buffer gets a {@link RdmaClosedException}. Buffers that are not released are
	 * reported with where they were taken; they cannot be used any more, and releasing
	 * them later is harmless. Closing twice is harmless.
	 * @throws io.rdma.verbs.VerbsException if a slab is still in use by the device; the
	 * others are closed, and closing again tries once more
	 */
	@Override
	public void close() {
		this.allocator.close();
	}

	@Override
	public String toString() {
		return "memory pool '" + this.name + "'";
	}

	/**
	 * Builder of {@link RdmaMemoryPool}.
	 */
	@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
	public static final class Builder {

		private static final long DEFAULT_SLAB_SIZE = 16L << 20;

		private final ProtectionDomain protectionDomain;

		private String name = "rdma";

		private @Nullable Long slabSize;

		private long initialSize = 64L << 20;

		private @Nullable Long maxSize;

		private int minBufferSize = 4096;

		private Set<AccessFlag> access = Set.of(AccessFlag.LOCAL_WRITE);

		private int leakSampling = 128;

		/**
		 * Set the name, which stands in messages.
		 * @param name the name
		 * @return this
		 */
		public Builder name(String name) {
			Assert.hasText(name, "'name' must not be empty");
			this.name = name;
			return this;
		}

		/**
		 * Set the size of one registration ({@code rdma.memory.slab-size}). The largest
		 * buffer is the largest power of two in it, 1 GiB at most. By default it is 16
		 * MiB, less if the pool is smaller.
		 * @param bytes how many bytes
		 * @return this
		 */
		public Builder slabSize(long bytes) {
			this.slabSize = bytes;
			return this;
		}

		/**
		 * Set how much is registered at start ({@code rdma.memory.pool-size}). By default
		 * it is 64 MiB.
		 * @param bytes how many bytes
		 * @return this
		 */
		public Builder initialSize(long bytes) {
			this.initialSize = bytes;
			return this;
		}

		/**
		 * Set how far the pool grows ({@code rdma.memory.max-pool-size}). By default it
		 * does not grow.
		 * @param bytes how many bytes
		 * @return this
		 */
		public Builder maxSize(long bytes) {
			this.maxSize = bytes;
			return this;
		}

		/**
		 * Set the size of the smallest buffer ({@code rdma.memory.min-buffer-size}). By
		 * default it is 4096.
		 * @param bytes how many bytes, a power of two from 64
		 * @return this
		 */
		public Builder minBufferSize(int bytes) {
			this.minBufferSize = bytes;
			return this;
		}

		/**
		 * Set the access rights. By default the device may write, which is always needed,
		 * and peers may do nothing.
		 * @param access the access rights
		 * @return this
		 */
		public Builder access(Set<AccessFlag> access) {
			this.access = Set.copyOf(access);
			return this;
		}

		/**
		 * Record for one buffer in so many where it was taken
		 * ({@code rdma.memory.leak-sampling}). By default it is 128.
		 * @param every 1 for all, 0 for none
		 * @return this
		 */
		public Builder leakSampling(int every) {
			Assert.isTrue(every >= 0, () -> "'every' must not be negative, but is " + every);
			this.leakSampling = every;
			return this;
		}

		/**
		 * Register the memory.
		 * @return the pool
		 * @throws io.rdma.core.exception.RdmaConfigurationException if the sizes do not
		 * fit each other or the machine
		 * @throws io.rdma.core.exception.RdmaMemoryRegistrationException if the memory
		 * cannot be allocated or registered
		 */
		public RdmaMemoryPool build() {
			long max = (this.maxSize != null) ? this.maxSize : this.initialSize;
			long slab = (this.slabSize != null) ? this.slabSize : Math.min(DEFAULT_SLAB_SIZE, max);
			PoolLayout layout = new PoolLayout(this.minBufferSize, slab, this.initialSize, max);
			return new RdmaMemoryPool(this, layout);
		}

	}

}
