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

import java.nio.ByteBuffer;
import java.util.Set;

import io.rdma.verbs.AbstractMemoryRegion;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Errno;
import io.rdma.verbs.HostMemory;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.MemoryWindow;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.SharedReceiveQueue;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsResource;
import io.rdma.verbs.soft.shm.SharedMemory;
import org.jspecify.annotations.Nullable;

/**
 * A protection domain.
 */
final class SoftProtectionDomain extends VerbsResource implements ProtectionDomain {

	private final SoftDeviceContext context;

	SoftProtectionDomain(SoftDeviceContext context) {
		super(context);
		this.context = context;
	}

	@Override
	public SoftDeviceContext context() {
		return this.context;
	}

	@Override
	public MemoryRegion allocateMemory(long length, Set<AccessFlag> access) {
		this.context.checkUsable("ibv_reg_mr");
		checkOpen();
		if (length < 1 || length > Limits.MAX_REGION) {
			throw new VerbsException("ibv_reg_mr", Errno.EINVAL,
					"A memory region has 1 to " + Limits.MAX_REGION + " bytes, but " + length + " were asked for");
		}
		AbstractMemoryRegion.checkAccess(access);
		SharedMemory shared = this.context.sharedMemory();
		HostMemory memory = (shared != null) ? shared.allocate(length, givesAtomics(access)) : null;
		if (shared == null || memory == null) {
			return new SoftMemoryRegion(this, allocate(length), access);
		}
		try {
			return new SoftMemoryRegion(this, memory, access);
		}
		catch (RuntimeException | Error ex) {
			shared.release(memory);
			throw ex;
		}
	}

	/** A window can give a right to atomic operations that the region does not. */
	private static boolean givesAtomics(Set<AccessFlag> access) {
		return access.contains(AccessFlag.REMOTE_ATOMIC) || access.contains(AccessFlag.MEMORY_WINDOW_BIND);
	}

	private static HostMemory allocate(long length) {
		try {
			return HostMemory.allocate(length);
		}
		catch (OutOfMemoryError ex) {
			throw Limits.outOfMemory("ibv_reg_mr", "A memory region of " + length + " bytes", ex);
		}
	}

	@Override
	public MemoryRegion registerMemory(ByteBuffer buffer, Set<AccessFlag> access) {
		this.context.checkUsable("ibv_reg_mr");
		checkOpen();
		HostMemory memory = HostMemory.of(buffer);
		AbstractMemoryRegion.checkAccess(memory, access);
		return new SoftMemoryRegion(this, memory, access);
	}

	@Override
	public MemoryWindow allocateMemoryWindow() {
		this.context.checkUsable("ibv_alloc_mw");
		checkOpen();
		return new SoftMemoryWindow(this);
	}

	@Override
	public QueuePair createQueuePair(QueuePairInitAttributes attributes) {
		this.context.checkUsable("ibv_create_qp");
		checkOpen();
		SoftCompletionQueue sends = own(attributes.sendCompletionQueue());
		SoftCompletionQueue receives = own(attributes.receiveCompletionQueue());
		SharedReceiveQueue shared = attributes.sharedReceiveQueue();
		SoftSharedReceiveQueue ownShared = (shared != null) ? own(shared) : null;
		return new SoftQueuePair(this, sends, receives, ownShared,
				Limits.grant(attributes.capabilities(), shared != null), attributes.signalAll());
	}

	private SoftCompletionQueue own(CompletionQueue queue) {
		if (queue instanceof SoftCompletionQueue own && own.context() == this.context) {
			return own;
		}
		throw foreign("completion queue");
	}

	private SoftSharedReceiveQueue own(SharedReceiveQueue queue) {
		if (queue instanceof SoftSharedReceiveQueue own && own.context() == this.context) {
			return own;
		}
		throw foreign("shared receive queue");
	}

	private static VerbsException foreign(String what) {
		return new VerbsException("ibv_create_qp", Errno.EINVAL,
				"The " + what + " was made by another device context; create it with the one of the protection domain");
	}

	@Override
	public SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxScatterGather) {
		this.context.checkUsable("ibv_create_srq");
		checkOpen();
		if (maxWorkRequests < 1 || maxWorkRequests > Limits.MAX_WORK_REQUESTS) {
			throw new VerbsException("ibv_create_srq", Errno.EINVAL, "A shared receive queue holds 1 to "
					+ Limits.MAX_WORK_REQUESTS + " receives, but " + maxWorkRequests + " were asked for");
		}
		if (maxScatterGather < 0 || maxScatterGather > Limits.MAX_SRQ_SCATTER_GATHER) {
			throw new VerbsException("ibv_create_srq", Errno.EINVAL,
					"A receive of a shared receive queue has 0 to " + Limits.MAX_SRQ_SCATTER_GATHER
							+ " scatter/gather entries, but " + maxScatterGather + " were asked for");
		}
		return new SoftSharedReceiveQueue(this, maxWorkRequests, maxScatterGather);
	}

	/**
	 * Return what a key stands for to the owner of the memory.
	 * @param lkey the key
	 * @param access the rights that are needed
	 * @return the grant, {@code null} if the key stands for no such memory of this domain
	 */
	@Nullable MemoryGrant localGrant(int lkey, int access) {
		MemoryGrant grant = this.context.keys().find(lkey);
		return (grant != null && grant.window() == null && grant.protectionDomain() == this && grant.allows(access))
				? grant : null;
	}

	/**
	 * Return what a key stands for to the peer of a queue pair.
	 * @param rkey the key
	 * @param queuePair the queue pair, of this domain
	 * @param access the rights that are needed
	 * @return the grant, {@code null} if the key stands for no such memory of this domain
	 */
	@Nullable MemoryGrant remoteGrant(int rkey, SoftQueuePair queuePair, int access) {
		MemoryGrant grant = this.context.keys().find(rkey);
		return (grant != null && (grant.window() == null || grant.queuePair() == queuePair)
				&& grant.protectionDomain() == this && grant.allows(access)) ? grant : null;
	}

	/**
	 * End the binding of a memory window of this domain.
	 * @param rkey the key of the binding
	 * @return the queue pair through which it could be used, {@code null} if there is no
	 * such binding
	 */
	@Nullable SoftQueuePair invalidate(int rkey) {
		MemoryGrant grant = this.context.keys().find(rkey);
		SoftMemoryWindow window = (grant != null) ? grant.window() : null;
		return (grant != null && window != null && grant.protectionDomain() == this && window.invalidate(grant))
				? grant.queuePair() : null;
	}

	/**
	 * End the binding of a memory window that can be used through a queue pair.
	 * @param rkey the key of the binding
	 * @param queuePair the queue pair, whose responder carries nothing else out
	 * @return whether there was such a binding
	 */
	boolean invalidate(int rkey, SoftQueuePair queuePair) {
		MemoryGrant grant = this.context.keys().find(rkey);
		return grant != null && grant.queuePair() == queuePair && invalidate(rkey) != null;
	}

	@Override
	protected String describe() {
		return "protection domain";
	}

	@Override
	protected String destroyVerb() {
		return "ibv_dealloc_pd";
	}

	@Override
	protected void destroy() {
	}

}
