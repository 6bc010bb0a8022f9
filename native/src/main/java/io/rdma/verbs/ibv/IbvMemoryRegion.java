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

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

import io.rdma.verbs.AbstractMemoryRegion;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.Errno;
import io.rdma.verbs.HostMemory;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsException;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * A memory region of libibverbs.
 */
@Slf4j
final class IbvMemoryRegion extends AbstractMemoryRegion {

	private static final int ON_DEMAND = 1 << 6;

	private final IbvProtectionDomain protectionDomain;

	private final long address;

	private final @Nullable MappedMemory owned;

	private final Object use = new Object();

	/** How many windows may be bound to it. */
	private final AtomicInteger boundWindows = new AtomicInteger();

	private long pointer;

	private int lkey;

	private int rkey;

	/**
	 * Register memory.
	 * @param protectionDomain the protection domain
	 * @param memory the memory
	 * @param address where it starts
	 * @param owned the memory if it is to be released with the region, else {@code null}
	 * @param access the access rights
	 * @param onDemand whether pages are brought in when they are touched
	 */
	IbvMemoryRegion(IbvProtectionDomain protectionDomain, HostMemory memory, long address, @Nullable MappedMemory owned,
			Set<AccessFlag> access, boolean onDemand) {
		super(memory, access, protectionDomain);
		this.protectionDomain = protectionDomain;
		this.address = address;
		int[] keys = new int[2];
		long registered = Native.registerMemory(protectionDomain.pointer(), address, memory.length(),
				AccessFlag.mask(access()) | (onDemand ? ON_DEMAND : 0), keys);
		if (registered < 0) {
			this.owned = null;
			close();
			String reason = (registered != -Errno.ENOMEM.number()) ? ""
					: ". The limit on locked memory (RLIMIT_MEMLOCK) may be reached. " + MemoryLock.REMEDY;
			throw Results.failure(registered, "ibv_reg_mr",
					"The device refused to register " + memory.length() + " bytes with access " + access() + reason);
		}
		this.owned = owned;
		this.pointer = registered;
		this.lkey = keys[0];
		this.rkey = keys[1];
	}

	@Override
	public ProtectionDomain protectionDomain() {
		return this.protectionDomain;
	}

	@Override
	public long address() {
		return this.address;
	}

	@Override
	public int lkey() {
		return this.lkey;
	}

	@Override
	public int rkey() {
		return this.rkey;
	}

	/**
	 * Use the region while it cannot be deregistered.
	 * @param action is given the pointer
	 * @param <T> what the action returns
	 * @return what the action returned
	 */
	<T> T whileRegistered(LongFunction<T> action) {
		synchronized (this.use) {
			if (this.pointer == 0) {
				throw new ResourceClosedException(describe());
			}
			return action.apply(this.pointer);
		}
	}

	/**
	 * Note that a window may be bound to it from now on.
	 */
	void windowBound() {
		this.boundWindows.incrementAndGet();
	}

	/**
	 * Note that a window that may have been bound to it is closed.
	 */
	void windowReleased() {
		this.boundWindows.decrementAndGet();
	}

	/**
	 * The device may refuse to deregister while a memory window is bound, which a peer
	 * can change without a word to us: so it is asked before the region counts as closed.
	 * Any other failure means that the device is gone or will never do it. Then the
	 * region closes all the same, since asking again would not help; should the device
	 * still be there, the kernel keeps the pages from being used for anything else.
	 */
	@Override
	protected void checkClosable() {
		synchronized (this.use) {
			if (this.pointer != 0) {
				int failed = Native.deregisterMemory(this.pointer);
				if (failed == -Errno.EBUSY.number() || (failed < 0 && this.boundWindows.get() > 0)) {
					throw new VerbsException(destroyVerb(), Errno.EBUSY, "The " + describe()
							+ " cannot be closed while memory windows are bound to it; invalidate or close them first");
				}
				this.pointer = 0;
				if (failed < 0) {
					reportNotDeregistered(failed);
				}
			}
		}
	}

	private void reportNotDeregistered(int failed) {
		VerbsException failure = Results.failure(failed, destroyVerb(),
				"The device did not deregister the " + describe() + ", which is closed all the same");
		logger.warn("{}: {}. If the device was reset or removed, close all that was made from it and open it again",
				this.protectionDomain.context().device().name(), failure.getMessage());
	}

	@Override
	protected void destroy() {
		MappedMemory memory = this.owned;
		if (memory != null) {
			memory.release();
		}
	}

}
