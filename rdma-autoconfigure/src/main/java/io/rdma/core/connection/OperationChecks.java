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

import io.rdma.core.exception.RdmaAccessDeniedException;
import io.rdma.core.exception.RdmaBoundsException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaMessageTooLargeException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import lombok.RequiredArgsConstructor;

/**
 * Checks an operation before it is posted: local and remote bounds, access, alignment and
 * size. What does not pass never reaches the device. Thread-safe; allocates nothing if
 * all is well.
 */
@RequiredArgsConstructor
final class OperationChecks {

	private final RdmaConnection connection;

	private final ProtectionDomain protectionDomain;

	void check(Operation operation) {
		OperationKind kind = operation.kind();
		if (kind == OperationKind.RECEIVE) {
			throw new IllegalArgumentException("A RECEIVE is not posted; take messages from the inbox");
		}
		checkLocal(operation);
		AccessFlag access = kind.requiredAccess();
		if (access != null) {
			checkRemote(operation, access);
		}
		else if (operation.length() > this.connection.maxMessageSize()) {
			throw new RdmaMessageTooLargeException(known(operation), operation.length(),
					this.connection.maxMessageSize(),
					"Send it in parts, write it into a region of the peer, or raise rdma.template.max-message-size "
							+ "at the peer.");
		}
	}

	private void checkLocal(Operation operation) {
		RdmaBuffer buffer = operation.buffer();
		MemoryRegion memory = operation.memory();
		if (memory != null && memory.protectionDomain() != this.protectionDomain) {
			throw new IllegalArgumentException(
					"The local memory belongs to another protection domain than the connection; take it from the same "
							+ "RdmaMemoryPool or RdmaRegions");
		}
		long size = (buffer != null) ? buffer.capacity() : ((memory != null) ? memory.length() : 0);
		long offset = operation.givenOffset();
		if (offset < 0 || offset > size - operation.length()) {
			throw new RdmaBoundsException(known(operation), (buffer != null) ? "the buffer" : "the local memory",
					offset, operation.length(), size);
		}
		boolean written = operation.kind() == OperationKind.READ || operation.kind().isAtomic();
		if (written && memory != null && !memory.access().contains(AccessFlag.LOCAL_WRITE)) {
			throw new RdmaAccessDeniedException(known(operation), "the local memory", AccessFlag.LOCAL_WRITE,
					memory.access());
		}
	}

	private void checkRemote(Operation operation, AccessFlag access) {
		RemoteRegion region = operation.region();
		OperationKind kind = operation.kind();
		if (region == null) {
			throw new IllegalArgumentException("A " + kind + " needs a remote region");
		}
		if (!region.access().contains(access)) {
			region.checkAccess(known(operation), access);
		}
		if (!region.contains(operation.remoteOffset(), operation.length())) {
			region.checkBounds(known(operation), operation.remoteOffset(), operation.length());
		}
		if (kind.isAtomic()) {
			if (operation.length() != Long.BYTES) {
				throw new IllegalArgumentException(
						"A " + kind + " needs 8 bytes of local memory, but " + operation.length() + " were given");
			}
			if (!region.isAligned(operation.remoteOffset())) {
				region.checkAligned(known(operation), operation.remoteOffset());
			}
		}
		else if (operation.length() > this.connection.maxTransferSize()) {
			throw new RdmaMessageTooLargeException(known(operation), operation.length(),
					this.connection.maxTransferSize(), "Move it in parts, as RdmaTemplate does.");
		}
	}

	private RdmaErrorContext known(Operation operation) {
		return this.connection.context(operation.kind().name());
	}

}
