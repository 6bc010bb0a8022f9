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

import io.rdma.verbs.HostMemory;
import io.rdma.verbs.StructLayouts;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a peer, and our answers to them. What stands in its memory is what the
 * peer wants it to be. Used by the thread that watches over shared memory.
 */
public final class IncomingRequests {

	private final Ring ring;

	private final PeerFiles files;

	private long next;

	private long lastFile;

	private int lastGeneration;

	private @Nullable HostMemory lastMemory;

	IncomingRequests(Ring ring, PeerFiles files) {
		this.ring = ring;
		this.files = files;
	}

	Ring ring() {
		return this.ring;
	}

	PeerFiles files() {
		return this.files;
	}

	boolean isThere() {
		return this.ring.isThere(this.ring.request(this.next), this.next);
	}

	/**
	 * Copy the next request.
	 * @param into where its first {@link RingLayout#REQUEST_SIZE} bytes are copied to,
	 * small payload not included
	 * @return whether there was one
	 */
	public boolean take(ByteBuffer into) {
		if (!isThere()) {
			return false;
		}
		int at = this.ring.request(this.next);
		into.put(0, this.ring.buffer(), at, RingLayout.SEGMENTS);
		int segments = Math.min(RingLayout.MAX_SEGMENTS,
				Math.max(0, (int) StructLayouts.INT.get(into, RingLayout.SEGMENT_COUNT)));
		into.put(RingLayout.SEGMENTS, this.ring.buffer(), at + RingLayout.SEGMENTS, segments * RingLayout.SEGMENT_SIZE);
		return true;
	}

	/**
	 * Find memory that a request names.
	 * @param file the number of the file
	 * @param descriptor its descriptor in the process of the peer
	 * @return the memory, {@code null} if the file cannot be mapped
	 */
	public @Nullable HostMemory memory(long file, int descriptor) {
		if (file == 0) {
			return this.ring.memory();
		}
		// what another connection to the same process let go must not be used here
		if (file == this.lastFile && this.lastGeneration == this.files.generation()) {
			return this.lastMemory;
		}
		HostMemory memory = this.files.find(file, descriptor);
		if (memory != null) {
			this.lastFile = file;
			this.lastGeneration = this.files.generation();
			this.lastMemory = memory;
		}
		return memory;
	}

	/**
	 * Answer the request that was taken. The peer is not woken for it.
	 * @param code what {@link OutgoingRequests#answerCode()} returns on the other side
	 * @param timer what {@link OutgoingRequests#answerTimer()} returns
	 * @param value what {@link OutgoingRequests#answerValue()} returns
	 */
	public void answer(int code, int timer, long value) {
		ByteBuffer buffer = this.ring.buffer();
		int at = this.ring.answer(this.next);
		StructLayouts.INT.set(buffer, at + RingLayout.ANSWER_CODE, code);
		StructLayouts.INT.set(buffer, at + RingLayout.ANSWER_TIMER, timer);
		StructLayouts.LONG.set(buffer, at + RingLayout.ANSWER_VALUE, value);
		this.ring.publish(at, this.next);
		this.next++;
	}

	/**
	 * Let go of the files that the peer is done with.
	 */
	void sweep() {
		forget();
		this.files.sweep();
	}

	void forget() {
		this.lastFile = 0;
		this.lastMemory = null;
	}

}
