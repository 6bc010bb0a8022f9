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

package io.rdma.verbs;

import io.rdma.verbs.StructLayouts.RecvWr;

/**
 * One receive work request: a flyweight over its place in {@link ReceiveWorkRequests}.
 */
public final class ReceiveWorkRequest {

	private final ArenaMemory arena;

	private final int index;

	private final int offset;

	private int entries;

	ReceiveWorkRequest(ArenaMemory arena, int index) {
		this.arena = arena;
		this.index = index;
		this.offset = arena.wrOffset(index);
	}

	void reset() {
		this.arena.begin(this.index, RecvWr.NEXT);
		this.entries = 0;
		this.arena.putLong(this.offset + RecvWr.WR_ID, 0);
		this.arena.putInt(this.offset + RecvWr.NUM_SGE, 0);
	}

	/**
	 * Set the caller's context, which comes back in the work completion.
	 * @param wrId any value
	 * @return this
	 */
	public ReceiveWorkRequest wrId(long wrId) {
		this.arena.putLong(this.offset + RecvWr.WR_ID, wrId);
		return this;
	}

	/**
	 * Append a piece of local memory to the scatter/gather list. A length of 0 adds
	 * nothing.
	 * @param region the region; needs {@link AccessFlag#LOCAL_WRITE}
	 * @param offset where in it, from 0
	 * @param length how many bytes
	 * @return this
	 * @throws IndexOutOfBoundsException if that is not within the region
	 * @throws ResourceClosedException if the region is closed
	 * @throws IllegalStateException if the chain has no room for another entry
	 */
	public ReceiveWorkRequest addSge(MemoryRegion region, long offset, int length) {
		this.entries = this.arena.addSge(this.index, this.entries, region, offset, length);
		this.arena.putInt(this.offset + RecvWr.NUM_SGE, this.entries);
		return this;
	}

	@Override
	public String toString() {
		return "receive work request " + this.index + " (wr_id " + this.arena.getLong(this.offset + RecvWr.WR_ID) + ")";
	}

}
