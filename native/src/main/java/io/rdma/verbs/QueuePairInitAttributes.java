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

import org.jspecify.annotations.Nullable;

/**
 * What a queue pair is created with ({@code struct ibv_qp_init_attr}). The type is always
 * RC, the reliable connection.
 *
 * @param sendCompletionQueue where sends complete
 * @param receiveCompletionQueue where receives complete; may be the same
 * @param sharedReceiveQueue the queue to take receives from, {@code null} for one of its
 * own
 * @param capabilities the sizes asked for
 * @param signalAll whether every send is signaled
 */
public record QueuePairInitAttributes(CompletionQueue sendCompletionQueue, CompletionQueue receiveCompletionQueue,
		@Nullable SharedReceiveQueue sharedReceiveQueue, QueuePairCapabilities capabilities, boolean signalAll) {

	/**
	 * Create attributes with no shared receive queue, where sends are signaled one by
	 * one.
	 * @param sendCompletionQueue where sends complete
	 * @param receiveCompletionQueue where receives complete
	 * @param capabilities the sizes asked for
	 */
	public QueuePairInitAttributes(CompletionQueue sendCompletionQueue, CompletionQueue receiveCompletionQueue,
			QueuePairCapabilities capabilities) {
		this(sendCompletionQueue, receiveCompletionQueue, null, capabilities, false);
	}

}
