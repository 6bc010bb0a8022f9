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

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.MemoryRegion;

/**
 * Memory of this service that peers reach by name. Thread-safe; what its owner and peers
 * write to the same place is theirs to order.
 */
public final class LocalRegion {

	LocalRegion() {
	}

	/**
	 * Return the name.
	 * @return the name
	 */
	public String name() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the registered memory.
	 * @return the region
	 */
	public MemoryRegion memoryRegion() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return how many bytes it has.
	 * @return the number of bytes
	 */
	public long size() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the access rights.
	 * @return the flags, unmodifiable
	 */
	public Set<AccessFlag> access() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return a view of a part, which shows at once what peers write.
	 * @param offset where it starts, from 0
	 * @param length how many bytes; a view cannot cross a multiple of 1 GiB
	 * @return a new direct buffer in big-endian order
	 * @throws io.rdma.core.exception.RdmaBoundsException if that is not within the region
	 */
	public ByteBuffer buffer(long offset, int length) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Copy bytes out.
	 * @param offset where from
	 * @param destination is filled from its position to its limit
	 * @throws io.rdma.core.exception.RdmaBoundsException if that is not within the region
	 */
	public void get(long offset, ByteBuffer destination) {
	}

	/**
	 * Copy bytes in.
	 * @param offset where to
	 * @param source is taken from its position to its limit
	 * @throws io.rdma.core.exception.RdmaBoundsException if that is not within the region
	 */
	public void put(long offset, ByteBuffer source) {
	}

}
