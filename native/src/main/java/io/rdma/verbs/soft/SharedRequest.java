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

import io.rdma.verbs.HostMemory;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.StructLayouts;
import io.rdma.verbs.WorkRequestOpcode;
import io.rdma.verbs.soft.packet.Psn;
import io.rdma.verbs.soft.shm.IncomingRequests;
import io.rdma.verbs.soft.shm.RingLayout;
import org.jspecify.annotations.Nullable;

/**
 * A request that came over shared memory: a view of a copy of it, and of the memory of
 * the peer that it names. Nothing it says is believed. Not thread-safe.
 */
final class SharedRequest implements IncomingRequest {

	private static final WorkRequestOpcode[] OPCODES = WorkRequestOpcode.values();

	private static final int MIN_MTU_SHIFT = Integer.numberOfTrailingZeros(PathMtu.MTU_256.bytes());

	private static final int MAX_MTU_SHIFT = Integer.numberOfTrailingZeros(PathMtu.MTU_4096.bytes());

	private static final int ATOMIC_SIZE = Long.BYTES;

	private final ByteBuffer copy;

	private final SegmentList segments = new SegmentList(RingLayout.MAX_SEGMENTS);

	private WorkRequestOpcode opcode = WorkRequestOpcode.SEND;

	private long length;

	private int mtuShift;

	private boolean landing;

	private long landed;

	SharedRequest(ByteBuffer copy) {
		this.copy = copy;
	}

	private int getInt(int field) {
		return (int) StructLayouts.INT.get(this.copy, field);
	}

	private long getLong(int field) {
		return (long) StructLayouts.LONG.get(this.copy, field);
	}

	/**
	 * Look at the request that was copied.
	 * @return whether a requester could have sent it
	 */
	boolean read() {
		int number = getInt(RingLayout.OPCODE);
		this.length = getLong(RingLayout.LENGTH);
		this.mtuShift = getInt(RingLayout.MTU_SHIFT);
		this.landed = 0;
		int count = getInt(RingLayout.SEGMENT_COUNT);
		if (number < 0 || number >= OPCODES.length || this.length < 0 || this.length > Limits.MAX_MESSAGE
				|| this.mtuShift < MIN_MTU_SHIFT || this.mtuShift > MAX_MTU_SHIFT || count < 0
				|| count > RingLayout.MAX_SEGMENTS) {
			return false;
		}
		this.opcode = OPCODES[number];
		this.landing = (getInt(RingLayout.FLAGS) & RingLayout.FLAG_NO_LANDING) == 0;
		return switch (this.opcode) {
			case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM -> sum(count) == this.length;
			case RDMA_READ -> sum(count) == (this.landing ? this.length : 0);
			case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD ->
				count == 0 && this.length >= ATOMIC_SIZE && (remoteAddress() & (ATOMIC_SIZE - 1)) == 0;
			case LOCAL_INV, BIND_MW -> false;
		};
	}

	private long sum(int count) {
		long sum = 0;
		for (int i = 0; i < count; i++) {
			sum += Integer.toUnsignedLong(segmentInt(i, RingLayout.SEGMENT_LENGTH));
		}
		return sum;
	}

	private int segmentInt(int index, int field) {
		return getInt(RingLayout.SEGMENTS + index * RingLayout.SEGMENT_SIZE + field);
	}

	private long segmentLong(int index, int field) {
		return getLong(RingLayout.SEGMENTS + index * RingLayout.SEGMENT_SIZE + field);
	}

	/**
	 * Find the memory that the request names.
	 * @param from what it came with
	 * @param truncatable whether the peer can take the memory away
	 * @return whether all of it is there
	 */
	boolean findMemory(IncomingRequests from, boolean truncatable) {
		this.segments.clear();
		this.segments.truncatable(truncatable);
		int count = getInt(RingLayout.SEGMENT_COUNT);
		for (int i = 0; i < count; i++) {
			long size = Integer.toUnsignedLong(segmentInt(i, RingLayout.SEGMENT_LENGTH));
			long offset = segmentLong(i, RingLayout.SEGMENT_OFFSET);
			HostMemory memory = from.memory(segmentLong(i, RingLayout.SEGMENT_FILE),
					segmentInt(i, RingLayout.SEGMENT_DESCRIPTOR));
			if (memory == null || offset < 0 || offset > memory.length() - size) {
				this.segments.clear();
				return false;
			}
			this.segments.add(memory, offset, size);
		}
		return true;
	}

	void release() {
		this.segments.clear();
	}

	/** The value that an atomic operation found. */
	long landed() {
		return this.landed;
	}

	@Override
	public @Nullable WorkRequestOpcode opcode() {
		return this.opcode;
	}

	@Override
	public long length() {
		return this.length;
	}

	@Override
	public int psn() {
		return getInt(RingLayout.PSN) & Psn.MASK;
	}

	@Override
	public int nextPsn() {
		boolean atomic = this.opcode == WorkRequestOpcode.ATOMIC_CMP_AND_SWP
				|| this.opcode == WorkRequestOpcode.ATOMIC_FETCH_AND_ADD;
		return Psn.add(psn(), atomic ? 1 : Psn.packets(this.length, this.mtuShift));
	}

	@Override
	public int mtuShift() {
		return this.mtuShift;
	}

	@Override
	public long remoteAddress() {
		return getLong(RingLayout.REMOTE_ADDRESS);
	}

	@Override
	public int rdmaKey() {
		return getInt(RingLayout.KEY);
	}

	@Override
	public int atomicKey() {
		return getInt(RingLayout.KEY);
	}

	@Override
	public long compareAdd() {
		return getLong(RingLayout.COMPARE_ADD);
	}

	@Override
	public long swap() {
		return getLong(RingLayout.SWAP);
	}

	@Override
	public int immediate() {
		return getInt(RingLayout.IMMEDIATE);
	}

	@Override
	public boolean isSolicited() {
		return (getInt(RingLayout.FLAGS) & RingLayout.FLAG_SOLICITED) != 0;
	}

	@Override
	public SegmentList segments() {
		return this.segments;
	}

	@Override
	public boolean findLanding() {
		return this.landing;
	}

	@Override
	public boolean land(long found) {
		this.landed = found;
		return this.landing;
	}

}
