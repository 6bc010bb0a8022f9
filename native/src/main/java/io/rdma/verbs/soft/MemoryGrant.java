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

package io.rdma.verbs.soft;

import io.rdma.verbs.HostMemory;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.RequiredArgsConstructor;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

/**
 * What a key stands for: a run of addresses, the memory behind it, and what may be done
 * with it by whom. The key of a memory region has one, and so has each binding of a
 * memory window.
 */
@Getter(AccessLevel.PACKAGE)
@Accessors(fluent = true)
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
final class MemoryGrant {

	/** What {@link #locate} returns of addresses that are not covered. */
	static final long OUTSIDE = -1;

	private final int key;

	private final SoftProtectionDomain protectionDomain;

	private final long address;

	private final long length;

	/** A mask of {@link io.rdma.verbs.AccessFlag} bits. */
	private final int access;

	private final HostMemory memory;

	private final long memoryOffset;

	/** The window that is bound, {@code null} for a memory region. */
	private final @Nullable SoftMemoryWindow window;

	/** The queue pair through which alone a window can be used. */
	private final @Nullable SoftQueuePair queuePair;

	/**
	 * Find the memory behind some addresses.
	 * @param from the first address
	 * @param count how many
	 * @return the offset in {@link #memory()}, {@link #OUTSIDE} if they are not all
	 * covered
	 */
	long locate(long from, long count) {
		long offset = from - this.address;
		return (offset >= 0 && count <= this.length && offset <= this.length - count) ? this.memoryOffset + offset
				: OUTSIDE;
	}

	boolean allows(int wanted) {
		return (this.access & wanted) == wanted;
	}

}
