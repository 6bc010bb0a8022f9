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

import org.jspecify.annotations.Nullable;

/**
 * The grant that one side of a queue pair used last. The next request mostly names the
 * same key, and then nothing is looked up or checked again, unless the keys of the device
 * have changed meanwhile. Not thread-safe.
 */
final class GrantCache {

	private final SoftProtectionDomain domain;

	/** The queue pair whose peer names the keys, {@code null} if its owner does. */
	private final @Nullable SoftQueuePair accessedBy;

	private final KeyTable keys;

	private @Nullable Object version;

	private int key;

	private int access;

	private @Nullable MemoryGrant grant;

	GrantCache(SoftProtectionDomain domain, @Nullable SoftQueuePair accessedBy) {
		this.domain = domain;
		this.accessedBy = accessedBy;
		this.keys = domain.context().keys();
	}

	/**
	 * Find what a key stands for.
	 * @param wantedKey the key
	 * @param wantedAccess the rights that are needed
	 * @return the grant, {@code null} if the key stands for no such memory
	 */
	@Nullable MemoryGrant find(int wantedKey, int wantedAccess) {
		if (this.key == wantedKey && this.access == wantedAccess && this.keys.isVersion(this.version)) {
			return this.grant;
		}
		return lookUp(wantedKey, wantedAccess);
	}

	private @Nullable MemoryGrant lookUp(int wantedKey, int wantedAccess) {
		Object current = this.keys.version();
		MemoryGrant found = (this.accessedBy != null)
				? this.domain.remoteGrant(wantedKey, this.accessedBy, wantedAccess)
				: this.domain.localGrant(wantedKey, wantedAccess);
		this.key = wantedKey;
		this.access = wantedAccess;
		this.grant = found;
		this.version = current;
		return found;
	}

	/**
	 * Let go of what was found.
	 */
	void forget() {
		this.version = null;
		this.grant = null;
	}

}
