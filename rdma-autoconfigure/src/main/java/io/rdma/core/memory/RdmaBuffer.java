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
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

import io.rdma.verbs.MemoryRegion;

/**
 * A piece of registered memory from an {@link RdmaMemoryPool}, counted by references: it
 * is made with one and goes back to the pool with the last. The counting is thread-safe;
 * the content and the position of {@link #byteBuffer()} are for one thread at a time.
 * <p>
 * If a buffer and its {@link #byteBuffer()} are both dropped without the last release,
 * that is reported and the memory goes back to the pool. Slices and duplicates of that
 * view do not keep it: use them only while the buffer is held.
 */
public final class RdmaBuffer implements AutoCloseable {

	private final BufferLease lease;

	private final ByteBuffer view;

	private final Cleaner.Cleanable cleanable;

	RdmaBuffer(BufferLease lease, Cleaner cleaner) {
		this.lease = lease;
		this.view = lease.chunk().view(lease.unit(), lease.capacity());
		this.cleanable = cleaner.register(this.view, lease);
	}

	/**
	 * Return the region that the memory is part of.
	 * @return the region
	 * @throws IllegalStateException if the buffer was released or the pool is closed
	 */
	public MemoryRegion region() {
		checkUsable();
		return this.lease.chunk().region();
	}

	/**
	 * Return where in the region the memory starts, a multiple of the pool's smallest
	 * buffer.
	 * @return the offset in bytes
	 */
	public long offset() {
		return this.lease.chunk().offsetOf(this.lease.unit());
	}

	/**
	 * Return how many bytes there are, which can be more than were asked for.
	 * @return the number of bytes
	 */
	public int capacity() {
		return this.lease.capacity();
	}

	/**
	 * Return the memory. Its payload is what is between position and limit. At first the
	 * position is 0 and the limit the capacity; what it contains is left over from
	 * earlier use. Do not touch it after the last release.
	 * @return the same direct buffer each time
	 * @throws IllegalStateException if the buffer was released or the pool is closed
	 */
	public ByteBuffer byteBuffer() {
		checkUsable();
		return this.view;
	}

	/**
	 * Add a reference.
	 * @return this
	 * @throws IllegalStateException if the buffer was released
	 */
	public RdmaBuffer retain() {
		if (!this.lease.retain()) {
			throw released("cannot be retained");
		}
		return this;
	}

	/**
	 * Drop a reference; with the last one the memory goes back to the pool.
	 * @throws IllegalStateException if the last reference was dropped before
	 */
	public void release() {
		try {
			int left = this.lease.release();
			if (left < 0) {
				throw released("cannot be released again");
			}
			if (left == 0) {
				this.cleanable.clean();
			}
		}
		finally {
			// Otherwise it could count as dropped while it is being released
			Reference.reachabilityFence(this);
		}
	}

	/**
	 * Return whether the last reference was dropped.
	 * @return whether it was released
	 */
	public boolean isReleased() {
		return this.lease.references() == 0;
	}

	/**
	 * Drop a reference, as {@link #release()} does.
	 */
	@Override
	public void close() {
		release();
	}

	private void checkUsable() {
		if (isReleased()) {
			throw released("cannot be used");
		}
		if (this.lease.pool().isClosed()) {
			throw new IllegalStateException("The buffer of " + capacity() + " bytes cannot be used: memory pool '"
					+ this.lease.pool().name() + "' is closed");
		}
	}

	private IllegalStateException released(String what) {
		return new IllegalStateException(
				"The buffer of " + capacity() + " bytes from memory pool '" + this.lease.pool().name() + "' " + what
						+ ": its last reference was released; retain() it for each further owner");
	}

	@Override
	public String toString() {
		return "buffer of " + capacity() + " bytes" + (isReleased() ? " (released)" : "");
	}

}
