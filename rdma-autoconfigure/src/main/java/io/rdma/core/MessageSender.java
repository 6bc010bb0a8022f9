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

import io.rdma.core.connection.OperationKind;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Sends messages and replies.
 */
@RequiredArgsConstructor
final class MessageSender implements RdmaSendOperations, RdmaReplyOperations {

	private final TemplateContext context;

	@Override
	public void send(String peer, RdmaPayload payload) {
		send(peer, payload, null, this.context.limit(null));
	}

	@Override
	public void send(String peer, RdmaPayload payload, Duration timeout) {
		TimeLimit.check(timeout);
		send(peer, payload, null, this.context.limit(timeout));
	}

	private void send(String peer, RdmaPayload payload, @Nullable String contentType, TimeLimit limit) {
		Arguments.checkCall(peer, payload);
		this.context.checkBlocking(OperationKind.SEND.name(), peer);
		this.context.runner().perform(new MessageSpec(peer, payload, contentType), limit, TemplateContext.NOTHING);
	}

	@Override
	public CompletableFuture<@Nullable Void> sendAsync(String peer, RdmaPayload payload) {
		Arguments.checkCall(peer, payload);
		return this.context.start(new MessageSpec(peer, payload, null), this.context.limit(null),
				TemplateContext.NOTHING);
	}

	@Override
	public CompletableFuture<@Nullable Void> sendAsync(String peer, RdmaPayload payload, Duration timeout) {
		Arguments.checkCall(peer, payload);
		TimeLimit.check(timeout);
		return this.context.start(new MessageSpec(peer, payload, null), this.context.limit(timeout),
				TemplateContext.NOTHING);
	}

	@Override
	public void convertAndSend(String peer, Object payload) {
		MessageCodec.Encoded encoded = this.context.codec().encode(peer, payload);
		send(peer, encoded.payload(), encoded.contentType(), this.context.limit(null));
	}

	@Override
	public void convertAndSend(String peer, Object payload, Duration timeout) {
		TimeLimit.check(timeout);
		MessageCodec.Encoded encoded = this.context.codec().encode(peer, payload);
		send(peer, encoded.payload(), encoded.contentType(), this.context.limit(timeout));
	}

	@Override
	public CompletableFuture<@Nullable Void> convertAndSendAsync(String peer, Object payload) {
		MessageCodec.Encoded encoded = this.context.codec().encode(peer, payload);
		return this.context.start(new MessageSpec(peer, encoded.payload(), encoded.contentType()),
				this.context.limit(null), TemplateContext.NOTHING);
	}

	@Override
	public void reply(RdmaMessage request, RdmaPayload payload) {
		checkReply(request, payload);
		reply(request, payload, null, this.context.limit(null));
	}

	@Override
	public void reply(RdmaMessage request, RdmaPayload payload, Duration timeout) {
		checkReply(request, payload);
		TimeLimit.check(timeout);
		reply(request, payload, null, this.context.limit(timeout));
	}

	private void reply(RdmaMessage request, RdmaPayload payload, @Nullable String contentType, TimeLimit limit) {
		this.context.checkBlocking(OperationKind.SEND.name(), request.peer());
		this.context.runner()
			.perform(new ReplySpec(request.request(), payload, contentType), limit, TemplateContext.NOTHING);
	}

	@Override
	public CompletableFuture<@Nullable Void> replyAsync(RdmaMessage request, RdmaPayload payload) {
		checkReply(request, payload);
		return this.context.start(new ReplySpec(request.request(), payload, null), this.context.limit(null),
				TemplateContext.NOTHING);
	}

	@Override
	public CompletableFuture<@Nullable Void> replyAsync(RdmaMessage request, RdmaPayload payload, Duration timeout) {
		checkReply(request, payload);
		TimeLimit.check(timeout);
		return this.context.start(new ReplySpec(request.request(), payload, null), this.context.limit(timeout),
				TemplateContext.NOTHING);
	}

	@Override
	public void convertAndReply(RdmaMessage request, Object payload) {
		Assert.notNull(request, "'request' must not be null");
		MessageCodec.Encoded encoded = this.context.codec().encode(request.peer(), payload);
		checkReply(request, encoded.payload());
		reply(request, encoded.payload(), encoded.contentType(), this.context.limit(null));
	}

	private static void checkReply(RdmaMessage request, RdmaPayload payload) {
		Assert.notNull(request, "'request' must not be null");
		Assert.notNull(payload, "'payload' must not be null");
		request.request();
	}

}
