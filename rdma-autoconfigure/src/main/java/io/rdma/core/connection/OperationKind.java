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

import io.rdma.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/**
 * What an operation does.
 */
public enum OperationKind {

	/**
	 * Sends a message to the peer's inbox.
	 */
	SEND(null),

	/**
	 * Takes a message from the inbox. Never posted; for metrics only.
	 */
	RECEIVE(null),

	/**
	 * Writes to a region of the peer.
	 */
	WRITE(AccessFlag.REMOTE_WRITE),

	/**
	 * Writes to a region of the peer and puts 32 bits into its inbox.
	 */
	WRITE_WITH_IMMEDIATE(AccessFlag.REMOTE_WRITE),

	/**
	 * Reads from a region of the peer.
	 */
	READ(AccessFlag.REMOTE_READ),

	/**
	 * Replaces 8 bytes in a region of the peer if they have an expected value.
	 */
	COMPARE_AND_SWAP(AccessFlag.REMOTE_ATOMIC),

	/**
	 * Adds to 8 bytes in a region of the peer.
	 */
	FETCH_AND_ADD(AccessFlag.REMOTE_ATOMIC);

	private final @Nullable AccessFlag requiredAccess;

	OperationKind(@Nullable AccessFlag requiredAccess) {
		this.requiredAccess = requiredAccess;
	}

	/**
	 * Return which right the region of the peer must grant.
	 * @return the right, {@code null} if no region is involved
	 */
	public @Nullable AccessFlag requiredAccess() {
		return this.requiredAccess;
	}

	/**
	 * Return whether one of the peer's receives, and so a credit, is used up.
	 * @return whether a credit is needed
	 */
	public boolean needsCredit() {
		return this == SEND || this == WRITE_WITH_IMMEDIATE;
	}

	/**
	 * Return whether 8 aligned bytes are read and changed.
	 * @return whether it is atomic
	 */
	public boolean isAtomic() {
		return this == COMPARE_AND_SWAP || this == FETCH_AND_ADD;
	}

}
