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

import java.io.IOException;
import java.nio.ByteBuffer;

import io.rdma.verbs.HostMemory;
import io.rdma.verbs.StructLayouts;

/**
 * Our requests to a peer, and its answers to them. Guarded by a lock of the user, but for
 * {@link #hasAnswer()}.
 */
public final class OutgoingRequests {

	private final SharedConnection connection;

	private final Ring ring;

	private final StagingArea staging;

	private long nextRequest;

	private long nextAnswer;

	OutgoingRequests(SharedConnection connection, Ring ring, StagingArea staging) {
		this.connection = connection;
		this.ring = ring;
		this.staging = staging;
	}

	/**
	 * Return how many slots there are.
	 * @return a power of two
	 */
	public int slots() {
		return this.ring.slots();
	}

	/**
	 * Return whether there is a free slot for a request.
	 * @return whether one can be begun
	 */
	public boolean hasRoom() {
		return this.nextRequest - this.nextAnswer < this.ring.slots();
	}

	/**
	 * Return the sequence of the next request.
	 * @return from 0
	 */
	public long nextRequest() {
		return this.nextRequest;
	}

	/**
	 * Return the sequence of the next answer.
	 * @return from 0
	 */
	public long nextAnswer() {
		return this.nextAnswer;
	}

	/**
	 * Return the slot of a request.
	 * @param sequence the sequence of the request
	 * @return from 0
	 */
	public int slot(long sequence) {
		return this.ring.slot(sequence);
	}

	/**
	 * Return where the request in a slot stands. All but its sequence may be written
	 * before it is published.
	 * @param slot the slot
	 * @return its offset in {@link #buffer()}
	 */
	public int offset(int slot) {
		return this.ring.request(slot);
	}

	/**
	 * Return what requests are written to.
	 * @return a buffer in the byte order of the machine
	 */
	public ByteBuffer buffer() {
		return this.ring.buffer();
	}

	/**
	 * Return the same memory.
	 * @return the memory
	 */
	public HostMemory memory() {
		return this.ring.memory();
	}

	/**
	 * Find room in shared memory for the payload of the next request.
	 * @param length how many bytes
	 * @return where in {@link #stagingMemory()}, -1 if some answers must be taken before
	 * @throws IOException if there can be no room
	 */
	public long stage(long length) throws IOException {
		return this.staging.place(this.ring.slot(this.nextRequest), length);
	}

	/**
	 * Return the memory that payloads are copied to and from.
	 * @return the memory
	 */
	public HostMemory stagingMemory() {
		return this.staging.memory();
	}

	/**
	 * Return the number of the file with that memory.
	 * @return the number
	 */
	public long stagingFile() {
		return this.staging.file().id();
	}

	/**
	 * Return the descriptor of that file.
	 * @return the descriptor, -1 if it has a name
	 */
	public int stagingDescriptor() {
		return this.staging.file().descriptor();
	}

	/**
	 * Let the peer see the next request. It is not woken for it.
	 */
	public void publish() {
		this.ring.publish(this.ring.request(this.nextRequest), this.nextRequest);
		this.nextRequest++;
	}

	/**
	 * Return whether the answer to the oldest unanswered request seems to be there: for
	 * the thread that watches over shared memory, which takes the lock then and looks
	 * again.
	 * @return whether it can be taken
	 */
	public boolean hasAnswer() {
		return this.ring.isThere(this.ring.answer(this.nextAnswer), this.nextAnswer);
	}

	/**
	 * Return whether the answer may be taken: it is there, and the request was sent. One
	 * to a request that was not sent is the peer's fault.
	 * @return whether it can be taken
	 */
	public boolean mayTakeAnswer() {
		if (!hasAnswer()) {
			return false;
		}
		if (this.nextAnswer >= this.nextRequest) {
			this.connection.loseWithin(false);
			return false;
		}
		return !this.connection.isLost();
	}

	/**
	 * Return whether all requests are answered, or never will be.
	 * @return whether the peer is done with the memory they name
	 */
	public boolean isAnswered() {
		long last = this.nextRequest - 1;
		return last < this.nextAnswer || this.ring.isThere(this.ring.answer(last), last) || this.connection.isOver();
	}

	/**
	 * Return what the answer says.
	 * @return a number of the user
	 */
	public int answerCode() {
		return answerInt(RingLayout.ANSWER_CODE);
	}

	/**
	 * Return how long to wait, by the answer.
	 * @return a number of the user
	 */
	public int answerTimer() {
		return answerInt(RingLayout.ANSWER_TIMER);
	}

	private int answerInt(int field) {
		return (int) StructLayouts.INT.get(this.ring.buffer(), this.ring.answer(this.nextAnswer) + field);
	}

	/**
	 * Return the value in the answer.
	 * @return the value
	 */
	public long answerValue() {
		return (long) StructLayouts.LONG.get(this.ring.buffer(),
				this.ring.answer(this.nextAnswer) + RingLayout.ANSWER_VALUE);
	}

	/**
	 * Be done with an answer and with the slot of its request.
	 */
	public void releaseAnswer() {
		this.staging.release(this.ring.slot(this.nextAnswer));
		this.nextAnswer++;
	}

}
