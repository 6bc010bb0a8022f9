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
import java.util.Set;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is registered once, in slabs, and handed out in pieces. Sizes are powers of
 * two; pieces that come back are joined, so that no size starves. Thread-safe.
 */
public final class RdmaMemoryPool implements AutoCloseable {

	private RdmaMemoryPool() {
	}

	/**
	 * Return a builder.
	 * @param protectionDomain where the memory is registered
	 * @return the builder
	 */
	public static Builder builder(ProtectionDomain protectionDomain) {
		return new Builder(protectionDomain);
	}

	/**
	 * Take a buffer, waiting until there is one.
	 * @param minimumCapacity how many bytes it must have at least, 1 to
	 * {@link #maxBufferSize()}
	 * @param timeout how long to wait at most
	 * @return the buffer, to be released by the caller
	 * @throws io.rdma.core.exception.RdmaMemoryPoolExhaustedException if none came free in
	 * time or there can never be one so large
	 * @throws io.rdma.core.exception.RdmaClosedException if the pool is closed
	 * @throws io.rdma.core.exception.RdmaInterruptedException if the thread is interrupted
	 * while it waits; it stays interrupted
	 */
	public RdmaBuffer acquire(int minimumCapacity, Duration timeout) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Take a buffer if there is one.
	 * @param minimumCapacity how many bytes it must have at least, 1 to
	 * {@link #maxBufferSize()}
	 * @return the buffer, to be released by the caller, or {@code null}
	 * @throws io.rdma.core.exception.RdmaMemoryPoolExhaustedException if there can never be
	 * one so large
	 * @throws io.rdma.core.exception.RdmaClosedException if the pool is closed
	 */
	public @Nullable RdmaBuffer tryAcquire(int minimumCapacity) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the size of the largest buffer.
	 * @return the number of bytes
	 */
	public int maxBufferSize() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return what it has and did. Never waits.
	 * @return the statistics
	 */
	public MemoryPoolStatistics statistics() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Note that buffers stay in use, or no longer do, since the device may still touch them
	 * after their operation timed out.
	 * @param deltaBytes how many bytes more, negative for fewer
	 */
	public void heldBack(long deltaBytes) {
	}

	/**
	 * Deregister the memory. When this returns no device touches it any more. Buffers that
	 * are not released are reported with where they were taken; releasing them later is
	 * harmless. Closing twice is harmless.
	 */
	@Override
	public void close() {
	}

	/**
	 * Builder of {@link RdmaMemoryPool}.
	 */
	public static final class Builder {

		Builder(ProtectionDomain protectionDomain) {
		}

		/**
		 * Set the name, which stands in messages.
		 * @param name the name
		 * @return this
		 */
		public Builder name(String name) {
			return this;
		}

		/**
		 * Set the size of one registration ({@code rdma.memory.slab-size}).
		 * @param bytes how many bytes
		 * @return this
		 */
		public Builder slabSize(long bytes) {
			return this;
		}

		/**
		 * Set how much is registered at start ({@code rdma.memory.pool-size}).
		 * @param bytes how many bytes
		 * @return this
		 */
		public Builder initialSize(long bytes) {
			return this;
		}

		/**
		 * Set how far the pool grows ({@code rdma.memory.max-pool-size}). By default it does
		 * not grow.
		 * @param bytes how many bytes
		 * @return this
		 */
		public Builder maxSize(long bytes) {
			return this;
		}

		/**
		 * Set the size of the smallest buffer ({@code rdma.memory.min-buffer-size}). By
		 * default it is 4096.
		 * @param bytes how many bytes
		 * @return this
		 */
		public Builder minBufferSize(int bytes) {
			return this;
		}

		/**
		 * Set the access rights. By default the device may write, peers may do nothing.
		 * @param access the access rights
		 * @return this
		 */
		public Builder access(Set<AccessFlag> access) {
			return this;
		}

		/**
		 * Record for one buffer in so many where it was taken
		 * ({@code rdma.memory.leak-sampling}). By default it is 128.
		 * @param every 1 for all, 0 for none
		 * @return this
		 */
		public Builder leakSampling(int every) {
			return this;
		}

		/**
		 * Register the memory.
		 * @return the pool
		 * @throws io.rdma.core.exception.RdmaConfigurationException if the sizes do not fit
		 * each other
		 * @throws io.rdma.core.exception.RdmaMemoryRegistrationException if the memory cannot
		 * be allocated or registered
		 */
		public RdmaMemoryPool build() {
			throw new UnsupportedOperationException();
		}

	}

}
