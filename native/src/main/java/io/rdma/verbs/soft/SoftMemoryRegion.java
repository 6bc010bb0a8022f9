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

import java.util.Set;

import io.rdma.verbs.AbstractMemoryRegion;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.HostMemory;
import io.rdma.verbs.soft.shm.SharedMemory;

/**
 * A memory region. Its address is invented: it means something to this device and nothing
 * to the processor.
 */
final class SoftMemoryRegion extends AbstractMemoryRegion {

	private final SoftProtectionDomain protectionDomain;

	private final MemoryGrant grant;

	SoftMemoryRegion(SoftProtectionDomain protectionDomain, HostMemory memory, Set<AccessFlag> access) {
		super(memory, access, protectionDomain);
		this.protectionDomain = protectionDomain;
		long address = AddressSpace.reserve(memory.length(), memory.alignmentOffset(0, AddressSpace.PAGE));
		int mask = AccessFlag.mask(access);
		this.grant = protectionDomain.context()
			.keys()
			.add((key) -> new MemoryGrant(key, protectionDomain, address, memory.length(), mask, memory, 0, null,
					null));
	}

	@Override
	public SoftProtectionDomain protectionDomain() {
		return this.protectionDomain;
	}

	MemoryGrant grant() {
		return this.grant;
	}

	@Override
	public long address() {
		return this.grant.address();
	}

	@Override
	public int lkey() {
		return this.grant.key();
	}

	@Override
	public int rkey() {
		return this.grant.key();
	}

	@Override
	protected void destroy() {
		// no operation finds the region from here on, and those that have found it are
		// waited for
		this.protectionDomain.context().keys().remove(this.grant);
		this.protectionDomain.context().quiesce();
		SharedMemory shared = this.protectionDomain.context().sharedMemory();
		if (shared != null) {
			shared.release(memory());
		}
	}

}
