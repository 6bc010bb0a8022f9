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
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * Base of memory regions: what the owner does with the memory itself.
 */
public abstract class AbstractMemoryRegion extends VerbsResource implements MemoryRegion {

	private final HostMemory memory;

	private final Set<AccessFlag> access;

	/**
	 * Create a region.
	 * @param memory the memory
	 * @param access the access rights
	 * @param protectionDomain the protection domain
	 */
	protected AbstractMemoryRegion(HostMemory memory, Set<AccessFlag> access, VerbsResource protectionDomain) {
		super(protectionDomain);
		this.memory = memory;
		EnumSet<AccessFlag> copy = EnumSet.noneOf(AccessFlag.class);
		copy.addAll(access);
		this.access = Collections.unmodifiableSet(copy);
	}

	/**
	 * Check the access rights that a region is asked for.
	 * @param memory the memory
	 * @param access the access rights
	 * @throws VerbsException if no device can grant them
	 */
	public static void checkAccess(HostMemory memory, Set<AccessFlag> access) {
		if (memory.length() < 1) {
			throw new VerbsException("ibv_reg_mr", Errno.EINVAL, "Memory of 0 bytes cannot be registered");
		}
		checkAccess(access);
		if (access.contains(AccessFlag.LOCAL_WRITE) && memory.isReadOnly()) {
			throw new VerbsException("ibv_reg_mr", Errno.EFAULT,
					"A read-only buffer cannot be registered with LOCAL_WRITE");
		}
	}

	/**
	 * Check the access rights that a region is asked for, whatever its memory.
	 * @param access the access rights
	 * @throws VerbsException if no device can grant them
	 */
	public static void checkAccess(Set<AccessFlag> access) {
		boolean localWrite = access.contains(AccessFlag.LOCAL_WRITE);
		if (!localWrite && (access.contains(AccessFlag.REMOTE_WRITE) || access.contains(AccessFlag.REMOTE_ATOMIC))) {
			throw new VerbsException("ibv_reg_mr", Errno.EINVAL,
					"The access rights " + access + " let peers write, which needs LOCAL_WRITE too");
		}
	}

	/**
	 * Return the memory.
	 * @return the memory
	 */
	protected final HostMemory memory() {
		return this.memory;
	}

	@Override
	public final long length() {
		return this.memory.length();
	}

	@Override
	public final Set<AccessFlag> access() {
		return this.access;
	}

	@Override
	public final ByteBuffer buffer(long offset, int length) {
		checkOpen();
		return this.memory.slice(offset, length);
	}

	@Override
	public final void get(long offset, ByteBuffer destination) {
		checkOpen();
		int length = destination.remaining();
		this.memory.get(offset, destination, destination.position(), length);
		destination.position(destination.limit());
	}

	@Override
	public final void put(long offset, ByteBuffer source) {
		checkOpen();
		int length = source.remaining();
		this.memory.put(offset, source, source.position(), length);
		source.position(source.limit());
	}

	@Override
	public final long getLongAcquire(long offset) {
		checkOpen();
		checkAligned(offset);
		return this.memory.getLongAcquire(offset);
	}

	@Override
	public final void putLongRelease(long offset, long value) {
		checkOpen();
		checkAligned(offset);
		this.memory.putLongRelease(offset, value);
	}

	private void checkAligned(long offset) {
		Objects.checkFromIndexSize(offset, Long.BYTES, length());
		if (((address() + offset) & (Long.BYTES - 1)) != 0) {
			throw new IllegalArgumentException("Offset " + offset + " is not at a multiple of 8 bytes");
		}
	}

	@Override
	protected String describe() {
		HostMemory memory = this.memory;
		// asked by the parent, which knows it from the start of the construction on
		return (memory != null) ? "memory region of " + memory.length() + " bytes" : "memory region";
	}

	@Override
	protected String destroyVerb() {
		return "ibv_dereg_mr";
	}

}
