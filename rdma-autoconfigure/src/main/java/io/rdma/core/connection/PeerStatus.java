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

import io.rdma.verbs.PathKind;
import io.rdma.verbs.QueuePairState;
import org.jspecify.annotations.Nullable;

/**
 * How it stands with a peer. Holds nothing that must be kept secret.
 *
 * @param name the name
 * @param address the address of its listener, or where it connected from
 * @param required whether the service is ready only while it is connected
 * @param inbound whether it connected to us
 * @param state the state of the connection
 * @param queuePairState the state of the queue pair as last known, {@code null} if there
 * is none
 * @param path how messages get to it, {@code null} if there is no connection
 * @param since since when the connection is in this state
 * @param reason the text of the last error, {@code null} if there was none since it was
 * READY
 * @param attempts how often a connection was tried
 * @param reconnects how often it was made again after it was lost
 * @param wasReady whether it was READY since the last start
 */
public record PeerStatus(String name, String address, boolean required, boolean inbound, ConnectionState state,
		@Nullable QueuePairState queuePairState, @Nullable PathKind path, Instant since, @Nullable String reason,
		long attempts, long reconnects, boolean wasReady) {

	static PeerStatus ofStopped(PeerDefinition peer) {
		return new PeerStatus(peer.name(), peer.address(), peer.required(), false, ConnectionState.NEVER_USED, null,
				null, Instant.now(), null, 0, 0, false);
	}

}
