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

import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

/**
 * What the keys of a device stand for. Looking up takes no lock and allocates nothing; a
 * change copies the table, which is as rare as registering memory is. Thread-safe.
 */
final class KeyTable {

	private final NumberTable<MemoryGrant> grants = new NumberTable<>(MemoryGrant::key, MemoryGrant[]::new);

	@Nullable MemoryGrant find(int key) {
		return this.grants.find(key);
	}

	/**
	 * Return a mark of what the table holds now.
	 * @return the mark, another one after each change
	 */
	Object version() {
		return this.grants.all();
	}

	boolean isVersion(@Nullable Object mark) {
		return this.grants.all() == mark;
	}

	/**
	 * Find the memory region at an address, whatever its key. Slow, as there is no index
	 * by address.
	 * @param address the first address
	 * @param length how many bytes
	 * @return the grant of the region, {@code null} if there is none
	 */
	@Nullable MemoryGrant findRegion(long address, long length) {
		for (MemoryGrant grant : this.grants.all()) {
			if (grant != null && grant.window() == null && grant.locate(address, length) != MemoryGrant.OUTSIDE) {
				return grant;
			}
		}
		return null;
	}

	/**
	 * Choose a key that is not taken.
	 * @return the key
	 */
	synchronized int newKey() {
		int key = RandomNumbers.key();
		while (find(key) != null) {
			key = RandomNumbers.key();
		}
		return key;
	}

	synchronized MemoryGrant add(IntFunction<MemoryGrant> withKey) {
		MemoryGrant grant = withKey.apply(newKey());
		this.grants.add(grant);
		return grant;
	}

	/**
	 * Add a grant whose key was chosen before.
	 * @param grant the grant
	 * @return whether the key was still free
	 */
	synchronized boolean add(MemoryGrant grant) {
		return this.grants.add(grant);
	}

	synchronized void remove(MemoryGrant grant) {
		this.grants.remove(grant);
	}

}
