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

/**
 * How many completions a group of connections can have at most.
 *
 * @param sends how many of sends
 * @param receives how many of the connections' own receives
 * @param sharedReceives how many of the shared receive queue, which counts once
 */
record CompletionQueueLoad(long sends, long receives, long sharedReceives) {

	static final CompletionQueueLoad NONE = new CompletionQueueLoad(0, 0, 0);

	CompletionQueueLoad plus(CompletionQueueDemand demand) {
		return plus(demand, 1);
	}

	CompletionQueueLoad plus(CompletionQueueDemand demand, int connections) {
		return new CompletionQueueLoad(this.sends + (long) connections * demand.sendDepth(),
				this.receives + (long) connections * demand.ownReceives(),
				Math.max(this.sharedReceives, demand.sharedReceiveDepth()));
	}

	/**
	 * Return how many completions can wait in a queue at a time.
	 * @param kind what completes in the queue
	 * @return the number
	 */
	long in(CompletionQueueKind kind) {
		return switch (kind) {
			case SEND -> this.sends;
			case RECEIVE -> this.receives + this.sharedReceives;
			case SHARED -> this.sends + this.receives + this.sharedReceives;
		};
	}

	/**
	 * Return how deep a queue must be: a fifth more than can wait in it.
	 * @param kind what completes in the queue
	 * @return the depth
	 */
	long depth(CompletionQueueKind kind) {
		return (in(kind) * 6 + 4) / 5;
	}

}
