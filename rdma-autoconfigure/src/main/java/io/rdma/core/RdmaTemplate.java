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

import java.util.List;
import java.util.concurrent.Executor;

import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.memory.RdmaMemoryPool;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;
import lombok.experimental.Delegate;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.converter.ByteArrayMessageConverter;
import org.springframework.messaging.converter.CompositeMessageConverter;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.converter.StringMessageConverter;
import org.springframework.util.Assert;

/**
 * Implementation of {@link RdmaOperations} on the connections of this service. There is
 * one for each {@link RdmaConnections}, whose replies it takes. Thread-safe. It can be
 * used while the connections are started, and not after {@link #close()}.
 */
public final class RdmaTemplate implements RdmaOperations, AutoCloseable {

	private final TemplateContext context;

	@Delegate
	private final MessageSender sender;

	@Delegate(types = RdmaRequestOperations.class)
	private final RequestSender requests;

	@Delegate(types = RdmaReceiveOperations.class)
	private final MessageTaker taker;

	@Delegate
	private final RegionWriter writer;

	@Delegate
	private final RegionReader reader;

	@Delegate
	private final RegionAtomics atomics;

	private RdmaTemplate(Builder builder) {
		this.context = new TemplateContext(builder.connections, builder.pool, builder.applicationExecutor,
				builder.settings, new MessageCodec(builder.messageConverter));
		this.sender = new MessageSender(this.context);
		this.requests = new RequestSender(this.context);
		this.taker = new MessageTaker(this.context);
		this.writer = new RegionWriter(this.context);
		this.reader = new RegionReader(this.context);
		this.atomics = new RegionAtomics(this.context);
		builder.connections.replyHandler(this.requests.replies()::accept);
		builder.connections.addInternalListener(this.requests.replies()::onConnectionEvent);
	}

	/**
	 * Return a builder.
	 * @param connections the connections of this service
	 * @param pool where buffers come from
	 * @param applicationExecutor runs what depends on futures, and progress callbacks of
	 * asynchronous transfers
	 * @return the builder
	 */
	public static Builder builder(RdmaConnections connections, RdmaMemoryPool pool, Executor applicationExecutor) {
		return new Builder(connections, pool, applicationExecutor);
	}

	/**
	 * Return a message converter that takes {@code byte[]} and, as UTF-8, String.
	 * @return a new converter
	 */
	public static MessageConverter defaultMessageConverter() {
		return new CompositeMessageConverter(List.of(new ByteArrayMessageConverter(), new StringMessageConverter()));
	}

	@Override
	public <T extends @Nullable Object> T execute(String peer, RdmaCallback<T> callback) {
		Arguments.checkPeer(peer);
		Assert.notNull(callback, "'callback' must not be null");
		this.context.checkBlocking("execute", peer);
		return callback.doInRdma(this.context.connections().get(peer, this.context.limit(null).deadline()));
	}

	/**
	 * Return how many requests wait for their reply.
	 * @return the number
	 */
	public int pendingReplies() {
		return this.requests.replies().size();
	}

	/**
	 * Return how many replies came when nobody waited for them any more, and were
	 * dropped.
	 * @return the number since this was made
	 */
	public long lateReplies() {
		return this.requests.replies().late();
	}

	/**
	 * Close it. Operations that the device has go on to their end; what has not been
	 * started, and what waits for a message, fails with a {@link RdmaClosedException}.
	 * Waits up to 5 s for asynchronous transfers. Closing twice is harmless.
	 */
	@Override
	public void close() {
		if (this.context.startClosing()) {
			RdmaClosedException closed = OperationRunner.closedException(RdmaErrorContext.none(), null);
			this.requests.replies().failAll(closed);
			this.taker.failAll(closed);
			this.context.finishClosing();
		}
	}

	/**
	 * Builder of {@link RdmaTemplate}.
	 */
	@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
	public static final class Builder {

		private final RdmaConnections connections;

		private final RdmaMemoryPool pool;

		private final Executor applicationExecutor;

		private TemplateSettings settings = TemplateSettings.defaults();

		private MessageConverter messageConverter = defaultMessageConverter();

		/**
		 * Set the settings.
		 * @param settings the settings
		 * @return this
		 */
		public Builder settings(TemplateSettings settings) {
			this.settings = settings;
			return this;
		}

		/**
		 * Set what converts objects to messages and back. It must make {@code byte[]}.
		 * @param messageConverter the converter
		 * @return this
		 */
		public Builder messageConverter(MessageConverter messageConverter) {
			this.messageConverter = messageConverter;
			return this;
		}

		/**
		 * Build the template.
		 * @return the template
		 */
		public RdmaTemplate build() {
			return new RdmaTemplate(this);
		}

	}

}
