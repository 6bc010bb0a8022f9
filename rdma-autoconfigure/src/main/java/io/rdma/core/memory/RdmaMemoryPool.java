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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaMemoryPoolExhaustedException;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Memory that is registered once, in slabs, and handed out in pieces. Sizes are powers of
 * two; pieces that come back are joined with their neighbors, so that no size starves. The
 * pool grows slab by slab, on a thread of its own, when it runs out. Thread-safe.
 * <p>
 * Who waits is served in order. A request that the free memory cannot satisfy lets a bounded
 * number of smaller ones go first, then all others wait until it is served.
 */
@Slf4j
public final class RdmaMemoryPool implements AutoCloseable {

	private static final RdmaErrorContext ACQUIRE = RdmaErrorContext.none().withOperation("acquire");

	private static final int MAX_OVERTAKEN = 32;

	private static final long GROWTH_RETRY_NANOS = Duration.ofSeconds(10).toNanos();

	private static final Duration GROWTH_CLOSE_LIMIT = Duration.ofSeconds(30);

	private static final long PROGRESS_NANOS = Duration.ofSeconds(2).toNanos();

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition growthEnded = this.lock.newCondition();

	private final Cleaner cleaner = Cleaner.create((task) -> daemon(task, "rdma-memory-cleaner"));

	private final AtomicLong heldBack = new AtomicLong();

	private final MemoryRegistration registration;

	private final PoolLayout layout;

	private final Set<AccessFlag> access;

	private final int leakSampling;

	private final String name;

	private final LeakReporter leakReporter;

	// What follows is guarded by the lock

	private final List<MemoryRegion> slabs = new ArrayList<>();

	private final FreeMemory free = new FreeMemory();

	private final LinkedHashSet<Waiter> waiters = new LinkedHashSet<>();

	private @Nullable BufferLease outstanding;

	private int outstandingCount;

	private long capacity;

	private long used;

	private long highWater;

	private long acquired;

	private long released;

	private long timeouts;

	private long leaks;

	private boolean growing;

	private @Nullable Throwable growthFailure;

	private long growthRetryAt;

	private volatile boolean closed;

	private RdmaMemoryPool(Builder builder, PoolLayout layout) {
		this.registration = new MemoryRegistration(builder.protectionDomain);
		this.layout = layout;
		this.access = MemoryRegistration.withLocalRights(builder.access);
		this.access.add(AccessFlag.LOCAL_WRITE);
		this.leakSampling = builder.leakSampling;
		this.name = builder.name;
		this.leakReporter = new LeakReporter(this.name, this.leakSampling);
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

	private static Thread daemon(Runnable task, String name) {
		Thread thread = new Thread(null, task, name, 0, false);
		thread.setDaemon(true);
		return thread;
	}

	private void registerInitialSlabs() {
		MemoryRegistration.checkFitsMachine(PoolLayout.POOL_SIZE, this.layout.initialSize());
		this.registration.checkFitsDevice(PoolLayout.SLAB_SIZE,
				Math.min(this.layout.slabSize(), this.layout.initialSize()));
		long start = System.nanoTime();
		long nextReport = start + PROGRESS_NANOS;
		try {
			while (this.capacity < this.layout.initialSize()) {
				long size = this.layout.nextSlab(this.capacity);
				addSlab(this.registration.register(PoolLayout.POOL_SIZE, this.layout.initialSize(), size, this.access));
				if (System.nanoTime() - nextReport > 0) {
					logger.info("Memory pool '{}' has registered {} of {}", this.name,
							MemorySize.describe(this.capacity), MemorySize.describe(this.layout.initialSize()));
					nextReport = System.nanoTime() + PROGRESS_NANOS;
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
				MemorySize.describe(this.capacity), this.slabs.size(),
				TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
	}

	private void addSlab(MemoryRegion slab) {
		this.slabs.add(slab);
		this.capacity += slab.length();
		for (long start = 0; start < slab.length(); start += MemoryChunk.MAX_SIZE) {
			long length = Math.min(MemoryChunk.MAX_SIZE, slab.length() - start);
			this.free.add(new MemoryChunk(slab, start, length, this.layout.unitShift()));
		}
	}

	/**
	 * Return the name, which stands in messages.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	boolean isClosed() {
		return this.closed;
	}

	/**
	 * Take a buffer, waiting until there is one.
	 * @param minimumCapacity how many bytes it must have at least, 0 to
	 * {@link #maxBufferSize()}
	 * @param timeout how long to wait at most; zero or less does not wait
	 * @return the buffer, to be released by the caller
	 * @throws RdmaMemoryPoolExhaustedException if none came free in time or there can never
	 * be one so large
	 * @throws RdmaClosedException if the pool is closed
	 * @throws RdmaInterruptedException if the thread is interrupted while it waits; it stays
	 * interrupted
	 */
	public RdmaBuffer acquire(int minimumCapacity, Duration timeout) {
		Assert.notNull(timeout, "'timeout' must not be null");
		int order = checkedOrder(minimumCapacity);
		BufferLease lease = takeNow(order);
		if (lease == null) {
			lease = await(minimumCapacity, order, timeout);
		}
		return handOut(lease);
	}

	/**
	 * Take a buffer if there is one. If there is none and the pool can grow, it starts to.
	 * @param minimumCapacity how many bytes it must have at least, 0 to
	 * {@link #maxBufferSize()}
	 * @return the buffer, to be released by the caller, or {@code null}
	 * @throws RdmaMemoryPoolExhaustedException if there can never be one so large
	 * @throws RdmaClosedException if the pool is closed
	 */
	public @Nullable RdmaBuffer tryAcquire(int minimumCapacity) {
		BufferLease lease = takeNow(checkedOrder(minimumCapacity));
		return (lease != null) ? handOut(lease) : null;
	}

	private int checkedOrder(int minimumCapacity) {
		Assert.isTrue(minimumCapacity >= 0,
				() -> "'minimumCapacity' must not be negative, but is " + minimumCapacity);
		if (minimumCapacity > maxBufferSize()) {
			throw new RdmaMemoryPoolExhaustedException(ACQUIRE,
					"a buffer of %d bytes was asked for, but the largest of memory pool '%s' has %s"
						.formatted(minimumCapacity, this.name, MemorySize.describe(maxBufferSize())),
					"Raise rdma.memory.slab-size (and the size of the pool, if it is smaller than that), or use several "
							+ "smaller buffers.");
		}
		return this.layout.orderOf(minimumCapacity);
	}

	private @Nullable BufferLease takeNow(int order) {
		BufferLease lease = null;
		this.lock.lock();
		try {
			checkOpen();
			Waiter first = firstWaiter();
			if (first == null || first.overtaken < MAX_OVERTAKEN) {
				lease = take(order);
				if (lease != null && first != null) {
					first.overtaken++;
				}
			}
		}
		finally {
			this.lock.unlock();
		}
		if (lease == null) {
			growIfPossible();
		}
		return lease;
	}

	private @Nullable Waiter firstWaiter() {
		return this.waiters.isEmpty() ? null : this.waiters.iterator().next();
	}

	private @Nullable BufferLease take(int order) {
		MemoryChunk chunk = this.free.find(order);
		if (chunk == null) {
			return null;
		}
		int size = this.layout.unit() << order;
		BufferLease lease = new BufferLease(this, chunk, chunk.allocate(order), order, size);
		this.free.relist(chunk);
		link(lease);
		this.acquired++;
		this.used += size;
		this.highWater = Math.max(this.highWater, this.used);
		return lease;
	}

	private BufferLease await(int minimumCapacity, int order, Duration timeout) {
		long deadline = System.nanoTime() + nanos(timeout);
		Waiter waiter = new Waiter(order);
		List<Waiter> served;
		this.lock.lock();
		try {
			checkOpen();
			this.waiters.add(waiter);
			served = serve();
		}
		finally {
			this.lock.unlock();
		}
		wake(served);
		growIfPossible();
		while (true) {
			BufferLease lease = waiter.lease;
			if (lease != null) {
				return lease;
			}
			if (this.closed) {
				throw closedException();
			}
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
			if (!this.waiters.remove(waiter)) {
				// Served or closed in the meantime
				return waiter.lease;
			}
			// It may have held up others
			served = serve();
			if (interrupted) {
				failure = new RdmaInterruptedException(ACQUIRE,
						"the thread was interrupted while it waited for a buffer of %d bytes from memory pool '%s'"
							.formatted(minimumCapacity, this.name),
						"Nothing was taken; repeat the operation unless the application is shutting down.");
			}
			else {
				this.timeouts++;
				failure = exhausted(minimumCapacity, timeout);
			}
		}
		finally {
			this.lock.unlock();
		}
		wake(served);
		throw failure;
	}

	private RdmaMemoryPoolExhaustedException exhausted(int minimumCapacity, Duration timeout) {
		String state = "%s of %s are used in %d buffers, %s of them held back by operations that timed out".formatted(
				MemorySize.describe(this.used), MemorySize.describe(this.capacity), this.outstandingCount,
				MemorySize.describe(this.heldBack.get()));
		String growth = "";
		if (this.growthFailure != null) {
			growth = "; it could not grow to the " + MemorySize.describe(this.layout.maxSize()) + " allowed";
		}
		else if (this.capacity < this.layout.maxSize()) {
			growth = "; it can grow to " + MemorySize.describe(this.layout.maxSize()) + ", which takes longer";
		}
		return new RdmaMemoryPoolExhaustedException(ACQUIRE,
				"no buffer of %d bytes came free in memory pool '%s' within %d ms: %s%s".formatted(minimumCapacity,
						this.name, timeout.toMillis(), state, growth),
				"Release buffers sooner, or raise rdma.memory.max-pool-size (now %s) or rdma.memory.acquire-timeout."
					.formatted(MemorySize.describe(this.layout.maxSize())),
				this.growthFailure);
	}

	/**
	 * Give waiters what they wait for, in order, as far as there is memory.
	 * @return whom to wake once the lock is released
	 */
	private List<Waiter> serve() {
		if (this.waiters.isEmpty() || this.closed) {
			return List.of();
		}
		List<Waiter> served = new ArrayList<>();
		Waiter overtaken = null;
		Iterator<Waiter> iterator = this.waiters.iterator();
		while (iterator.hasNext() && this.free.largestOrder() >= 0) {
			Waiter waiter = iterator.next();
			BufferLease lease = take(waiter.order);
			if (lease != null) {
				iterator.remove();
				waiter.lease = lease;
				served.add(waiter);
				if (overtaken != null) {
					overtaken.overtaken++;
				}
			}
			else if (overtaken == null) {
				overtaken = waiter;
			}
			if (overtaken != null && overtaken.overtaken >= MAX_OVERTAKEN) {
				break;
			}
		}
		return served;
	}

	private static void wake(List<Waiter> served) {
		served.forEach((waiter) -> LockSupport.unpark(waiter.thread));
	}

	private RdmaBuffer handOut(BufferLease lease) {
		try {
			if (isSampled()) {
				lease.place(new AllocationPlace(lease.capacity()));
			}
			return new RdmaBuffer(lease, this.cleaner);
		}
		catch (RuntimeException | Error ex) {
			lease.release();
			lease.run();
			checkOpen();
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
		List<Waiter> served;
		this.lock.lock();
		try {
			unlink(lease);
			this.used -= lease.capacity();
			this.released++;
			if (leaked) {
				this.leaks++;
			}
			lease.chunk().free(lease.unit(), lease.order());
			this.free.relist(lease.chunk());
			served = serve();
		}
		finally {
			this.lock.unlock();
		}
		wake(served);
		if (leaked && !this.closed) {
			this.leakReporter.report(lease.capacity(), lease.place());
		}
	}

	private void link(BufferLease lease) {
		BufferLease head = this.outstanding;
		lease.next = head;
		if (head != null) {
			head.previous = lease;
		}
		this.outstanding = lease;
		this.outstandingCount++;
	}

	private void unlink(BufferLease lease) {
		if (lease.previous != null) {
			lease.previous.next = lease.next;
		}
		else {
			this.outstanding = lease.next;
		}
		if (lease.next != null) {
			lease.next.previous = lease.previous;
		}
		lease.previous = null;
		lease.next = null;
		this.outstandingCount--;
	}

	private void growIfPossible() {
		this.lock.lock();
		try {
			if (this.growing || this.closed || this.layout.nextSlab(this.capacity) == 0
					|| (this.growthFailure != null && System.nanoTime() - this.growthRetryAt < 0)) {
				return;
			}
			this.growing = true;
		}
		finally {
			this.lock.unlock();
		}
		try {
			daemon(this::grow, "rdma-memory-growth").start();
		}
		catch (RuntimeException | Error ex) {
			growthFailed(ex);
		}
	}

	private void grow() {
		try {
			boolean more = true;
			while (more) {
				more = growByOneSlab();
			}
		}
		catch (RuntimeException | Error ex) {
			growthFailed(ex);
		}
	}

	private boolean growByOneSlab() {
		long size;
		this.lock.lock();
		try {
			size = this.layout.nextSlab(this.capacity);
		}
		finally {
			this.lock.unlock();
		}
		MemoryRegion slab = this.registration.register(PoolLayout.MAX_POOL_SIZE, this.layout.maxSize(), size,
				this.access);
		List<Waiter> served = List.of();
		boolean added = false;
		boolean more = false;
		long grownTo = 0;
		this.lock.lock();
		try {
			this.growthFailure = null;
			if (!this.closed) {
				addSlab(slab);
				grownTo = this.capacity;
				added = true;
				served = serve();
				more = !this.waiters.isEmpty() && this.layout.nextSlab(this.capacity) > 0;
			}
			if (added && !more) {
				growthEnded();
			}
		}
		finally {
			this.lock.unlock();
		}
		wake(served);
		if (added) {
			logger.info("Memory pool '{}' has grown by {} to {} of {}", this.name, MemorySize.describe(size),
					MemorySize.describe(grownTo),
					MemorySize.describe(this.layout.maxSize()));
			return more;
		}
		try {
			slab.close();
		}
		finally {
			this.lock.lock();
			try {
				growthEnded();
			}
			finally {
				this.lock.unlock();
			}
		}
		return false;
	}

	private void growthEnded() {
		this.growing = false;
		this.growthEnded.signalAll();
	}

	private void growthFailed(Throwable cause) {
		this.lock.lock();
		try {
			this.growthFailure = cause;
			this.growthRetryAt = System.nanoTime() + GROWTH_RETRY_NANOS;
			growthEnded();
		}
		finally {
			this.lock.unlock();
		}
		logger.warn("Memory pool '{}' cannot grow and goes on with what it has", this.name, cause);
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
		this.lock.lock();
		try {
			long pinned = this.slabs.stream().filter(MemoryRegion::isOpen).mapToLong(MemoryRegion::length).sum();
			return new MemoryPoolStatistics(this.capacity, this.layout.maxSize(), this.used,
					Math.max(0, this.capacity - this.used), this.highWater, this.heldBack.get(), pinned, this.slabs.size(), this.acquired, this.released,
					this.timeouts, this.leaks);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Note that buffers stay in use, or no longer do, since the device may still touch them
	 * after their operation timed out.
	 * @param deltaBytes how many bytes more, negative for fewer
	 */
	public void heldBack(long deltaBytes) {
		this.heldBack.addAndGet(deltaBytes);
	}

	/**
	 * Deregister the memory. When this returns no device touches it any more. Who waits for
	 * a buffer gets a {@link RdmaClosedException}. Buffers that are not released are
	 * reported with where they were taken; they cannot be used any more, and releasing them
	 * later is harmless. Closing twice is harmless.
	 * @throws io.rdma.verbs.VerbsException if a slab is still in use by the device; the others
	 * are closed, and closing again tries once more
	 */
	@Override
	public void close() {
		List<MemoryRegion> regions;
		List<Waiter> rejected;
		boolean first;
		this.lock.lock();
		try {
			first = !this.closed;
			this.closed = true;
			rejected = List.copyOf(this.waiters);
			this.waiters.clear();
			wake(rejected);
			awaitGrowthEnd();
			regions = List.copyOf(this.slabs);
			if (first && this.outstandingCount > 0) {
				warnAboutOutstanding();
			}
			this.capacity = 0;
		}
		finally {
			this.lock.unlock();
		}
		CloseFailures failures = new CloseFailures();
		regions.forEach((region) -> failures.run(region::close));
		this.lock.lock();
		try {
			this.slabs.removeIf((region) -> !region.isOpen());
		}
		finally {
			this.lock.unlock();
		}
		failures.throwIfAny();
	}

	private void awaitGrowthEnd() {
		long remaining = GROWTH_CLOSE_LIMIT.toNanos();
		boolean interrupted = false;
		while (this.growing && remaining > 0) {
			try {
				remaining = this.growthEnded.awaitNanos(remaining);
			}
			catch (InterruptedException ex) {
				interrupted = true;
				break;
			}
		}
		if (this.growing) {
			logger.warn("Memory pool '{}' is closed while memory is being registered; it is deregistered when that ends",
					this.name);
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private void warnAboutOutstanding() {
		Map<String, Integer> places = new TreeMap<>();
		int unknown = 0;
		for (BufferLease lease = this.outstanding; lease != null; lease = lease.next) {
			AllocationPlace place = lease.place();
			if (place != null) {
				places.merge(place.caller(), 1, Integer::sum);
			}
			else {
				unknown++;
			}
		}
		List<String> texts = new ArrayList<>();
		places.forEach((place, count) -> texts.add(count + " at " + place));
		if (unknown > 0) {
			texts.add(unknown + " where rdma.memory.leak-sampling (now " + this.leakSampling + ") did not record it");
		}
		logger.warn("Memory pool '{}' is closed while {} buffers of {} in all are not released; they were taken: {}",
				this.name, this.outstandingCount, MemorySize.describe(this.used), String.join(", ", texts));
	}

	private void checkOpen() {
		if (this.closed) {
			throw closedException();
		}
	}

	private RdmaClosedException closedException() {
		return new RdmaClosedException(ACQUIRE, "memory pool '" + this.name + "' is closed",
				"It closes with the application; take no buffers after that.");
	}

	private static long nanos(Duration timeout) {
		try {
			return Math.min(timeout.toNanos(), Long.MAX_VALUE / 2);
		}
		catch (ArithmeticException ex) {
			return timeout.isNegative() ? 0 : Long.MAX_VALUE / 2;
		}
	}

	@Override
	public String toString() {
		return "memory pool '" + this.name + "'";
	}

	/**
	 * A thread that waits for a buffer. Its fields are guarded by the pool's lock, except
	 * that it reads the lease without.
	 */
	@RequiredArgsConstructor
	private static final class Waiter {

		private final Thread thread = Thread.currentThread();

		private final int order;

		private int overtaken;

		private volatile @Nullable BufferLease lease;

	}

	/**
	 * Builder of {@link RdmaMemoryPool}.
	 */
	@RequiredArgsConstructor(access = lombok.AccessLevel.PRIVATE)
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
		 * buffer is the largest power of two in it, 1 GiB at most. By default it is 16 MiB,
		 * less if the pool is smaller.
		 * @param bytes how many bytes
		 * @return this
		 */
		public Builder slabSize(long bytes) {
			this.slabSize = bytes;
			return this;
		}

		/**
		 * Set how much is registered at start ({@code rdma.memory.pool-size}). By default it
		 * is 64 MiB.
		 * @param bytes how many bytes
		 * @return this
		 */
		public Builder initialSize(long bytes) {
			this.initialSize = bytes;
			return this;
		}

		/**
		 * Set how far the pool grows ({@code rdma.memory.max-pool-size}). By default it does
		 * not grow.
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
		 * @throws io.rdma.core.exception.RdmaConfigurationException if the sizes do not fit
		 * each other or the machine
		 * @throws io.rdma.core.exception.RdmaMemoryRegistrationException if the memory cannot
		 * be allocated or registered
		 */
		public RdmaMemoryPool build() {
			long max = (this.maxSize != null) ? this.maxSize : this.initialSize;
			long slab = (this.slabSize != null) ? this.slabSize : Math.min(DEFAULT_SLAB_SIZE, max);
			PoolLayout layout = new PoolLayout(this.minBufferSize, slab, this.initialSize, max);
			RdmaMemoryPool pool = new RdmaMemoryPool(this, layout);
			pool.registerInitialSlabs();
			return pool;
		}

	}

}
