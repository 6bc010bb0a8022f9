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

package io.rdma.demo.atomic;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

import io.rdma.core.RdmaOperations;
import io.rdma.demo.support.RemoteProperties;
import io.rdma.demo.support.Sha256;
import lombok.RequiredArgsConstructor;

import org.springframework.stereotype.Component;

/**
 * Locks in a region of a peer, known by name to every process that uses the region. Each
 * lock has two words: the hash of its name and the token of its owner, 0 while it is
 * free. Both change by COMPARE_AND_SWAP only, so no process needs to know of another.
 */
@Component
@RequiredArgsConstructor
class LockTable {

	private static final int SLOT_SIZE = 2 * Long.BYTES;

	private final RdmaOperations rdma;

	private final RemoteProperties remote;

	private final SecureRandom random = new SecureRandom();

	/**
	 * Acquire a lock.
	 * @param name its name
	 * @return the token that releases it
	 * @throws LockHeldException if somebody holds it
	 */
	long acquire(String name) {
		long slot = slot(name);
		long token = token();
		if (compareAndSwap(slot + Long.BYTES, 0, token) != 0) {
			throw new LockHeldException("The lock '%s' is held. Wait until its owner releases it.".formatted(name));
		}
		return token;
	}

	/**
	 * Release a lock.
	 * @param name its name
	 * @param token what {@link #acquire(String)} returned
	 * @throws LockHeldException if it is not held with this token
	 */
	void release(String name, long token) {
		if (token == 0 || compareAndSwap(slot(name) + Long.BYTES, token, 0) != token) {
			throw new LockHeldException(
					"The lock '%s' is not held with this token. Give the token that acquiring it returned."
						.formatted(name));
		}
	}

	/**
	 * Find the slot of a lock, or claim the first free one after its place.
	 */
	private long slot(String name) {
		long hash = hash(name);
		long slots = slots();
		for (long i = 0; i < slots; i++) {
			long offset = Long.remainderUnsigned(hash + i, slots) * SLOT_SIZE;
			long found = compareAndSwap(offset, 0, hash);
			if (found == 0 || found == hash) {
				return offset;
			}
		}
		throw new LockTableFullException(this.remote.locks(), slots);
	}

	private long slots() {
		return this.rdma.execute(this.remote.peer(), (connection) -> connection.region(this.remote.locks()).length())
				/ SLOT_SIZE;
	}

	private long compareAndSwap(long offset, long expected, long value) {
		return this.rdma.compareAndSwap(this.remote.peer(), this.remote.locks(), offset, expected, value);
	}

	private long token() {
		long token = this.random.nextLong();
		return (token != 0) ? token : 1;
	}

	private static long hash(String name) {
		long hash = ByteBuffer.wrap(Sha256.newDigest().digest(name.getBytes(StandardCharsets.UTF_8))).getLong();
		return (hash != 0) ? hash : 1;
	}

}
