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

package io.rdma.verbs.ibv;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongFunction;

import io.rdma.verbs.Errno;
import io.rdma.verbs.MemoryWindow;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsResource;

/**
 * A memory window of libibverbs.
 */
final class IbvMemoryWindow extends VerbsResource implements MemoryWindow {

	private final IbvProtectionDomain protectionDomain;

	private final Object use = new Object();

	private long pointer;

	/**
	 * The regions that it may be bound to. A binding that was posted can fail, and then
	 * the one before it stays; which of them came about the device does not tell.
	 */
	private final Set<IbvMemoryRegion> boundTo = new HashSet<>();

	private volatile int rkey;

	IbvMemoryWindow(IbvProtectionDomain protectionDomain) {
		super(protectionDomain);
		this.protectionDomain = protectionDomain;
		int[] keys = new int[1];
		long allocated = Native.allocateWindow(protectionDomain.pointer(), keys);
		if (allocated < 0) {
			close();
			if (allocated == -Errno.ENOSYS.number()) {
				throw new VerbsException("ibv_alloc_mw", Errno.EOPNOTSUPP, "The device has no memory windows");
			}
			throw Results.failure(allocated, "ibv_alloc_mw", "No memory window can be allocated");
		}
		this.pointer = allocated;
		this.rkey = keys[0];
	}

	IbvProtectionDomain protectionDomain() {
		return this.protectionDomain;
	}

	@Override
	public int rkey() {
		return this.rkey;
	}

	/**
	 * Note a binding that was posted. Called while the window cannot be deallocated.
	 * @param key the new rkey
	 * @param region what it is to be bound to
	 */
	void bound(int key, IbvMemoryRegion region) {
		this.rkey = key;
		this.boundTo.removeIf((known) -> !known.isOpen());
		if (this.boundTo.add(region)) {
			region.windowBound();
		}
	}

	/**
	 * Use the window while it cannot be deallocated.
	 * @param action is given the pointer
	 * @param <T> what the action returns
	 * @return what the action returned
	 */
	<T> T whileAllocated(LongFunction<T> action) {
		synchronized (this.use) {
			if (this.pointer == 0) {
				throw new ResourceClosedException(describe());
			}
			return action.apply(this.pointer);
		}
	}

	@Override
	protected String describe() {
		return "memory window";
	}

	@Override
	protected String destroyVerb() {
		return "ibv_dealloc_mw";
	}

	@Override
	protected void destroy() {
		synchronized (this.use) {
			if (this.pointer != 0) {
				long deallocated = this.pointer;
				this.pointer = 0;
				this.boundTo.forEach(IbvMemoryRegion::windowReleased);
				this.boundTo.clear();
				Results.check(Native.deallocateWindow(deallocated), destroyVerb(),
						"The memory window could not be deallocated");
			}
		}
	}

}
