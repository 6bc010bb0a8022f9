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

package io.rdma.core.completion;

import java.util.function.IntSupplier;

import io.rdma.verbs.CompletionQueue;

/**
 * A connection's place in its completion queues. Thread-safe.
 */
public final class CompletionQueueLease implements AutoCloseable {

	CompletionQueueLease() {
	}

	/**
	 * Return where the connection's sends complete.
	 * @return the queue
	 */
	public CompletionQueue sendQueue() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return where the connection's receives complete.
	 * @return the queue, which may be the same
	 */
	public CompletionQueue receiveQueue() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the name of the group.
	 * @return the name
	 */
	public String group() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Set how to find out what the connection has outstanding. Asked for statistics only,
	 * from any thread; must not wait.
	 * @param sends gives the number of sends that can still complete
	 * @param receives gives the number of receives that can still complete
	 */
	public void outstanding(IntSupplier sends, IntSupplier receives) {
	}

	/**
	 * Give the place back, after the queue pair was destroyed. What it left in the queues is
	 * taken out first. Closing twice is harmless.
	 */
	@Override
	public void close() {
	}

}
