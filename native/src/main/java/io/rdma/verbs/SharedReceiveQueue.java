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
 * A receive queue that several queue pairs take from ({@code struct ibv_srq}).
 * Thread-safe.
 */
public interface SharedReceiveQueue extends AutoCloseable {

	/**
	 * Return how many receives can be posted.
	 * @return the number granted
	 */
	int maxWorkRequests();

	/**
	 * Post receives ({@code ibv_post_srq_recv}).
	 * @param requests the chain
	 * @throws WorkRequestException if one is refused; those before it are posted
	 */
	void postReceive(ReceiveWorkRequests requests);

	/**
	 * Arm the limit ({@code ibv_modify_srq}): when fewer receives than this are left,
	 * {@link AsyncEventType#SRQ_LIMIT_REACHED} is raised once and the limit is disarmed.
	 * @param limit the limit, 0 to disarm
	 * @throws VerbsException with {@link Errno#EINVAL} if it exceeds the queue's size
	 */
	void armLimit(int limit);

	/**
	 * Return whether the queue is open.
	 * @return whether it can be used
	 */
	boolean isOpen();

	@Override
	void close();

}
