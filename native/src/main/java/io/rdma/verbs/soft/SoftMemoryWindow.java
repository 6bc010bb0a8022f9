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

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.MemoryWindow;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsResource;
import org.jspecify.annotations.Nullable;

/**
 * A memory window of type 2. While it is bound it keeps its region open, and it can be
 * used only through the queue pair that it was bound on.
 */
final class SoftMemoryWindow extends VerbsResource implements MemoryWindow {

	private final SoftProtectionDomain protectionDomain;

	private final Object change = new Object();

	private volatile int rkey;

	private @Nullable WindowBinding bound;

	SoftMemoryWindow(SoftProtectionDomain protectionDomain) {
		super(protectionDomain);
		this.protectionDomain = protectionDomain;
		this.rkey = protectionDomain.context().keys().newKey();
	}

	SoftProtectionDomain protectionDomain() {
		return this.protectionDomain;
	}

	@Override
	public int rkey() {
		return this.rkey;
	}

	/**
	 * Choose the key of the next binding.
	 * @param queuePair the queue pair it is posted to
	 * @param region the region
	 * @param offset where in the region
	 * @param length how many bytes
	 * @param access what peers may do
	 * @return the binding, to be carried out
	 */
	WindowBinding prepare(SoftQueuePair queuePair, SoftMemoryRegion region, long offset, long length,
			Set<AccessFlag> access) {
		checkOpen();
		MemoryGrant parent = region.grant();
		MemoryGrant grant = new MemoryGrant(this.protectionDomain.context().keys().newKey(), this.protectionDomain,
				parent.address() + offset, length, AccessFlag.mask(access), parent.memory(),
				parent.memoryOffset() + offset, this, queuePair);
		this.rkey = grant.key();
		return new WindowBinding(this, region, grant);
	}

	/**
	 * Make a binding the one in force, unless there is one already.
	 * @param binding the binding
	 * @return whether it is in force
	 */
	boolean bind(WindowBinding binding) {
		synchronized (this.change) {
			if (this.bound != null || !isOpen()) {
				return false;
			}
			try {
				dependOn(binding.region());
			}
			catch (ResourceClosedException ex) {
				// deregistered since it was posted: to the caller that is a failed
				// binding
				return false;
			}
			if (!this.protectionDomain.context().keys().add(binding.grant())) {
				releaseDependency(binding.region());
				return false;
			}
			this.bound = binding;
			return true;
		}
	}

	/**
	 * End the binding in force.
	 * @param grant what its key stands for
	 * @return whether it was in force
	 */
	boolean invalidate(MemoryGrant grant) {
		synchronized (this.change) {
			WindowBinding binding = this.bound;
			if (binding == null || binding.grant() != grant) {
				return false;
			}
			unbind(binding);
			return true;
		}
	}

	private void unbind(WindowBinding binding) {
		this.bound = null;
		this.protectionDomain.context().keys().remove(binding.grant());
		releaseDependency(binding.region());
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
		synchronized (this.change) {
			if (this.bound != null) {
				unbind(this.bound);
			}
		}
		this.protectionDomain.context().quiesce();
	}

}
