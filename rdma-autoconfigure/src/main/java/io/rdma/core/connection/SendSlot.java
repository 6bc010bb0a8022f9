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

import org.jspecify.annotations.Nullable;

/**
 * The place of one outstanding send work request. Its generation is odd while it is in
 * use and goes up by one each time it is taken and given back, so that only the
 * completion of the present use can give it back, and only once.
 */
final class SendSlot {

	private static final VarHandle GENERATION;

	static {
		try {
			GENERATION = MethodHandles.lookup().findVarHandle(SendSlot.class, "generation", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final int index;

	private volatile int generation;

	private @Nullable Operation operation;

	/**
	 * Create a slot.
	 * @param index its number
	 * @param generation where to start, so that the ids of an earlier queue pair with the
	 * same number do not fit
	 */
	SendSlot(int index, int generation) {
		this.index = index;
		this.generation = generation & ~1;
	}

	int index() {
		return this.index;
	}

	/**
	 * Take the slot.
	 * @param operation what it is used for
	 * @return the generation of this use
	 */
	int take(@Nullable Operation operation) {
		this.operation = operation;
		int next = this.generation + 1;
		GENERATION.setRelease(this, next);
		return next;
	}

	/**
	 * End a use of the slot.
	 * @param generation the generation of that use
	 * @return whether the caller ended it, {@code false} if it was over
	 */
	boolean end(int generation) {
		return isInUse(generation) && GENERATION.compareAndSet(this, generation, generation + 1);
	}

	static boolean isInUse(int generation) {
		return (generation & 1) != 0;
	}

	int generation() {
		return this.generation;
	}

	/**
	 * Return what the slot is used for.
	 * @return the operation, {@code null} if it is not used or for work of the library
	 * itself; may be that of another use if it is read while that changes
	 */
	@Nullable Operation operation() {
		return this.operation;
	}

	void clear() {
		this.operation = null;
	}

}
