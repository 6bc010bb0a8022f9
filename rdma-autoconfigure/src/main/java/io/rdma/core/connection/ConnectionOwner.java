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
import org.jspecify.annotations.Nullable;

/**
 * Is told by a connection what happens on it. All methods may be called on a thread that
 * polls: they must be short and must not wait.
 */
interface ConnectionOwner {

	/**
	 * The connection changed its state.
	 * @param connection the connection
	 * @param from the state before
	 * @param to the state after
	 * @param reason why, in words
	 * @param cause the error, if there was one
	 */
	void changed(RdmaConnection connection, ConnectionState from, ConnectionState to, @Nullable String reason,
			@Nullable RdmaException cause);

	/**
	 * A message arrived that is to be taken from the inbox.
	 * @param message the message
	 */
	void arrived(QueuedMessage message);

	/**
	 * Memory of operations is held back, or no longer is.
	 * @param bytes how many bytes more, negative for fewer
	 */
	void heldBack(long bytes);

	/**
	 * A reply arrived.
	 * @param reply the reply
	 */
	void replied(InboundMessage reply);

}
