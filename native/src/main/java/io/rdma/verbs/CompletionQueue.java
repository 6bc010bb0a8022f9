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

/**
 * Where outcomes arrive ({@code struct ibv_cq}). Thread-safe: several threads may poll,
 * each completion goes to one of them.
 */
public interface CompletionQueue extends AutoCloseable {

	/**
	 * Return how many completions it holds. More than that is an overrun: completions are
	 * lost and the device raises {@link AsyncEventType#CQ_ERR}.
	 * @return the capacity granted, at least what was asked for
	 */
	int capacity();

	/**
	 * Take completions ({@code ibv_poll_cq}).
	 * @param into where they go; what it held before is gone
	 * @return how many came, 0 to the capacity of {@code into}
	 * @throws ResourceClosedException if the queue is closed
	 */
	int poll(WorkCompletions into);

	/**
	 * Ask for one event at the channel when the next completion arrives
	 * ({@code ibv_req_notify_cq}). Completions that are there already bring none: poll
	 * once more after this.
	 * @throws IllegalStateException if the queue has no channel
	 */
	void arm();

	/**
	 * Ask for one event when the next completion that is solicited or an error arrives.
	 * @throws IllegalStateException if the queue has no channel
	 */
	void armSolicited();

	/**
	 * Acknowledge events ({@code ibv_ack_cq_events}). The queue cannot be closed while
	 * events are not acknowledged.
	 * @param events how many
	 * @throws IllegalArgumentException if more than are outstanding
	 */
	void acknowledge(int events);

	/**
	 * Return whether the queue is open.
	 * @return whether it can be used
	 */
	boolean isOpen();

	@Override
	void close();

}
