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

package io.rdma.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.rdma.core.exception.RdmaException;

/**
 * Messages from a peer, for those that no {@code @RdmaListener} takes. What is said at
 * {@link RdmaOperations} about time limits, futures and threads holds here.
 *
 * @see RdmaOperations
 */
public interface RdmaReceiveOperations {

	/**
	 * Receive the next message of a peer, within the default time limit. Messages of a
	 * peer that a {@code @RdmaListener} takes do not come here. It connects to a peer
	 * that is configured and not connected; another one can connect meanwhile.
	 * @param peer the name of the peer
	 * @return the message
	 * @throws RdmaException if it did not succeed, a {@code RdmaTimeoutException} if no
	 * message came, an {@code UnknownRdmaPeerException} if none came and no peer of this
	 * name is configured or has ever connected
	 */
	RdmaMessage receive(String peer);

	/**
	 * Receive the next message of a peer.
	 * @param peer the name of the peer
	 * @param timeout how long to wait for one, above zero
	 * @return the message
	 * @throws RdmaException if it did not succeed, a {@code RdmaTimeoutException} if no
	 * message came, an {@code UnknownRdmaPeerException} if none came and no peer of this
	 * name is configured or has ever connected
	 */
	RdmaMessage receive(String peer, Duration timeout);

	/**
	 * Receive the next message of a peer, within the default time limit, without waiting.
	 * @param peer the name of the peer
	 * @return a future of the message
	 */
	CompletableFuture<RdmaMessage> receiveAsync(String peer);

	/**
	 * Receive the next message of a peer, without waiting.
	 * @param peer the name of the peer
	 * @param timeout how long to wait for one, above zero
	 * @return a future of the message
	 */
	CompletableFuture<RdmaMessage> receiveAsync(String peer, Duration timeout);

	/**
	 * Receive the next message of a peer and convert it, within the default time limit.
	 * @param peer the name of the peer
	 * @param type the type to convert to
	 * @param <T> the type
	 * @return the converted payload
	 * @throws RdmaException if it did not succeed
	 */
	<T> T receiveAndConvert(String peer, Class<T> type);

	/**
	 * Receive the next message of a peer and convert it.
	 * @param peer the name of the peer
	 * @param type the type to convert to
	 * @param timeout how long to wait for one, above zero
	 * @param <T> the type
	 * @return the converted payload
	 * @throws RdmaException if it did not succeed
	 */
	<T> T receiveAndConvert(String peer, Class<T> type, Duration timeout);

	/**
	 * Receive the next message of a peer and convert it, within the default time limit,
	 * without waiting.
	 * @param peer the name of the peer
	 * @param type the type to convert to
	 * @param <T> the type
	 * @return a future of the converted payload
	 */
	<T> CompletableFuture<T> receiveAndConvertAsync(String peer, Class<T> type);

	/**
	 * Convert the payload of a message that was received.
	 * @param message the message
	 * @param type the type to convert to
	 * @param <T> the type
	 * @return the converted payload
	 * @throws RdmaException if it did not succeed
	 */
	<T> T convert(RdmaMessage message, Class<T> type);

}
