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

import io.rdma.core.connection.Operation;
import io.rdma.core.connection.OperationKind;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.exception.RdmaMessageTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * A message to a peer.
 */
class MessageSpec extends OperationSpec {

	private final @Nullable String contentType;

	MessageSpec(String peer, RdmaPayload payload, @Nullable String contentType) {
		super(OperationKind.SEND, peer, payload);
		this.contentType = contentType;
	}

	@Override
	int check(RdmaConnection connection) {
		long length = payloadLength();
		long maximum = Math.min(connection.maxMessageSize(), Integer.MAX_VALUE);
		if (length > maximum) {
			throw new RdmaMessageTooLargeException(context(connection), length, maximum,
					"Send less, raise rdma.template.max-message-size of the peer, or write it to a region of the "
							+ "peer and send a message that tells where.");
		}
		return (int) length;
	}

	@Override
	void configure(Operation operation, RdmaConnection connection) {
		operation.contentType(this.contentType);
	}

}
