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

import java.nio.ByteBuffer;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.HostMemory;
import io.rdma.verbs.SendFlag;
import io.rdma.verbs.StructLayouts;
import io.rdma.verbs.StructLayouts.SendWr;
import io.rdma.verbs.StructLayouts.Sge;
import io.rdma.verbs.WorkRequestOpcode;
import io.rdma.verbs.soft.packet.Psn;
import org.jspecify.annotations.Nullable;

/**
 * A send work request as the device sees it: a view of where it stands, in the caller's
 * chain or in the send queue, and of the local memory it names. One object is used for
 * one request after the other. Not thread-safe.
 */
final class SendRequest implements IncomingRequest {

	private static final WorkRequestOpcode[] OPCODES = WorkRequestOpcode.values();

	private final SoftProtectionDomain protectionDomain;

	private final GrantCache grants;

	private final SegmentList segments;

	/** Holds the value that an atomic operation found, on its way to where it goes. */
	private final HostMemory result = HostMemory.of(ByteBuffer.allocateDirect(2 * Long.BYTES).alignedSlice(Long.BYTES));

	private ByteBuffer memory;

	private int at;

	private int payload;

	private long length;

	private @Nullable WorkRequestOpcode opcode;

	private int flags;

	private int entryCount;

	/** Whether an inline payload was copied. */
	private boolean copied;

	/** The memory that inline payloads are copied to. */
	private @Nullable HostMemory payloadMemory;

	private int psn;

	private int mtuShift;

	private int nextPsn;

	SendRequest(SoftProtectionDomain protectionDomain, int maxEntries, ByteBuffer memory) {
		this.protectionDomain = protectionDomain;
		this.grants = new GrantCache(protectionDomain, null);
		this.segments = new SegmentList(Math.max(1, maxEntries));
		this.memory = memory;
	}

	/**
	 * Look at a request.
	 * @param chain the memory it stands in
	 * @param offset where it stands
	 * @param entries where its scatter/gather entries or its copied payload stand
	 * @param payloadMemory the same memory again, where inline payloads are copied;
	 * {@code null} where they are not
	 */
	@SuppressWarnings("ReferenceEquality") // buffers are equal by content, which is not
											// meant
	void view(ByteBuffer chain, int offset, int entries, @Nullable HostMemory payloadMemory) {
		if (this.memory != chain) {
			this.memory = chain;
		}
		this.at = offset;
		this.payload = entries;
		WorkRequestOpcode decoded = decode(getInt(SendWr.OPCODE));
		if (this.opcode != decoded) {
			this.opcode = decoded;
		}
		this.flags = getInt(SendWr.SEND_FLAGS);
		this.entryCount = getInt(SendWr.NUM_SGE);
		this.copied = payloadMemory != null && isInline();
		this.payloadMemory = payloadMemory;
		this.length = this.copied ? getLong(SendQueue.INLINE_LENGTH) : sumOfEntries();
	}

	private long sumOfEntries() {
		long sum = 0;
		for (int i = 0; i < this.entryCount; i++) {
			sum += Integer.toUnsignedLong(entryInt(i, Sge.LENGTH));
		}
		return sum;
	}

	private int getInt(int field) {
		return (int) StructLayouts.INT.get(this.memory, this.at + field);
	}

	private long getLong(int field) {
		return (long) StructLayouts.LONG.get(this.memory, this.at + field);
	}

	private int entryInt(int index, int field) {
		return (int) StructLayouts.INT.get(this.memory, this.payload + index * Sge.SIZE + field);
	}

	private long entryAddress(int index) {
		return (long) StructLayouts.LONG.get(this.memory, this.payload + index * Sge.SIZE + Sge.ADDR);
	}

	ByteBuffer memory() {
		return this.memory;
	}

	int at() {
		return this.at;
	}

	int payload() {
		return this.payload;
	}

	@Override
	public long length() {
		return this.length;
	}

	long wrId() {
		return getLong(SendWr.WR_ID);
	}

	int entryCount() {
		return this.entryCount;
	}

	@Override
	public @Nullable WorkRequestOpcode opcode() {
		return this.opcode;
	}

	private static @Nullable WorkRequestOpcode decode(int number) {
		return (number >= 0 && number < OPCODES.length) ? OPCODES[number] : null;
	}

	boolean isSignaled() {
		return SendFlag.SIGNALED.isIn(this.flags);
	}

	@Override
	public boolean isSolicited() {
		return SendFlag.SOLICITED.isIn(this.flags);
	}

	boolean isFenced() {
		return SendFlag.FENCE.isIn(this.flags);
	}

	boolean isInline() {
		return SendFlag.INLINE.isIn(this.flags);
	}

	@Override
	public int immediate() {
		return getInt(SendWr.IMM_DATA);
	}

	@Override
	public long remoteAddress() {
		return getLong(SendWr.REMOTE_ADDR);
	}

	@Override
	public int rdmaKey() {
		return getInt(SendWr.RDMA_RKEY);
	}

	@Override
	public int atomicKey() {
		return getInt(SendWr.ATOMIC_RKEY);
	}

	@Override
	public long compareAdd() {
		return getLong(SendWr.COMPARE_ADD);
	}

	@Override
	public long swap() {
		return getLong(SendWr.SWAP);
	}

	@Override
	public SegmentList segments() {
		return this.segments;
	}

	/**
	 * Find the local memory that the message comes from.
	 * @return whether all of it may be read
	 */
	boolean findSource() {
		HostMemory inline = this.payloadMemory;
		if (this.copied && inline != null) {
			if (this.length > 0) {
				this.segments.add(inline, this.payload, this.length);
			}
			return true;
		}
		return find(0);
	}

	@Override
	public boolean findLanding() {
		return find(AccessFlag.LOCAL_WRITE.bit());
	}

	@Override
	public boolean land(long found) {
		if (!findLanding()) {
			return false;
		}
		this.result.putLongRelease(0, found);
		this.segments.scatterFrom(this.result, 0, Long.BYTES);
		return true;
	}

	private boolean find(int access) {
		for (int i = 0; i < this.entryCount; i++) {
			long address = entryAddress(i);
			long entryLength = Integer.toUnsignedLong(entryInt(i, Sge.LENGTH));
			MemoryGrant grant = this.grants.find(entryInt(i, Sge.LKEY), access);
			if (grant == null && isInline()) {
				// the processor copies inline data, and needs no key for it
				grant = this.protectionDomain.context().keys().findRegion(address, entryLength);
			}
			long offset = (grant != null) ? grant.locate(address, entryLength) : MemoryGrant.OUTSIDE;
			if (grant == null || offset == MemoryGrant.OUTSIDE) {
				return false;
			}
			this.segments.add(grant.memory(), offset, entryLength);
		}
		return true;
	}

	/**
	 * Be done with the local memory.
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

	/**
	 * Give the request its place in the order of all requests of its queue pair.
	 * @param firstPsn the PSN of its first packet
	 * @param pathMtuShift the largest payload of a packet, as a power of two
	 */
	void stamp(int firstPsn, int pathMtuShift) {
		this.psn = firstPsn;
		this.mtuShift = pathMtuShift;
		this.nextPsn = Psn.add(firstPsn, packets(pathMtuShift));
	}

	@Override
	public int psn() {
		return this.psn;
	}

	@Override
	public int mtuShift() {
		return this.mtuShift;
	}

	@Override
	public int nextPsn() {
		return this.nextPsn;
	}

	/**
	 * Return how many packets the request is cut into.
	 * @param pathMtuShift the largest payload of a packet, as a power of two
	 * @return at least 1
	 */
	int packets(int pathMtuShift) {
		return isAtomic() ? 1 : Psn.packets(this.length, pathMtuShift);
	}

	/** Whether the answer brings something, so that the peer has to remember it. */
	boolean bringsAnswer() {
		return this.opcode == WorkRequestOpcode.RDMA_READ || isAtomic();
	}

	boolean isAtomic() {
		return this.opcode == WorkRequestOpcode.ATOMIC_CMP_AND_SWP
				|| this.opcode == WorkRequestOpcode.ATOMIC_FETCH_AND_ADD;
	}

}
