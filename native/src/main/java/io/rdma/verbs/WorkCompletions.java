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

/**
 * Room for a batch of work completions, filled by {@link CompletionQueue#poll} in the
 * layout of {@code struct ibv_wc}. Nothing here allocates after construction.
 *
 * <p>
 * Not thread-safe: a batch belongs to one thread at a time. What it holds is valid until
 * it is polled into again.
 */
public final class WorkCompletions {

	private final AbstractDeviceContext context;

	private final ByteBuffer memory;

	private final WorkCompletion[] completions;

	private int size;

	WorkCompletions(AbstractDeviceContext context, int capacity) {
		if (capacity < 1 || capacity > (1 << 20)) {
			throw new IllegalArgumentException(
					"A batch holds 1 to 1048576 work completions, but " + capacity + " were asked for");
		}
		this.context = context;
		this.memory = ByteBuffer.allocateDirect(capacity * StructLayouts.Wc.SIZE).order(ByteOrder.nativeOrder());
		this.completions = new WorkCompletion[capacity];
		for (int i = 0; i < capacity; i++) {
			this.completions[i] = new WorkCompletion(this.memory, i * StructLayouts.Wc.SIZE);
		}
	}

	/**
	 * Return how many completions the last poll brought.
	 * @return the number
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Return how many completions one poll can bring.
	 * @return the number
	 */
	public int capacity() {
		return this.completions.length;
	}

	/**
	 * Return a completion.
	 * @param index which, from 0
	 * @return the completion, the same object for the same index
	 * @throws IndexOutOfBoundsException if the last poll brought fewer
	 */
	public WorkCompletion get(int index) {
		if (index < 0 || index >= this.size) {
			throw new IndexOutOfBoundsException(
					"The last poll brought " + this.size + " work completions, number " + index + " is not among them");
		}
		return this.completions[index];
	}

	AbstractDeviceContext context() {
		return this.context;
	}

	ByteBuffer memory() {
		return this.memory;
	}

	void size(int size) {
		this.size = size;
	}

}
