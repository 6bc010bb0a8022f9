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
 * A protection domain ({@code struct ibv_pd}): memory regions and queue pairs of one
 * domain can be used together, those of different ones cannot. Thread-safe.
 */
public interface ProtectionDomain extends AutoCloseable {

	/**
	 * Return the device context it belongs to.
	 * @return the context
	 */
	DeviceContext context();

	/**
	 * Allocate memory outside the Java heap and register it ({@code ibv_reg_mr}). The
	 * memory starts at a page, is zero, and may be larger than 2 GiB.
	 * @param length how many bytes, at least 1
	 * @param access the access rights
	 * @return the region
	 * @throws VerbsException with {@link Errno#EINVAL} if the length is not positive or
	 * remote write or atomic access is asked for without local write, with
	 * {@link Errno#ENOMEM} if there is not enough memory
	 */
	MemoryRegion allocateMemory(long length, Set<AccessFlag> access);

	/**
	 * Allocate and register memory with options that not every device has.
	 * @param length how many bytes, at least 1
	 * @param access the access rights
	 * @param options the options
	 * @return the region
	 * @throws VerbsException as without options, and with {@link Errno#EOPNOTSUPP} if the
	 * device cannot do what an option asks for
	 */
	default MemoryRegion allocateMemory(long length, Set<AccessFlag> access, MemoryOptions options) {
		if (!options.equals(MemoryOptions.DEFAULT)) {
			throw new VerbsException("ibv_reg_mr", Errno.EOPNOTSUPP, "Device " + context().device().name()
					+ " has only base pages that are pinned, but " + options + " was asked for");
		}
		return allocateMemory(length, access);
	}

	/**
	 * Register what remains of a direct buffer ({@code ibv_reg_mr}). The buffer is kept
	 * reachable while the region is open. Its memory must stay mapped as long: if it is
	 * of an {@code Arena} or is unmapped by other means than garbage collection, close
	 * the region first. What is sent with {@link SendFlag#INLINE} is read by the CPU from
	 * that address with no check, and from memory that is gone that ends the process.
	 * @param buffer the buffer; its position and limit are not changed
	 * @param access the access rights
	 * @return the region
	 * @throws IllegalArgumentException if the buffer is on the heap
	 * @throws IllegalStateException if the memory of the buffer was freed already
	 * @throws VerbsException with {@link Errno#EINVAL} as above, with
	 * {@link Errno#EFAULT} if a read-only buffer is to be written to
	 */
	MemoryRegion registerMemory(ByteBuffer buffer, Set<AccessFlag> access);

	/**
	 * Allocate a memory window of type 2 ({@code ibv_alloc_mw}).
	 * @return the window, not bound
	 * @throws VerbsException with {@link Errno#EOPNOTSUPP} if the device has none
	 */
	MemoryWindow allocateMemoryWindow();

	/**
	 * Create a queue pair of type RC in state RESET ({@code ibv_create_qp}).
	 * @param attributes what to create it with
	 * @return the queue pair
	 * @throws VerbsException with {@link Errno#EINVAL} if a size exceeds the device's
	 * limits
	 */
	QueuePair createQueuePair(QueuePairInitAttributes attributes);

	/**
	 * Create a shared receive queue ({@code ibv_create_srq}).
	 * @param maxWorkRequests how many receives it must hold at least
	 * @param maxScatterGather how many entries each can have
	 * @return the queue, with no limit armed
	 * @throws VerbsException with {@link Errno#EINVAL} if a size exceeds the device's
	 * limits
	 */
	SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxScatterGather);

	/**
	 * Return whether the protection domain is open.
	 * @return whether it can be used
	 */
	boolean isOpen();

	@Override
	void close();

}
