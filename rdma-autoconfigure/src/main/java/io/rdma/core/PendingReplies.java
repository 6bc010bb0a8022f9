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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import io.rdma.core.connection.ConnectionEvent;
import io.rdma.core.connection.InboundMessage;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import lombok.extern.slf4j.Slf4j;

/**
 * Requests whose reply has not come, by connection and number.
 */
@Slf4j
final class PendingReplies {

	private final Map<Key, PendingReply> pending = new ConcurrentHashMap<>();

	private final LongAdder late = new LongAdder();

	void add(Key key, PendingReply reply) {
		this.pending.put(key, reply);
	}

	void remove(Key key) {
		this.pending.remove(key);
	}

	/**
	 * Give a reply to its request. A reply that nobody waits for any more is counted.
	 * @param message the reply
	 */
	void accept(InboundMessage message) {
		PendingReply reply = this.pending.remove(new Key(message.connection(), message.correlationId()));
		if (reply != null) {
			reply.deliver(RdmaMessage.of(message));
		}
		else {
			this.late.increment();
			logger.debug("Dropped a {}: nobody waits for it any more", message);
		}
	}

	/**
	 * Fail the requests of a connection that has ended.
	 * @param event a change of state
	 */
	void onConnectionEvent(ConnectionEvent event) {
		RdmaConnection connection = event.connection();
		if (connection == null || !event.to().isFinal()) {
			return;
		}
		this.pending.forEach((key, reply) -> {
			if (key.connection() == connection && this.pending.remove(key, reply)) {
				reply.fail(lost(event, connection));
			}
		});
	}

	private static RdmaConnectionLostException lost(ConnectionEvent event, RdmaConnection connection) {
		return new RdmaConnectionLostException(RdmaErrorContext.of(event.peer(), connection.queuePairNumber(), "SEND"),
				"the connection ended before the reply came"
						+ ((event.reason() != null) ? " (" + event.reason() + ")" : ""),
				"Repeat the request if it may be carried out twice; the connection is made again by itself.",
				event.cause());
	}

	void failAll(RdmaException exception) {
		this.pending.forEach((key, reply) -> {
			if (this.pending.remove(key, reply)) {
				reply.fail(exception);
			}
		});
	}

	int size() {
		return this.pending.size();
	}

	long late() {
		return this.late.sum();
	}

	/**
	 * Names a request.
	 *
	 * @param connection the connection that it was sent on
	 * @param id its number there
	 */
	record Key(RdmaConnection connection, long id) {
	}

}
