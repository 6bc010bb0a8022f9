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

/**
 * State of the connection to a peer.
 */
public enum ConnectionState {

	/**
	 * No connection was ever tried.
	 */
	NEVER_USED,

	/**
	 * The handshake is under way.
	 */
	CONNECTING,

	/**
	 * One message went each way over the queue pair: it can be used.
	 */
	READY,

	/**
	 * Nothing new is accepted; what is outstanding is waited for.
	 */
	DRAINING,

	/**
	 * The connection failed, or could not be made.
	 */
	LOST,

	/**
	 * The connection ended in order.
	 */
	CLOSED;

	/**
	 * Return whether a connection in this state ended and will not come back.
	 * @return whether it is {@link #LOST} or {@link #CLOSED}
	 */
	public boolean isFinal() {
		return this == LOST || this == CLOSED;
	}

}
