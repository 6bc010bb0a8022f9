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

import org.springframework.util.Assert;

/**
 * How many completions one connection can have at most.
 *
 * @param sendDepth the largest number of its sends that are outstanding, at least 1
 * @param receiveDepth the largest number of its receives that are posted, at least 1; not
 * counted with a shared receive queue
 * @param sharedReceiveDepth the depth of the shared receive queue that it takes receives
 * from, which is counted once for each group; 0 if it has receives of its own
 */
public record CompletionQueueDemand(int sendDepth, int receiveDepth, int sharedReceiveDepth) {

	/**
	 * Create a demand.
	 * @param sendDepth the largest number of its sends that are outstanding
	 * @param receiveDepth the largest number of its receives that are posted
	 * @param sharedReceiveDepth the depth of the shared receive queue, 0 for none
	 */
	public CompletionQueueDemand {
		Assert.isTrue(sendDepth >= 1, () -> "'sendDepth' must be at least 1, but is " + sendDepth);
		Assert.isTrue(receiveDepth >= 1, () -> "'receiveDepth' must be at least 1, but is " + receiveDepth);
		Assert.isTrue(sharedReceiveDepth >= 0,
				() -> "'sharedReceiveDepth' must not be negative, but is " + sharedReceiveDepth);
	}

	/**
	 * Create the demand of a connection with receives of its own.
	 * @param sendDepth the largest number of its sends that are outstanding
	 * @param receiveDepth the largest number of its receives that are posted
	 */
	public CompletionQueueDemand(int sendDepth, int receiveDepth) {
		this(sendDepth, receiveDepth, 0);
	}

	/**
	 * Return how many receives it brings of its own.
	 * @return the number, 0 with a shared receive queue
	 */
	int ownReceives() {
		return (this.sharedReceiveDepth > 0) ? 0 : this.receiveDepth;
	}

}
