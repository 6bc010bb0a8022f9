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

import java.util.Collection;

/**
 * Access rights of a memory region, a memory window or a queue pair
 * ({@code ibv_access_flags}). Local read is always allowed.
 */
public enum AccessFlag implements BitFlag {

	/**
	 * The local device may write: needed for receive buffers and for the landing place of
	 * READ and atomic operations.
	 */
	LOCAL_WRITE(1),

	/**
	 * Peers may write. Needs {@link #LOCAL_WRITE} on a memory region.
	 */
	REMOTE_WRITE(1 << 1),

	/**
	 * Peers may read.
	 */
	REMOTE_READ(1 << 2),

	/**
	 * Peers may do atomic operations. Needs {@link #LOCAL_WRITE} on a memory region.
	 */
	REMOTE_ATOMIC(1 << 3),

	/**
	 * Memory windows may be bound to the region.
	 */
	MEMORY_WINDOW_BIND(1 << 4);

	private final int bit;

	AccessFlag(int bit) {
		this.bit = bit;
	}

	@Override
	public int bit() {
		return this.bit;
	}

	/**
	 * Return the bit mask of some flags, as the C interface takes it.
	 * @param flags the flags
	 * @return the mask
	 */
	public static int mask(Collection<AccessFlag> flags) {
		return BitFlag.mask(flags);
	}

}
