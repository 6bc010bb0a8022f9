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

package io.rdma.core.exception;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import lombok.With;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a failed operation. Immutable; made by {@link #none()} or
 * {@link #peer(String)} and the {@code with} methods.
 *
 * @param peer the name of the peer
 * @param qpNumber the number of the local queue pair, 24 bits
 * @param operation what was done, for example {@code WRITE}
 * @param status the status of the work completion
 * @param errno the error number that a verb returned
 * @param vendorError the vendor's own error code of the work completion, 0 is not shown
 */
@With
public record RdmaErrorContext(@Nullable String peer, @Nullable Integer qpNumber, @Nullable String operation,
		@Nullable CompletionStatus status, @Nullable Errno errno,
		@Nullable Integer vendorError) implements Serializable {

	private static final RdmaErrorContext NONE = new RdmaErrorContext(null, null, null, null, null, null);

	/**
	 * Return a context that knows nothing.
	 * @return the context
	 */
	public static RdmaErrorContext none() {
		return NONE;
	}

	/**
	 * Return a context that knows the peer only.
	 * @param peer the name of the peer
	 * @return the context
	 */
	public static RdmaErrorContext peer(String peer) {
		return NONE.withPeer(peer);
	}

	/**
	 * Return a context that knows peer, queue pair and operation.
	 * @param peer the name of the peer
	 * @param qpNumber the number of the local queue pair
	 * @param operation what was done
	 * @return the context
	 */
	public static RdmaErrorContext of(String peer, int qpNumber, String operation) {
		return new RdmaErrorContext(peer, qpNumber, operation, null, null, null);
	}

	/**
	 * Return what is known, as the start of a message.
	 * @return for example
	 * {@code WRITE, peer 'storage', queue pair 0x000011, status REM_ACCESS_ERR}, empty if
	 * nothing is known
	 */
	public String describe() {
		List<String> parts = new ArrayList<>();
		if (this.operation != null) {
			parts.add(this.operation);
		}
		if (this.peer != null) {
			parts.add("peer '" + this.peer + "'");
		}
		if (this.qpNumber != null) {
			parts.add("queue pair 0x%06x".formatted(this.qpNumber));
		}
		if (this.status != null) {
			parts.add("status " + this.status);
		}
		if (this.errno != null) {
			parts.add("errno " + this.errno);
		}
		if (this.vendorError != null && this.vendorError != 0) {
			parts.add("vendor error 0x%x".formatted(this.vendorError));
		}
		return String.join(", ", parts);
	}

}
