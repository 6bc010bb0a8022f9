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

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A channel that tells of completions ({@code struct ibv_comp_channel}). The loop that
 * loses nothing is: {@link CompletionQueue#arm() arm}, poll until empty, wait,
 * acknowledge, and again. Thread-safe.
 */
public interface CompletionChannel extends AutoCloseable {

	/**
	 * Wait for the next event ({@code ibv_get_cq_event}). Each one must be acknowledged
	 * at its queue.
	 * @param timeout how long to wait at most
	 * @return the completion queue, {@code null} if none was told of in time or
	 * {@link #wakeup()} was called
	 * @throws InterruptedException if the thread was interrupted
	 * @throws ResourceClosedException if the channel is closed
	 */
	@Nullable CompletionQueue await(Duration timeout) throws InterruptedException;

	/**
	 * Make the current or else the next {@link #await} return {@code null} at once.
	 */
	void wakeup();

	/**
	 * Return whether the channel is open.
	 * @return whether it can be used
	 */
	boolean isOpen();

	@Override
	void close();

}
