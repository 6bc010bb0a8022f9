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

import java.nio.ByteOrder;

import io.rdma.verbs.StructLayouts.SendWr;

/**
 * One send work request: a flyweight over its place in {@link SendWorkRequests}. Local
 * memory is given only as region, offset and length, and checked. The remote address and
 * rkey are given as the peer told them; the device checks them.
 */
public final class SendWorkRequest {

	private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

	private final ArenaMemory arena;

	private final int index;

	private final int offset;

	private int entries;

	private int flags;

	private boolean atomic;

	SendWorkRequest(ArenaMemory arena, int index) {
		this.arena = arena;
		this.index = index;
		this.offset = arena.wrOffset(index);
	}

	void reset() {
		this.arena.begin(this.index, SendWr.NEXT);
		this.entries = 0;
		this.flags = 0;
		this.arena.putLong(this.offset + SendWr.WR_ID, 0);
		this.arena.putInts(this.offset + SendWr.NUM_SGE, 0, WorkRequestOpcode.SEND.code());
		this.arena.putInts(this.offset + SendWr.SEND_FLAGS, 0, 0);
		this.arena.putLong(this.offset + SendWr.REMOTE_ADDR, 0);
		this.arena.putLong(this.offset + SendWr.COMPARE_ADD, 0);
		if (this.atomic) {
			// only an atomic operation reaches that far
			this.arena.putLong(this.offset + SendWr.SWAP, 0);
			this.arena.putLong(this.offset + SendWr.ATOMIC_RKEY, 0);
			this.atomic = false;
		}
	}

	private SendWorkRequest opcode(WorkRequestOpcode opcode) {
		this.arena.putInt(this.offset + SendWr.OPCODE, opcode.code());
		return this;
	}

	private SendWorkRequest immediate(int immediate) {
		this.arena.putInt(this.offset + SendWr.IMM_DATA, LITTLE_ENDIAN ? Integer.reverseBytes(immediate) : immediate);
		return this;
	}

	private SendWorkRequest rdma(long remoteAddress, int rkey) {
		this.arena.putLong(this.offset + SendWr.REMOTE_ADDR, remoteAddress);
		this.arena.putInt(this.offset + SendWr.RDMA_RKEY, rkey);
		return this;
	}

	private SendWorkRequest atomic(long remoteAddress, int rkey, long compareAdd, long swap) {
		this.atomic = true;
		this.arena.putLong(this.offset + SendWr.REMOTE_ADDR, remoteAddress);
		this.arena.putLong(this.offset + SendWr.COMPARE_ADD, compareAdd);
		this.arena.putLong(this.offset + SendWr.SWAP, swap);
		this.arena.putInt(this.offset + SendWr.ATOMIC_RKEY, rkey);
		return this;
	}

	/**
	 * Set the caller's context, which comes back in the work completion.
	 * @param wrId any value
	 * @return this
	 */
	public SendWorkRequest wrId(long wrId) {
		this.arena.putLong(this.offset + SendWr.WR_ID, wrId);
		return this;
	}

	/**
	 * Make it a SEND.
	 * @return this
	 */
	public SendWorkRequest send() {
		return opcode(WorkRequestOpcode.SEND);
	}

	/**
	 * Make it a SEND with immediate data.
	 * @param immediate the data, as the peer's {@link WorkCompletion#immediate()} gives
	 * it
	 * @return this
	 */
	public SendWorkRequest sendWithImmediate(int immediate) {
		return opcode(WorkRequestOpcode.SEND_WITH_IMM).immediate(immediate);
	}

	/**
	 * Make it a SEND that invalidates a memory window of the peer.
	 * @param rkey the rkey of the window
	 * @return this
	 */
	public SendWorkRequest sendWithInvalidate(int rkey) {
		this.arena.putInt(this.offset + SendWr.IMM_DATA, rkey);
		return opcode(WorkRequestOpcode.SEND_WITH_INV);
	}

	/**
	 * Make it an RDMA WRITE.
	 * @param remoteAddress where to, in the peer's terms
	 * @param rkey the key the peer gave
	 * @return this
	 */
	public SendWorkRequest rdmaWrite(long remoteAddress, int rkey) {
		return opcode(WorkRequestOpcode.RDMA_WRITE).rdma(remoteAddress, rkey);
	}

	/**
	 * Make it an RDMA WRITE with immediate data, which completes one of the peer's
	 * receives.
	 * @param remoteAddress where to, in the peer's terms
	 * @param rkey the key the peer gave
	 * @param immediate the data
	 * @return this
	 */
	public SendWorkRequest rdmaWriteWithImmediate(long remoteAddress, int rkey, int immediate) {
		return opcode(WorkRequestOpcode.RDMA_WRITE_WITH_IMM).rdma(remoteAddress, rkey).immediate(immediate);
	}

	/**
	 * Make it an RDMA READ.
	 * @param remoteAddress where from, in the peer's terms
	 * @param rkey the key the peer gave
	 * @return this
	 */
	public SendWorkRequest rdmaRead(long remoteAddress, int rkey) {
		return opcode(WorkRequestOpcode.RDMA_READ).rdma(remoteAddress, rkey);
	}

	/**
	 * Make it an atomic compare and swap of 8 bytes. The value found is put into the
	 * scatter/gather list, in the byte order of the machine.
	 * @param remoteAddress where, a multiple of 8
	 * @param rkey the key the peer gave
	 * @param expected what must be found for the swap to happen
	 * @param newValue what is put in its place
	 * @return this
	 */
	public SendWorkRequest compareAndSwap(long remoteAddress, int rkey, long expected, long newValue) {
		return opcode(WorkRequestOpcode.ATOMIC_CMP_AND_SWP).atomic(remoteAddress, rkey, expected, newValue);
	}

	/**
	 * Make it an atomic fetch and add of 8 bytes. The value found is put into the
	 * scatter/gather list, in the byte order of the machine.
	 * @param remoteAddress where, a multiple of 8
	 * @param rkey the key the peer gave
	 * @param delta what is added
	 * @return this
	 */
	public SendWorkRequest fetchAndAdd(long remoteAddress, int rkey, long delta) {
		return opcode(WorkRequestOpcode.ATOMIC_FETCH_AND_ADD).atomic(remoteAddress, rkey, delta, 0);
	}

	/**
	 * Make it an invalidation of a local memory window.
	 * @param rkey the rkey of the window
	 * @return this
	 */
	public SendWorkRequest localInvalidate(int rkey) {
		this.arena.putInt(this.offset + SendWr.IMM_DATA, rkey);
		return opcode(WorkRequestOpcode.LOCAL_INV);
	}

	/**
	 * Append a piece of local memory to the scatter/gather list. A length of 0 adds
	 * nothing.
	 * @param region the region
	 * @param offset where in it, from 0
	 * @param length how many bytes
	 * @return this
	 * @throws IndexOutOfBoundsException if that is not within the region
	 * @throws ResourceClosedException if the region is closed
	 * @throws IllegalStateException if the chain has no room for another entry
	 */
	public SendWorkRequest addSge(MemoryRegion region, long offset, int length) {
		this.entries = this.arena.addSge(this.index, this.entries, region, offset, length);
		this.arena.putInt(this.offset + SendWr.NUM_SGE, this.entries);
		return this;
	}

	/**
	 * Set a flag.
	 * @param flag the flag
	 * @return this
	 */
	public SendWorkRequest flag(SendFlag flag) {
		this.flags |= flag.bit();
		this.arena.putInt(this.offset + SendWr.SEND_FLAGS, this.flags);
		return this;
	}

	/**
	 * Ask for a work completion on success too.
	 * @return this
	 */
	public SendWorkRequest signaled() {
		return flag(SendFlag.SIGNALED);
	}

	/**
	 * Ask to start only after all earlier READ and atomic requests.
	 * @return this
	 */
	public SendWorkRequest fenced() {
		return flag(SendFlag.FENCE);
	}

	/**
	 * Ask for a solicited completion at the peer.
	 * @return this
	 */
	public SendWorkRequest solicited() {
		return flag(SendFlag.SOLICITED);
	}

	/**
	 * Ask to copy the payload while posting.
	 * @return this
	 */
	public SendWorkRequest inlined() {
		return flag(SendFlag.INLINE);
	}

	@Override
	public String toString() {
		return "send work request " + this.index + " ("
				+ WorkRequestOpcode.of(this.arena.getInt(this.offset + SendWr.OPCODE)) + ", wr_id "
				+ this.arena.getLong(this.offset + SendWr.WR_ID) + ")";
	}

}
