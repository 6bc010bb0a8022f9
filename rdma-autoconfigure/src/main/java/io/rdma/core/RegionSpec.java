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

package io.rdma.core;

import java.util.function.Consumer;

import io.rdma.core.connection.Operation;
import io.rdma.core.connection.OperationKind;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.connection.RemoteRegion;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/**
 * An operation on a region of a peer.
 */
final class RegionSpec extends OperationSpec {

	private final String region;

	private final long offset;

	private final long length;

	private final @Nullable Integer immediate;

	private final @Nullable Consumer<Operation> details;

	private RegionSpec(OperationKind kind, String peer, String region, long offset, long length,
			@Nullable RdmaPayload payload, @Nullable Integer immediate, @Nullable Consumer<Operation> details) {
		super(kind, peer, payload);
		this.region = region;
		this.offset = offset;
		this.length = length;
		this.immediate = immediate;
		this.details = details;
	}

	static RegionSpec write(String peer, String region, long offset, RdmaPayload payload, @Nullable Integer immediate) {
		return (immediate != null)
				? new RegionSpec(OperationKind.WRITE_WITH_IMMEDIATE, peer, region, offset, -1, payload, immediate,
						(operation) -> operation.immediate(immediate))
				: new RegionSpec(OperationKind.WRITE, peer, region, offset, -1, payload, null, null);
	}

	static RegionSpec read(String peer, String region, long offset, long length) {
		return new RegionSpec(OperationKind.READ, peer, region, offset, length, null, null, null);
	}

	static RegionSpec read(String peer, String region, long offset, RegisteredPayload destination) {
		return new RegionSpec(OperationKind.READ, peer, region, offset, -1, destination, null, null);
	}

	static RegionSpec compareAndSwap(String peer, String region, long offset, long expected, long newValue) {
		return new RegionSpec(OperationKind.COMPARE_AND_SWAP, peer, region, offset, Long.BYTES, null, null,
				(operation) -> operation.compareAndSwap(expected, newValue));
	}

	static RegionSpec fetchAndAdd(String peer, String region, long offset, long delta) {
		return new RegionSpec(OperationKind.FETCH_AND_ADD, peer, region, offset, Long.BYTES, null, null,
				(operation) -> operation.fetchAndAdd(delta));
	}

	@Nullable Integer immediate() {
		return this.immediate;
	}

	long offset() {
		return this.offset;
	}

	/**
	 * Return how many bytes it moves, which can be more than one operation can.
	 * @return the length
	 */
	long length() {
		return (this.length >= 0) ? this.length : payloadLength();
	}

	/**
	 * Check a range of any length.
	 * @param connection the connection
	 * @param length how many bytes
	 * @return the region
	 */
	RemoteRegion check(RdmaConnection connection, long length) {
		RemoteRegion remote = connection.region(this.region);
		RdmaErrorContext context = context(connection);
		remote.checkBounds(context, this.offset, length);
		AccessFlag access = kind().requiredAccess();
		if (access != null) {
			remote.checkAccess(context, access);
		}
		if (kind().isAtomic()) {
			remote.checkAligned(context, this.offset);
		}
		return remote;
	}

	@Override
	int check(RdmaConnection connection) {
		long bytes = length();
		check(connection, bytes);
		return Math.toIntExact(bytes);
	}

	@Override
	void configure(Operation operation, RdmaConnection connection) {
		operation.remote(connection.region(this.region), this.offset);
		if (this.details != null) {
			this.details.accept(operation);
		}
	}

}
