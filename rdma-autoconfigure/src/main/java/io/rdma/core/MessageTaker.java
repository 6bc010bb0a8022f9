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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.rdma.core.connection.InboundMessage;
import io.rdma.core.connection.Inbox;
import io.rdma.core.connection.OperationKind;
import io.rdma.core.connection.PeerStatus;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.exception.UnknownRdmaPeerException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Takes messages of peers.
 */
@RequiredArgsConstructor
final class MessageTaker implements RdmaReceiveOperations {

	private final Map<String, ReceiverQueue> queues = new ConcurrentHashMap<>();

	private final TemplateContext context;

	@Override
	public RdmaMessage receive(String peer) {
		return receive(peer, this.context.settings().timeout());
	}

	@Override
	public RdmaMessage receive(String peer, Duration timeout) {
		Arguments.checkPeer(peer);
		TimeLimit.check(timeout);
		this.context.checkBlocking(OperationKind.RECEIVE.name(), peer);
		TimeLimit limit = this.context.limit(timeout);
		InboundMessage message = poll(peer);
		if (message == null) {
			connectForReceive(peer, limit);
			message = this.context.connections().inbox(peer).await(limit.deadline());
		}
		if (message == null) {
			message = poll(peer);
		}
		if (message == null) {
			throw noMessage(peer, limit);
		}
		return RdmaMessage.of(message);
	}

	private @Nullable InboundMessage poll(String peer) {
		ReceiverQueue waiting = this.queues.get(peer);
		return (waiting != null) ? waiting.poll() : this.context.connections().inbox(peer).poll();
	}

	/**
	 * Connect to a peer that we are configured to connect to: nothing comes from it else.
	 * Any other can connect to us at any time.
	 */
	private void connectForReceive(String peer, TimeLimit limit) {
		if (isToBeConnected(peer)) {
			this.context.connections().get(peer, limit.deadline());
		}
	}

	private boolean isToBeConnected(String peer) {
		RdmaConnections connections = this.context.connections();
		return connections.isKnown(peer) && connections.ready(peer) == null && isConfigured(peer);
	}

	private boolean isConfigured(String peer) {
		for (PeerStatus status : this.context.connections().peers()) {
			if (status.name().equals(peer) && !status.inbound()) {
				return true;
			}
		}
		return false;
	}

	@Override
	public CompletableFuture<RdmaMessage> receiveAsync(String peer) {
		return receiveAsync(peer, this.context.settings().timeout());
	}

	@Override
	public CompletableFuture<RdmaMessage> receiveAsync(String peer, Duration timeout) {
		return receiveAsync(peer, timeout, Function.identity());
	}

	private <T> CompletableFuture<T> receiveAsync(String peer, Duration timeout, Function<RdmaMessage, T> conversion) {
		Arguments.checkPeer(peer);
		TimeLimit.check(timeout);
		TimeLimit limit = this.context.limit(timeout);
		MessageReceiver<T> receiver = new MessageReceiver<>(this.context.future(), conversion);
		this.context.expire(receiver, limit, () -> noMessage(peer, limit));
		return this.context.guarded(OperationKind.RECEIVE, peer, receiver.future(), () -> {
			if (isToBeConnected(peer)) {
				connectInBackground(peer, limit, receiver);
			}
			receivers(peer).add(receiver);
		});
	}

	private void connectInBackground(String peer, TimeLimit limit, MessageReceiver<?> receiver) {
		CompletableFuture<?> unused = this.context.runner()
			.inBackground(TemplateContext.describe(OperationKind.RECEIVE, peer), () -> {
				connectForReceive(peer, limit);
				return true;
			}, () -> {
			})
			.whenComplete((connected, failure) -> {
				if (failure != null) {
					receiver.fail(failure);
				}
			});
	}

	private ReceiverQueue receivers(String peer) {
		return this.queues.computeIfAbsent(peer, (name) -> {
			Inbox inbox = this.context.connections().inbox(name);
			ReceiverQueue created = new ReceiverQueue(inbox);
			inbox.onArrival(created::serve);
			return created;
		});
	}

	private RdmaException noMessage(String peer, TimeLimit limit) {
		if (!this.context.connections().isKnown(peer)) {
			return new UnknownRdmaPeerException(peer,
					this.context.connections().peers().stream().map(PeerStatus::name).toList());
		}
		return new RdmaTimeoutException(TemplateContext.describe(OperationKind.RECEIVE, peer),
				"no message came within " + limit,
				"Allow more time if this is expected; a @RdmaListener takes messages whenever they come.");
	}

	@Override
	public <T> T receiveAndConvert(String peer, Class<T> type) {
		return receiveAndConvert(peer, type, this.context.settings().timeout());
	}

	@Override
	public <T> T receiveAndConvert(String peer, Class<T> type, Duration timeout) {
		Assert.notNull(type, "'type' must not be null");
		return this.context.codec().decode(receive(peer, timeout), type);
	}

	@Override
	public <T> CompletableFuture<T> receiveAndConvertAsync(String peer, Class<T> type) {
		Assert.notNull(type, "'type' must not be null");
		return receiveAsync(peer, this.context.settings().timeout(),
				(message) -> this.context.codec().decode(message, type));
	}

	@Override
	public <T> T convert(RdmaMessage message, Class<T> type) {
		Assert.notNull(message, "'message' must not be null");
		Assert.notNull(type, "'type' must not be null");
		return this.context.codec().decode(message, type);
	}

	void failAll(RdmaException exception) {
		this.queues.values().forEach((queue) -> queue.failAll(exception));
	}

}
