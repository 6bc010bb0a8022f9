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

/**
 * Takes the measures of operations. Called once for each, when its outcome is known, on
 * whichever thread finds it: must be short, must not wait, must not throw.
 */
@FunctionalInterface
public interface OperationMetrics {

	/** Outcome of an operation that did what it should. */
	String SUCCESS = "success";

	/** Outcome of an operation that did not end in time. */
	String TIMEOUT = "timeout";

	/**
	 * Outcome of an operation that failed after it was posted or since there was no
	 * connection.
	 */
	String ERROR = "error";

	/** Outcome of an operation that was refused by a check on this side. */
	String REJECTED = "rejected";

	/** Records nothing. */
	OperationMetrics NONE = (peer, kind, outcome, bytes, nanos) -> {
	};

	/**
	 * Record an operation.
	 * @param peer the name of the peer
	 * @param kind what it did
	 * @param outcome one of the constants of this interface
	 * @param bytes how many bytes it moved, 0 if it failed
	 * @param nanos how long it took, in nanoseconds
	 */
	void recorded(String peer, OperationKind kind, String outcome, long bytes, long nanos);

}
