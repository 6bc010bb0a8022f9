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

import io.rdma.core.connection.InboundMessage;
import io.rdma.core.connection.Operation;
import io.rdma.core.connection.RdmaConnection;
import org.jspecify.annotations.Nullable;

/**
 * A message that is the reply to another.
 */
final class ReplySpec extends MessageSpec {

	private final InboundMessage request;

	ReplySpec(InboundMessage request, RdmaPayload payload, @Nullable String contentType) {
		super(request.peer(), payload, contentType);
		this.request = request;
	}

	@Override
	RdmaConnection connection() {
		return this.request.connection();
	}

	@Override
	void configure(Operation operation, RdmaConnection connection) {
		super.configure(operation, connection);
		operation.reply(this.request.correlationId());
	}

}
