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

package io.rdma.core.connection;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

import io.rdma.core.exception.RdmaAccessDeniedException;
import io.rdma.core.exception.RdmaAlignmentException;
import io.rdma.core.exception.RdmaBoundsException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.verbs.AccessFlag;

/**
 * A region that the peer told us of. Valid for the connection it came with only: after a
 * reconnect the address and the key may be others. Immutable.
 *
 * @param name the name
 * @param address the address of its first byte, in the peer's terms
 * @param rkey the key; whoever has it can use the region
 * @param length how many bytes it has
 * @param access what the peer allows
 */
public record RemoteRegion(String name, long address, int rkey, long length, Set<AccessFlag> access) {

	/**
	 * Create a region.
	 * @param name the name
	 * @param address the address of its first byte
	 * @param rkey the key
	 * @param length how many bytes it has
	 * @param access what the peer allows
	 */
	public RemoteRegion {
		Set<AccessFlag> copy = EnumSet.noneOf(AccessFlag.class);
		copy.addAll(access);
		access = Collections.unmodifiableSet(copy);
	}

	boolean contains(long offset, long length) {
		return offset >= 0 && length >= 0 && offset <= this.length - length;
	}

	boolean isAligned(long offset) {
		return ((this.address + offset) & (Long.BYTES - 1)) == 0;
	}

	/**
	 * Check that a range is within the region.
	 * @param context what is known about the operation
	 * @param offset where it starts
	 * @param length how many bytes it has
	 * @throws RdmaBoundsException if it is not
	 */
	public void checkBounds(RdmaErrorContext context, long offset, long length) {
		if (!contains(offset, length)) {
			throw new RdmaBoundsException(context, describe(), offset, length, this.length);
		}
	}

	/**
	 * Check that the peer allows something.
	 * @param context what is known about the operation
	 * @param needed the right that is needed
	 * @throws RdmaAccessDeniedException if it does not
	 */
	public void checkAccess(RdmaErrorContext context, AccessFlag needed) {
		if (!this.access.contains(needed)) {
			throw new RdmaAccessDeniedException(context, describe(), needed, this.access);
		}
	}

	/**
	 * Check that 8 bytes at an offset can be changed atomically.
	 * @param context what is known about the operation
	 * @param offset where they are
	 * @throws RdmaAlignmentException if their address is not a multiple of 8
	 */
	public void checkAligned(RdmaErrorContext context, long offset) {
		if (!isAligned(offset)) {
			throw new RdmaAlignmentException(context, describe(), offset);
		}
	}

	private String describe() {
		return "region '" + this.name + "'";
	}

	/**
	 * Return name, length and rights: no address, no key.
	 * @return the text
	 */
	@Override
	public String toString() {
		return describe() + " (" + this.length + " bytes, " + this.access + ")";
	}

}
