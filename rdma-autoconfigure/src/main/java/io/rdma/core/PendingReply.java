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

import io.rdma.core.connection.RdmaConnection;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * A request whose reply has not come.
 */
@RequiredArgsConstructor
final class PendingReply {

	private final PendingReplies replies;

	private final MessageReceiver<?> receiver;

	private PendingReplies.@Nullable Key key;

	/**
	 * Expect the reply over a connection. Called again if the request could not be posted
	 * on the one before.
	 * @param connection the connection
	 * @return the number of the request
	 */
	synchronized long expect(RdmaConnection connection) {
		forget();
		PendingReplies.Key next = new PendingReplies.Key(connection, connection.nextCorrelationId());
		this.key = next;
		this.replies.add(next, this);
		return next.id();
	}

	/**
	 * Do not expect it any more.
	 */
	synchronized void forget() {
		if (this.key != null) {
			this.replies.remove(this.key);
			this.key = null;
		}
	}

	void deliver(RdmaMessage message) {
		this.receiver.accept(message);
	}

	void fail(Throwable failure) {
		forget();
		this.receiver.fail(failure);
	}

}
