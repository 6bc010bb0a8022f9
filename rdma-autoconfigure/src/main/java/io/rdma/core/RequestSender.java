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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.rdma.core.connection.OperationKind;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaTimeoutException;
import lombok.Getter;
import lombok.RequiredArgsConstructor;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Sends messages that wait for a reply.
 */
@RequiredArgsConstructor
final class RequestSender implements RdmaRequestOperations {

	@Getter
	@Accessors(fluent = true)
	private final PendingReplies replies = new PendingReplies();

	private final TemplateContext context;

	@Override
	public RdmaMessage sendAndReceive(String peer, RdmaPayload payload) {
		Arguments.checkCall(peer, payload);
		return request(peer, payload, null, this.context.limit(null));
	}

	@Override
	public RdmaMessage sendAndReceive(String peer, RdmaPayload payload, Duration timeout) {
		Arguments.checkCall(peer, payload);
		TimeLimit.check(timeout);
		return request(peer, payload, null, this.context.limit(timeout));
	}

	private RdmaMessage request(String peer, RdmaPayload payload, @Nullable String contentType, TimeLimit limit) {
		this.context.checkBlocking(OperationKind.SEND.name(), peer);
		MessageReceiver<RdmaMessage> receiver = new MessageReceiver<>(new RdmaFuture<>(null), Function.identity());
		PendingReply reply = new PendingReply(this.replies, receiver);
		long deadline = limit.deadline();
		try {
			this.context.runner()
				.perform(new RequestSpec(peer, payload, contentType, reply), limit, TemplateContext.NOTHING);
			return receiver.future().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw noReply(peer, limit);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RdmaInterruptedException(TemplateContext.describe(OperationKind.SEND, peer),
					"the thread was interrupted while it waited for a reply",
					"Repeat the request if it may be carried out twice.", ex);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RdmaException failure) {
				throw failure;
			}
			throw new IllegalStateException(ex.getCause());
		}
		finally {
			reply.forget();
		}
	}

	@Override
	public CompletableFuture<RdmaMessage> sendAndReceiveAsync(String peer, RdmaPayload payload) {
		Arguments.checkCall(peer, payload);
		return requestAsync(peer, payload, null, this.context.limit(null), Function.identity());
	}

	@Override
	public CompletableFuture<RdmaMessage> sendAndReceiveAsync(String peer, RdmaPayload payload, Duration timeout) {
		Arguments.checkCall(peer, payload);
		TimeLimit.check(timeout);
		return requestAsync(peer, payload, null, this.context.limit(timeout), Function.identity());
	}

	private <T> CompletableFuture<T> requestAsync(String peer, RdmaPayload payload, @Nullable String contentType,
			TimeLimit limit, Function<RdmaMessage, T> conversion) {
		MessageReceiver<T> receiver = new MessageReceiver<>(this.context.future(), conversion);
		PendingReply reply = new PendingReply(this.replies, receiver);
		this.context.expire(receiver, limit, () -> {
			reply.forget();
			return noReply(peer, limit);
		});
		return this.context.guarded(OperationKind.SEND, peer, receiver.future(),
				() -> this.context.runner()
					.start(new RequestSpec(peer, payload, contentType, reply), limit.deadline(),
							TemplateContext.NOTHING, new AsyncCall.Completion<>() {

								@Override
								public void succeeded(@Nullable Void value) {
									// the reply is still to come
								}

								@Override
								public void failed(Throwable failure) {
									reply.fail(failure);
								}

							}));
	}

	private static RdmaTimeoutException noReply(String peer, TimeLimit limit) {
		return new RdmaTimeoutException(TemplateContext.describe(OperationKind.SEND, peer),
				"no reply came within " + limit,
				"Check that the peer has a listener that returns a value for this message, or allow more time.");
	}

	@Override
	public <T> T convertSendAndReceive(String peer, Object payload, Class<T> type) {
		Assert.notNull(type, "'type' must not be null");
		MessageCodec.Encoded encoded = this.context.codec().encode(peer, payload);
		return this.context.codec()
			.decode(request(peer, encoded.payload(), encoded.contentType(), this.context.limit(null)), type);
	}

	@Override
	public <T> T convertSendAndReceive(String peer, Object payload, Class<T> type, Duration timeout) {
		Assert.notNull(type, "'type' must not be null");
		TimeLimit.check(timeout);
		MessageCodec.Encoded encoded = this.context.codec().encode(peer, payload);
		return this.context.codec()
			.decode(request(peer, encoded.payload(), encoded.contentType(), this.context.limit(timeout)), type);
	}

	@Override
	public <T> CompletableFuture<T> convertSendAndReceiveAsync(String peer, Object payload, Class<T> type) {
		Assert.notNull(type, "'type' must not be null");
		MessageCodec.Encoded encoded = this.context.codec().encode(peer, payload);
		return requestAsync(peer, encoded.payload(), encoded.contentType(), this.context.limit(null),
				(message) -> this.context.codec().decode(message, type));
	}

}
