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

import io.rdma.verbs.AccessFlag;

/**
 * A receive that was taken from its queue to be filled. One object is used for one
 * receive after the other. Not thread-safe.
 */
final class ReceiveRequest {

	private final GrantCache grants;

	private final SegmentList segments;

	private final long[] addresses;

	private final int[] lengths;

	private final int[] keys;

	private long wrId;

	private int count;

	ReceiveRequest(SoftProtectionDomain domain, int maxEntries) {
		this.grants = new GrantCache(domain, null);
		this.segments = new SegmentList(maxEntries);
		this.addresses = new long[maxEntries];
		this.lengths = new int[maxEntries];
		this.keys = new int[maxEntries];
	}

	void start(long newWrId) {
		this.wrId = newWrId;
		this.count = 0;
	}

	void add(long address, int length, int key) {
		this.addresses[this.count] = address;
		this.lengths[this.count] = length;
		this.keys[this.count] = key;
		this.count++;
	}

	long wrId() {
		return this.wrId;
	}

	/**
	 * Return how long a message may be to fit.
	 * @return the number of bytes
	 */
	long room() {
		long room = 0;
		for (int i = 0; i < this.count; i++) {
			room += Integer.toUnsignedLong(this.lengths[i]);
		}
		return room;
	}

	/**
	 * Find the memory that a message goes to. Entries that it does not reach are not
	 * looked at.
	 * @param length how many bytes the message has, at most what there is room for
	 * @return whether all of it may be written
	 */
	boolean find(long length) {
		return find(0, length);
	}

	/**
	 * Find the memory that a part of a message goes to. Entries that it does not reach
	 * are not looked at.
	 * @param from where in the message the part starts
	 * @param length how many bytes it has; there is room for them
	 * @return whether all of it may be written
	 */
	boolean find(long from, long length) {
		long skip = from;
		long remaining = length;
		for (int i = 0; remaining > 0; i++) {
			long room = Integer.toUnsignedLong(this.lengths[i]);
			if (skip >= room) {
				skip -= room;
				continue;
			}
			long part = Math.min(remaining, room - skip);
			MemoryGrant grant = this.grants.find(this.keys[i], AccessFlag.LOCAL_WRITE.bit());
			long offset = (grant != null) ? grant.locate(this.addresses[i], Integer.toUnsignedLong(this.lengths[i]))
					: MemoryGrant.OUTSIDE;
			if (grant == null || offset == MemoryGrant.OUTSIDE) {
				return false;
			}
			this.segments.add(grant.memory(), offset + skip, part);
			remaining -= part;
			skip = 0;
		}
		return true;
	}

	SegmentList segments() {
		return this.segments;
	}

	/**
	 * Be done with the memory.
	 */
	void release() {
		this.segments.clear();
	}

	/**
	 * Let go of all memory that was ever found.
	 */
	void forget() {
		this.grants.forget();
		this.segments.forget();
	}

}
