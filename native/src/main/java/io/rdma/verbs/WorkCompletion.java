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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.rdma.verbs.StructLayouts.Wc;

/**
 * One work completion: a flyweight over its place in {@link WorkCompletions}. Always look
 * at the status <em>and</em> the queue pair number. When the status is not
 * {@link CompletionStatus#SUCCESS} only {@link #wrId()}, {@link #status()},
 * {@link #qpNumber()} and {@link #vendorError()} mean anything (man ibv_poll_cq); the
 * other methods refuse.
 */
public final class WorkCompletion {

	private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

	private final ByteBuffer memory;

	private final int offset;

	WorkCompletion(ByteBuffer memory, int offset) {
		this.memory = memory;
		this.offset = offset;
	}

	private int getInt(int field) {
		return (int) StructLayouts.INT.get(this.memory, this.offset + field);
	}

	private int getIntOfSuccess(int field) {
		if (getInt(Wc.STATUS) != 0) {
			throw new IllegalStateException(
					"A work completion with status " + status() + " tells only wr_id, status, qp_num and vendor_err");
		}
		return getInt(field);
	}

	/**
	 * Return the context that the work request was posted with.
	 * @return the value
	 */
	public long wrId() {
		return (long) StructLayouts.LONG.get(this.memory, this.offset + Wc.WR_ID);
	}

	/**
	 * Return the outcome.
	 * @return the status
	 */
	public CompletionStatus status() {
		return CompletionStatus.of(getInt(Wc.STATUS));
	}

	/**
	 * Return whether the status is {@link CompletionStatus#SUCCESS}.
	 * @return whether the operation succeeded
	 */
	public boolean isSuccess() {
		return getInt(Wc.STATUS) == 0;
	}

	/**
	 * Return the number of the local queue pair that the completion belongs to.
	 * @return the number, 24 bits
	 */
	public int qpNumber() {
		return getInt(Wc.QP_NUM);
	}

	/**
	 * Return what the vendor's device says of an error.
	 * @return a number that only the vendor can read
	 */
	public int vendorError() {
		return getInt(Wc.VENDOR_ERR);
	}

	/**
	 * Return what was done.
	 * @return the opcode
	 * @throws IllegalStateException if the status is not SUCCESS
	 */
	public CompletionOpcode opcode() {
		return CompletionOpcode.of(getIntOfSuccess(Wc.OPCODE));
	}

	/**
	 * Return how many bytes were moved.
	 * @return the number of bytes, an unsigned 32-bit value
	 * @throws IllegalStateException if the status is not SUCCESS
	 */
	public long byteLength() {
		return Integer.toUnsignedLong(getIntOfSuccess(Wc.BYTE_LEN));
	}

	/**
	 * Return whether immediate data came with the message.
	 * @return whether {@link #immediate()} means anything
	 * @throws IllegalStateException if the status is not SUCCESS
	 */
	public boolean hasImmediate() {
		return (getIntOfSuccess(Wc.WC_FLAGS) & Wc.FLAG_WITH_IMM) != 0;
	}

	/**
	 * Return the immediate data, as the sender gave it.
	 * @return the data
	 * @throws IllegalStateException if the status is not SUCCESS
	 */
	public int immediate() {
		int value = getIntOfSuccess(Wc.IMM_DATA);
		return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
	}

	/**
	 * Return whether the message invalidated a memory window of ours.
	 * @return whether {@link #invalidatedRkey()} means anything
	 * @throws IllegalStateException if the status is not SUCCESS
	 */
	public boolean hasInvalidatedRkey() {
		return (getIntOfSuccess(Wc.WC_FLAGS) & Wc.FLAG_WITH_INV) != 0;
	}

	/**
	 * Return the key of the memory window that was invalidated.
	 * @return the rkey
	 * @throws IllegalStateException if the status is not SUCCESS
	 */
	public int invalidatedRkey() {
		return getIntOfSuccess(Wc.IMM_DATA);
	}

	@Override
	public String toString() {
		return "work completion (wr_id " + wrId() + ", " + status() + ", QP 0x%06x)".formatted(qpNumber());
	}

}
