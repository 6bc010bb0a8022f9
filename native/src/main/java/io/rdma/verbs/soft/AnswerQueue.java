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
 * The answers to READ and atomic requests that are still to be sent, in order. Guarded by
 * the lock of the responder.
 */
final class AnswerQueue {

	private final int capacity;

	private final boolean[] atomic;

	private final int[] psns;

	private final int[] msns;

	private final int[] keys;

	private final long[] addresses;

	/** The bytes left to be sent, or the value that an atomic operation found. */
	private final long[] values;

	private final boolean[] begun;

	private int head;

	private int count;

	/**
	 * Create a queue.
	 * @param capacity how many answers it holds
	 */
	AnswerQueue(int capacity) {
		this.capacity = capacity;
		this.atomic = new boolean[capacity];
		this.psns = new int[capacity];
		this.msns = new int[capacity];
		this.keys = new int[capacity];
		this.addresses = new long[capacity];
		this.values = new long[capacity];
		this.begun = new boolean[capacity];
	}

	boolean isEmpty() {
		return this.count == 0;
	}

	boolean isFull() {
		return this.count == this.capacity;
	}

	void clear() {
		this.count = 0;
	}

	/**
	 * Remove what is to be sent from a PSN on, since the peer asks for it again.
	 * @param psn the PSN
	 */
	void removeFrom(int psn) {
		while (this.count > 0 && Psn.difference(this.psns[(this.head + this.count - 1) % this.capacity], psn) >= 0) {
			this.count--;
		}
	}

	void addRead(int psn, int msn, int key, long address, long length) {
		int index = add(psn, msn, false, length);
		this.keys[index] = key;
		this.addresses[index] = address;
	}

	void addAtomic(int psn, int msn, long found) {
		add(psn, msn, true, found);
	}

	private int add(int psn, int msn, boolean isAtomic, long value) {
		int index = (this.head + this.count) % this.capacity;
		this.psns[index] = psn;
		this.msns[index] = msn;
		this.atomic[index] = isAtomic;
		this.values[index] = value;
		this.begun[index] = false;
		this.count++;
		return index;
	}

	boolean isAtomic() {
		return this.atomic[this.head];
	}

	int psn() {
		return this.psns[this.head];
	}

	int msn() {
		return this.msns[this.head];
	}

	int key() {
		return this.keys[this.head];
	}

	long address() {
		return this.addresses[this.head];
	}

	/** The bytes left to be sent, or the value that an atomic operation found. */
	long value() {
		return this.values[this.head];
	}

	/** Whether a part of the answer was sent. */
	boolean isBegun() {
		return this.begun[this.head];
	}

	/**
	 * Note that a packet of the oldest answer was sent and others follow.
	 * @param psn the PSN of the next packet
	 * @param bytes how many bytes it had
	 */
	void advance(int psn, int bytes) {
		this.psns[this.head] = psn;
		this.addresses[this.head] += bytes;
		this.values[this.head] -= bytes;
		this.begun[this.head] = true;
	}

	void remove() {
		this.head = (this.head + 1) % this.capacity;
		this.count--;
	}

}
