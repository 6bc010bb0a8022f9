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

package io.rdma.verbs;

import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Registered memory ({@code struct ibv_mr}). Work requests name it by region and offset;
 * peers name it by address and rkey. Thread-safe; what several threads or peers write to
 * the same place is theirs to order.
 */
public interface MemoryRegion extends AutoCloseable {

	/**
	 * Return the protection domain it belongs to.
	 * @return the protection domain
	 */
	ProtectionDomain protectionDomain();

	/**
	 * Return the address of the first byte, in terms of the device: on the software
	 * device it is invented and means nothing to the processor.
	 * @return the address
	 */
	long address();

	/**
	 * Return the length.
	 * @return how many bytes
	 */
	long length();

	/**
	 * Return the key for local use.
	 * @return the lkey
	 */
	int lkey();

	/**
	 * Return the key to give to peers. Whoever has it can use the region within its
	 * access rights: keep it out of logs.
	 * @return the rkey
	 */
	int rkey();

	/**
	 * Return the access rights.
	 * @return the flags, unmodifiable
	 */
	Set<AccessFlag> access();

	/**
	 * Return a view of a part of the memory. The view stays usable after the region is
	 * closed, but is then cut off from what the device does.
	 * @param offset where it starts, from 0
	 * @param length how many bytes
	 * @return a new direct buffer in big-endian order, position 0, limit {@code length}
	 * @throws IndexOutOfBoundsException if that is not within the region
	 * @throws ResourceClosedException if the region is closed
	 */
	ByteBuffer buffer(long offset, int length);

	/**
	 * Copy bytes out of the region.
	 * @param offset where from
	 * @param destination is filled from its position to its limit
	 */
	void get(long offset, ByteBuffer destination);

	/**
	 * Copy bytes into the region.
	 * @param offset where to
	 * @param source is taken from its position to its limit
	 */
	void put(long offset, ByteBuffer source);

	/**
	 * Read 8 bytes in the byte order of the machine, as an acquiring load.
	 * @param offset where, a multiple of 8
	 * @return the value
	 */
	long getLongAcquire(long offset);

	/**
	 * Write 8 bytes in the byte order of the machine, as a releasing store. On most
	 * devices this is not atomic against the atomic operations of peers: change a word
	 * that peers change by atomics only through a queue pair.
	 * @param offset where, a multiple of 8
	 * @param value the value
	 */
	void putLongRelease(long offset, long value);

	/**
	 * Return whether the region is open.
	 * @return whether it can be used
	 */
	boolean isOpen();

	/**
	 * Deregister the region ({@code ibv_dereg_mr}). When this returns no peer and no work
	 * request touches the memory any more; work requests that still name it fail.
	 */
	@Override
	void close();

}
