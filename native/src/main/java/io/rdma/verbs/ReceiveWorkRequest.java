package io.rdma.verbs;

import io.rdma.verbs.StructLayouts.RecvWr;

/**
 * One receive work request: a flyweight over its place in {@link ReceiveWorkRequests}.
 */
public final class ReceiveWorkRequest {

	private final ArenaMemory arena;

	private final int index;

	private final int offset;

	ReceiveWorkRequest(ArenaMemory arena, int index) {
		this.arena = arena;
		this.index = index;
		this.offset = arena.wrOffset(index);
	}

	void reset() {
		this.arena.clear(this.index, RecvWr.SIZE, RecvWr.NEXT, RecvWr.SG_LIST);
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
		this.arena.addSge(this.index, RecvWr.NUM_SGE, region, offset, length);
		return this;
	}

	@Override
	public String toString() {
		return "receive work request " + this.index + " (wr_id " + this.arena.getLong(this.offset + RecvWr.WR_ID) + ")";
	}

}
