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

import io.rdma.verbs.soft.packet.Psn;

/**
 * What a responder remembers of the READ and atomic requests that it carried out last, so
 * that it can answer them again if the answer was lost. The oldest gives way. Guarded by
 * the lock of the responder.
 */
final class ResponderResources {

	static final int NONE = -1;

	private final int capacity;

	private final int[] firstPsns;

	private final int[] packets;

	private final int[] keys;

	private final long[] addresses;

	/** How many bytes were read, or the value that was found by an atomic operation. */
	private final long[] values;

	private final boolean[] atomic;

	private int count;

	private int next;

	/**
	 * Create room for what a peer may have under way.
	 * @param requests how many
	 */
	ResponderResources(int requests) {
		this.capacity = requests;
		this.firstPsns = new int[requests];
		this.packets = new int[requests];
		this.keys = new int[requests];
		this.addresses = new long[requests];
		this.values = new long[requests];
		this.atomic = new boolean[requests];
	}

	void addRead(int firstPsn, int packetCount, int key, long address, long length) {
		add(firstPsn, packetCount, false, length);
		int added = (this.next + this.capacity - 1) % this.capacity;
		this.keys[added] = key;
		this.addresses[added] = address;
	}

	void addAtomic(int psn, long found) {
		add(psn, 1, true, found);
	}

	private void add(int firstPsn, int packetCount, boolean isAtomic, long value) {
		this.firstPsns[this.next] = firstPsn;
		this.packets[this.next] = packetCount;
		this.atomic[this.next] = isAtomic;
		this.values[this.next] = value;
		this.next = (this.next + 1) % this.capacity;
		this.count = Math.min(this.capacity, this.count + 1);
	}

	/**
	 * Find the request that a PSN belongs to.
	 * @param psn the PSN
	 * @param isAtomic whether it must be an atomic request, or else a READ
	 * @return the index of the resource, {@link #NONE} if it is not remembered
	 */
	int find(int psn, boolean isAtomic) {
		for (int i = 1; i <= this.count; i++) {
			int index = (this.next + this.capacity - i) % this.capacity;
			int offset = Psn.difference(psn, this.firstPsns[index]);
			if (this.atomic[index] == isAtomic && offset >= 0 && offset < this.packets[index]) {
				return index;
			}
		}
		return NONE;
	}

	/**
	 * Return the last PSN that an acknowledgement of an earlier packet may name: one that
	 * names a READ or atomic request or what is behind it says that its answer was sent,
	 * and would be taken for it.
	 * @param psn the PSN of the earlier packet
	 * @param lastPsn the PSN of the last packet that was carried out
	 * @return the PSN, from {@code psn} to {@code lastPsn}
	 */
	int lastBeforeRequestBehind(int psn, int lastPsn) {
		int last = lastPsn;
		for (int i = 0; i < this.count; i++) {
			int index = (this.next + this.capacity - 1 - i) % this.capacity;
			int before = Psn.add(this.firstPsns[index], -1);
			if (Psn.difference(before, psn) >= 0 && Psn.difference(before, last) < 0) {
				last = before;
			}
		}
		return last;
	}

	long found(int index) {
		return this.values[index];
	}

	/**
	 * Return whether a READ asks for a part of what one before it asked for.
	 * @param index the index of the resource
	 * @param psn the PSN of the new one
	 * @param key its key
	 * @param address its address
	 * @param length its length
	 * @param mtuShift the largest payload of a packet, as a power of two
	 * @return whether it is the same one again, or the rest of it
	 */
	boolean covers(int index, int psn, int key, long address, long length, int mtuShift) {
		long skipped = (long) Psn.difference(psn, this.firstPsns[index]) << mtuShift;
		return this.keys[index] == key && address == this.addresses[index] + skipped
				&& length <= this.values[index] - skipped;
	}

}
