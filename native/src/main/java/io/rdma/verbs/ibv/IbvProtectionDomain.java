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

import java.nio.ByteBuffer;
import java.util.Set;

import io.rdma.verbs.AbstractMemoryRegion;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Errno;
import io.rdma.verbs.HostMemory;
import io.rdma.verbs.MemoryOptions;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.MemoryWindow;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.SharedReceiveQueue;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsResource;

/**
 * A protection domain of libibverbs.
 */
final class IbvProtectionDomain extends VerbsResource implements ProtectionDomain {

	private final IbvDeviceContext context;

	private final Handle handle;

	private final MemoryLock memoryLock = MemoryLock.ofThisProcess();

	IbvProtectionDomain(IbvDeviceContext context) {
		this(context, new Handle());
	}

	private IbvProtectionDomain(IbvDeviceContext context, Handle handle) {
		super(context);
		this.context = context;
		this.handle = handle;
		long pointer = Native.allocateProtectionDomain(context.pointer());
		if (pointer < 0) {
			close();
			throw Results.failure(pointer, "ibv_alloc_pd", "No protection domain can be allocated");
		}
		this.handle.set(pointer);
	}

	long pointer() {
		return this.handle.pointer();
	}

	@Override
	public DeviceContext context() {
		return this.context;
	}

	@Override
	public MemoryRegion allocateMemory(long length, Set<AccessFlag> access) {
		return allocateMemory(length, access, MemoryOptions.DEFAULT);
	}

	@Override
	public MemoryRegion allocateMemory(long length, Set<AccessFlag> access, MemoryOptions options) {
		checkOpen();
		if (options.onDemand() && this.context.queryOnDemand() == 0) {
			throw new VerbsException("ibv_reg_mr", Errno.EOPNOTSUPP, "Device " + this.context.device().name()
					+ " has no on-demand paging; register the memory without it");
		}
		if (length > 0 && !options.onDemand()) {
			this.memoryLock.check(length);
		}
		MappedMemory memory = MappedMemory.allocate(length, options.hugePages());
		try {
			AbstractMemoryRegion.checkAccess(memory.memory(), access);
			return new IbvMemoryRegion(this, memory.memory(), memory.address(), memory, access, options.onDemand());
		}
		catch (RuntimeException ex) {
			memory.release();
			throw ex;
		}
	}

	@Override
	public MemoryRegion registerMemory(ByteBuffer buffer, Set<AccessFlag> access) {
		checkOpen();
		HostMemory memory = HostMemory.of(buffer);
		AbstractMemoryRegion.checkAccess(memory, access);
		this.memoryLock.check(memory.length());
		// throws if the memory was freed, or belongs to another thread
		buffer.get(buffer.position());
		return new IbvMemoryRegion(this, memory, Native.addressOf(buffer) + buffer.position(), null, access, false);
	}

	@Override
	public MemoryWindow allocateMemoryWindow() {
		return new IbvMemoryWindow(this);
	}

	@Override
	public QueuePair createQueuePair(QueuePairInitAttributes attributes) {
		return IbvQueuePair.create(this.context, this, attributes);
	}

	@Override
	public SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxScatterGather) {
		return new IbvSharedReceiveQueue(this.context, this, maxWorkRequests, maxScatterGather);
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
		long pointer = this.handle.close(null);
		if (pointer != 0) {
			Results.check(Native.deallocateProtectionDomain(pointer), destroyVerb(),
					"The protection domain could not be deallocated");
		}
	}

}
