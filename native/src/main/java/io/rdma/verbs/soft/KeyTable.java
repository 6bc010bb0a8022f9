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

	private static final int MIN_SLOTS = 16;

	/** Open addressing by the low bits of the key, which is random. Never changed. */
	private volatile @Nullable MemoryGrant[] slots = new MemoryGrant[MIN_SLOTS];

	private int size;

	@Nullable MemoryGrant find(int key) {
		@Nullable MemoryGrant[] current = this.slots;
		int mask = current.length - 1;
		int index = key & mask;
		while (true) {
			MemoryGrant grant = current[index];
			if (grant == null || grant.key() == key) {
				return grant;
			}
			index = (index + 1) & mask;
		}
	}

	/**
	 * Return a mark of what the table holds now.
	 * @return the mark, another one after each change
	 */
	Object version() {
		return this.slots;
	}

	boolean isVersion(@Nullable Object mark) {
		return this.slots == mark;
	}

	/**
	 * Find the memory region at an address, whatever its key. Slow, as there is no index
	 * by address.
	 * @param address the first address
	 * @param length how many bytes
	 * @return the grant of the region, {@code null} if there is none
	 */
	@Nullable MemoryGrant findRegion(long address, long length) {
		for (MemoryGrant grant : this.slots) {
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
		rebuild(this.size + 1, null, grant);
		return grant;
	}

	/**
	 * Add a grant whose key was chosen before.
	 * @param grant the grant
	 * @return whether the key was still free
	 */
	synchronized boolean add(MemoryGrant grant) {
		if (find(grant.key()) != null) {
			return false;
		}
		rebuild(this.size + 1, null, grant);
		return true;
	}

	synchronized void remove(MemoryGrant grant) {
		if (find(grant.key()) == grant) {
			rebuild(this.size - 1, grant, null);
		}
	}

	private void rebuild(int newSize, @Nullable MemoryGrant removed, @Nullable MemoryGrant added) {
		int length = MIN_SLOTS;
		while (length < newSize * 2) {
			length *= 2;
		}
		@Nullable MemoryGrant[] rebuilt = new MemoryGrant[length];
		for (MemoryGrant grant : this.slots) {
			if (grant != null && grant != removed) {
				put(rebuilt, grant);
			}
		}
		if (added != null) {
			put(rebuilt, added);
		}
		this.size = newSize;
		this.slots = rebuilt;
	}

	private static void put(@Nullable MemoryGrant[] slots, MemoryGrant grant) {
		int mask = slots.length - 1;
		int index = grant.key() & mask;
		while (slots[index] != null) {
			index = (index + 1) & mask;
		}
		slots[index] = grant;
	}

}
