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
import java.util.Set;

import io.rdma.core.exception.RdmaBoundsException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.MemoryRegion;

import org.springframework.util.Assert;

/**
 * Memory of this service that peers reach by name. Thread-safe; what its owner and peers
 * write to the same place is theirs to order. A word that peers change by atomics must be
 * changed by its owner with atomics too, through a connection of the service to itself.
 */
public final class LocalRegion {

	private final String name;

	private final MemoryRegion memoryRegion;

	LocalRegion(String name, MemoryRegion memoryRegion) {
		this.name = name;
		this.memoryRegion = memoryRegion;
	}

	/**
	 * Return the name.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the registered memory.
	 * @return the region
	 */
	public MemoryRegion memoryRegion() {
		return this.memoryRegion;
	}

	/**
	 * Return how many bytes it has.
	 * @return the number of bytes
	 */
	public long size() {
		return this.memoryRegion.length();
	}

	/**
	 * Return the access rights.
	 * @return the flags, unmodifiable
	 */
	public Set<AccessFlag> access() {
		return this.memoryRegion.access();
	}

	/**
	 * Return a view of a part, which shows at once what peers write.
	 * @param offset where it starts, from 0
	 * @param length how many bytes; a view cannot cross a multiple of 1 GiB
	 * @return a new direct buffer in big-endian order
	 * @throws RdmaBoundsException if that is not within the region
	 * @throws IllegalStateException if the region is closed
	 */
	public ByteBuffer buffer(long offset, int length) {
		check("buffer", offset, length);
		return this.memoryRegion.buffer(offset, length);
	}

	/**
	 * Copy bytes out.
	 * @param offset where from
	 * @param destination is filled from its position to its limit
	 * @throws RdmaBoundsException if that is not within the region
	 * @throws IllegalStateException if the region is closed
	 */
	public void get(long offset, ByteBuffer destination) {
		Assert.notNull(destination, "'destination' must not be null");
		check("get", offset, destination.remaining());
		this.memoryRegion.get(offset, destination);
	}

	/**
	 * Copy bytes in.
	 * @param offset where to
	 * @param source is taken from its position to its limit
	 * @throws RdmaBoundsException if that is not within the region
	 * @throws IllegalStateException if the region is closed
	 */
	public void put(long offset, ByteBuffer source) {
		Assert.notNull(source, "'source' must not be null");
		check("put", offset, source.remaining());
		this.memoryRegion.put(offset, source);
	}

	private void check(String operation, long offset, int length) {
		Assert.isTrue(offset >= 0, () -> "'offset' must not be negative, but is " + offset);
		Assert.isTrue(length >= 0, () -> "'length' must not be negative, but is " + length);
		RdmaBoundsException.check(RdmaErrorContext.none().withOperation(operation), "region '" + this.name + "'",
				offset, length, size());
	}

	@Override
	public String toString() {
		return "region '" + this.name + "' of " + MemorySize.describe(size()) + " with " + access();
	}

}
