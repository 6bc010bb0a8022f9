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

import java.nio.ByteBuffer;

import io.rdma.verbs.MemoryRegion;

/**
 * A piece of registered memory from an {@link RdmaMemoryPool}, counted by references: it is
 * made with one and goes back to the pool with the last. The counting is thread-safe; the
 * content and the position of {@link #byteBuffer()} are for one thread at a time.
 */
public final class RdmaBuffer implements AutoCloseable {

	RdmaBuffer() {
	}

	/**
	 * Return the region that the memory is part of.
	 * @return the region
	 * @throws IllegalStateException if the buffer was released
	 */
	public MemoryRegion region() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return where in the region the memory starts.
	 * @return the offset in bytes
	 */
	public long offset() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return how many bytes there are, which can be more than were asked for.
	 * @return the number of bytes
	 */
	public int capacity() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the memory. Its payload is what is between position and limit. At first the
	 * position is 0 and the limit the capacity; what it contains is left over from earlier
	 * use. Do not touch it after the last release.
	 * @return the same direct buffer each time
	 * @throws IllegalStateException if the buffer was released
	 */
	public ByteBuffer byteBuffer() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Add a reference.
	 * @return this
	 * @throws IllegalStateException if the buffer was released
	 */
	public RdmaBuffer retain() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Drop a reference; with the last one the memory goes back to the pool.
	 * @throws IllegalStateException if the last reference was dropped before
	 */
	public void release() {
	}

	/**
	 * Return whether the last reference was dropped.
	 * @return whether it was released
	 */
	public boolean isReleased() {
		return false;
	}

	/**
	 * Drop a reference, as {@link #release()} does.
	 */
	@Override
	public void close() {
		release();
	}

}
