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

import io.rdma.core.exception.RdmaException;
import io.rdma.verbs.QueuePairState;
import org.jspecify.annotations.Nullable;

/**
 * A connection changed its state.
 *
 * @param peer the name of the peer
 * @param connection the connection, {@code null} while there is none
 * @param from the state before
 * @param to the state after
 * @param queuePairState the state of the queue pair as last known, {@code null} if there
 * is none
 * @param reason why, in words; {@code null} if there is nothing to say
 * @param cause the error, {@code null} if there was none
 */
public record ConnectionEvent(String peer, @Nullable RdmaConnection connection, ConnectionState from,
		ConnectionState to, @Nullable QueuePairState queuePairState, @Nullable String reason,
		@Nullable RdmaException cause) {
}
