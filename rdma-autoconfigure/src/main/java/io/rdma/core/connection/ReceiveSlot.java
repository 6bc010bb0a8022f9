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

package io.rdma.core.connection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

import io.rdma.core.memory.RdmaBuffer;

/**
 * The place of one receive and its buffer. Its generation is odd while the receive is
 * posted.
 */
final class ReceiveSlot {

	private static final VarHandle GENERATION;

	static {
		try {
			GENERATION = MethodHandles.lookup().findVarHandle(ReceiveSlot.class, "generation", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final int index;

	private final RdmaBuffer buffer;

	private final ByteBuffer view;

	private volatile int generation;

	private boolean held;

	ReceiveSlot(int index, int generation, RdmaBuffer buffer, int size) {
		this.index = index;
		this.generation = generation & ~1;
		this.buffer = buffer;
		this.view = buffer.region().buffer(buffer.offset(), size);
	}

	int index() {
		return this.index;
	}

	RdmaBuffer buffer() {
		return this.buffer;
	}

	/**
	 * Return the memory of the buffer, to be read at absolute positions only.
	 * @return the memory in network byte order
	 */
	ByteBuffer view() {
		return this.view;
	}

	int take() {
		int next = this.generation + 1;
		GENERATION.setRelease(this, next);
		return next;
	}

	boolean end(int generation) {
		return isPosted(generation) && GENERATION.compareAndSet(this, generation, generation + 1);
	}

	int generation() {
		return this.generation;
	}

	static boolean isPosted(int generation) {
		return (generation & 1) != 0;
	}

	/**
	 * Return whether a message that nobody took yet is in the buffer. Guarded by the lock
	 * of the {@link ReceiveWindow}.
	 * @return whether it is held
	 */
	boolean isHeld() {
		return this.held;
	}

	void held(boolean held) {
		this.held = held;
	}

}
