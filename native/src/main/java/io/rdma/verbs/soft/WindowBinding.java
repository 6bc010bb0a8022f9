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

import io.rdma.verbs.AccessFlag;

/**
 * A binding of a memory window that was posted: what its key is to stand for, and the
 * region that it gives a right to a part of.
 *
 * @param window the window
 * @param region the region
 * @param grant what the key is to stand for
 */
record WindowBinding(SoftMemoryWindow window, SoftMemoryRegion region, MemoryGrant grant) {

	private static final int WRITING = AccessFlag.REMOTE_WRITE.bit() | AccessFlag.REMOTE_ATOMIC.bit();

	/**
	 * Carry the binding out.
	 * @param domain the protection domain of the queue pair
	 * @return whether it was allowed
	 */
	boolean carryOut(SoftProtectionDomain domain) {
		MemoryGrant parent = this.region.grant();
		boolean writing = (this.grant.access() & WRITING) != 0;
		return this.grant.length() > 0 && parent.protectionDomain() == domain && this.grant.protectionDomain() == domain
				&& parent.allows(AccessFlag.MEMORY_WINDOW_BIND.bit())
				&& (!writing || parent.allows(AccessFlag.LOCAL_WRITE.bit())) && this.window.bind(this);
	}

}
