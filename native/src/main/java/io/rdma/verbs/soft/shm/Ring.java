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

package io.rdma.verbs.soft.shm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

import io.rdma.verbs.HostMemory;
import io.rdma.verbs.StructLayouts;

/**
 * The file of one end of a connection as one of both sides sees it; see
 * {@link RingLayout}. Atomic instructions are for sealed files only: the JVM does not
 * survive them on memory that is gone.
 */
final class Ring {

	private final ByteBuffer buffer;

	private final HostMemory memory;

	private final FileMapping mapping;

	private final int slots;

	private volatile boolean sealed;

	Ring(FileMapping mapping, int slots) {
		this.mapping = mapping;
		this.memory = mapping.memory();
		this.buffer = mapping.chunks().get(0).duplicate().order(ByteOrder.nativeOrder());
		this.slots = slots;
	}

	ByteBuffer buffer() {
		return this.buffer;
	}

	HostMemory memory() {
		return this.memory;
	}

	int slots() {
		return this.slots;
	}

	/**
	 * Let go of the file. Who still looks at it sees that nothing is there.
	 */
	void release() {
		this.mapping.release();
	}

	boolean isDone() {
		return FileHeader.isDone(this.mapping.header());
	}

	byte[] proof() {
		byte[] proof = new byte[RingLayout.PROOF_SIZE];
		this.buffer.get(RingLayout.PROOF, proof);
		return proof;
	}

	void proof(byte[] proof) {
		this.buffer.put(RingLayout.PROOF, Arrays.copyOf(proof, RingLayout.PROOF_SIZE));
	}

	boolean isArmed() {
		return (int) StructLayouts.INT.getOpaque(this.buffer, RingLayout.ARMED) != 0;
	}

	void arm(boolean armed) {
		StructLayouts.INT.setOpaque(this.buffer, RingLayout.ARMED, armed ? 1 : 0);
	}

	int slot(long sequence) {
		return (int) sequence & (this.slots - 1);
	}

	int request(long sequence) {
		return RingLayout.request(this.slots, slot(sequence));
	}

	int answer(long sequence) {
		return RingLayout.answer(slot(sequence));
	}

	/**
	 * Return whether a request or an answer is there.
	 * @param at where
	 * @param sequence which
	 * @return whether it can be read
	 */
	boolean isThere(int at, long sequence) {
		return (long) StructLayouts.LONG.getAcquire(this.buffer, at + RingLayout.SEQUENCE) == sequence + 1;
	}

	/**
	 * Say whether nobody can take away the memory of either side.
	 * @param isSealed whether both have sealed files
	 */
	void sealed(boolean isSealed) {
		this.sealed = isSealed;
	}

	/**
	 * Take a request, so that it cannot be withdrawn any more.
	 * @param at where it is
	 * @param sequence which it is
	 * @return whether it was there
	 */
	boolean claim(int at, long sequence) {
		if (!this.sealed) {
			// nothing is withdrawn then
			return true;
		}
		return StructLayouts.LONG.compareAndSet(this.buffer, at + RingLayout.SEQUENCE, sequence + 1, -(sequence + 1));
	}

	/**
	 * Withdraw a request, unless the other side has taken it.
	 * @param at where it is
	 * @param sequence which it is
	 * @return whether nobody will take it any more
	 */
	boolean withdraw(int at, long sequence) {
		return this.sealed && StructLayouts.LONG.compareAndSet(this.buffer, at + RingLayout.SEQUENCE, sequence + 1, 0L);
	}

	/**
	 * Let the other side see a request or an answer.
	 * @param at where it is
	 * @param sequence which it is
	 */
	void publish(int at, long sequence) {
		StructLayouts.LONG.setRelease(this.buffer, at + RingLayout.SEQUENCE, sequence + 1);
	}

}
