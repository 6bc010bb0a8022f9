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
 * Sizes of the queues of a queue pair ({@code struct ibv_qp_cap}). A device may grant
 * more than was asked for.
 *
 * @param maxSendWorkRequests how many sends can be outstanding
 * @param maxReceiveWorkRequests how many receives can be posted; ignored with a shared
 * receive queue
 * @param maxSendScatterGather how many entries a send can have
 * @param maxReceiveScatterGather how many entries a receive can have
 * @param maxInlineData how many bytes a send can carry inline
 */
public record QueuePairCapabilities(int maxSendWorkRequests, int maxReceiveWorkRequests, int maxSendScatterGather,
		int maxReceiveScatterGather, int maxInlineData) {

	/**
	 * Create capabilities with one entry for each work request and no inline data.
	 * @param maxSendWorkRequests how many sends can be outstanding
	 * @param maxReceiveWorkRequests how many receives can be posted
	 */
	public QueuePairCapabilities(int maxSendWorkRequests, int maxReceiveWorkRequests) {
		this(maxSendWorkRequests, maxReceiveWorkRequests, 1, 1, 0);
	}

}
