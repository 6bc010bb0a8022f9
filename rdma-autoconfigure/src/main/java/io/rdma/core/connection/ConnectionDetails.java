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

import java.time.Instant;
import java.util.List;

import io.rdma.verbs.PathKind;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.QueuePairState;
import org.jspecify.annotations.Nullable;

/**
 * What runs on a connection, for the endpoint and metrics. Holds no key and no address of
 * memory.
 *
 * @param peer the name of the peer
 * @param address the address of the peer's end of the control channel
 * @param inbound whether the peer connected to us
 * @param state the state of the connection
 * @param since since when it is in this state
 * @param queuePairNumber our queue pair
 * @param remoteQueuePairNumber the peer's queue pair
 * @param queuePairState the state of our queue pair as last known
 * @param remoteDevice kind and name of the peer's device
 * @param remoteGid the peer's GID
 * @param path how messages get to the peer, {@code null} before that is known
 * @param mtu the path MTU
 * @param completionQueueGroup the group of completion queues
 * @param sendDepth how many operations can be outstanding
 * @param outstanding how many are
 * @param outstandingHighWater the most there were at once
 * @param receiveDepth how many receives there are
 * @param receivesPosted how many of them wait for a message
 * @param credits how many messages could be sent now
 * @param messagesSent how many messages were sent
 * @param messagesReceived how many messages came
 * @param creditStalls how often a sender had to wait for the peer to take messages
 * @param strays how many completions fitted no outstanding work
 * @param flushed how many work requests were flushed
 * @param remoteRegions the names of the peer's regions
 */
public record ConnectionDetails(String peer, String address, boolean inbound, ConnectionState state, Instant since,
		int queuePairNumber, int remoteQueuePairNumber, QueuePairState queuePairState, String remoteDevice,
		String remoteGid, @Nullable PathKind path, PathMtu mtu, String completionQueueGroup, int sendDepth,
		int outstanding, int outstandingHighWater, int receiveDepth, int receivesPosted, int credits, long messagesSent,
		long messagesReceived, long creditStalls, long strays, long flushed, List<String> remoteRegions) {
}
