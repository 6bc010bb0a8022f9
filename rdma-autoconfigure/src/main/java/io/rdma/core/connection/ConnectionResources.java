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

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.rdma.core.completion.CompletionQueueDemand;
import io.rdma.core.completion.CompletionQueueLease;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.LinkLayer;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import lombok.Getter;
import lombok.experimental.Accessors;
import lombok.extern.slf4j.Slf4j;

/**
 * Everything that a connection holds of the device and the pool, from the creation of its
 * queue pair to the orderly release.
 */
@Slf4j
@Getter
@Accessors(fluent = true)
final class ConnectionResources implements AutoCloseable {

	/** Work requests beside those of operations: one return of credits, one READY. */
	static final int CONTROL_REQUESTS = 2;

	private static final int SEND_ENTRIES = 2;

	private static final int MAX_24_BIT = 0xff_ffff;

	private static final SecureRandom RANDOM = new SecureRandom();

	private final ConnectionContext context;

	private final CompletionQueueLease lease;

	private final QueuePair queuePair;

	private final ControlBlock block;

	private final SendTable table;

	private final SendQueue sendQueue;

	private final ReceiveWindow window;

	private final int psn = RANDOM.nextInt(MAX_24_BIT + 1);

	private final int generation = RANDOM.nextInt();

	/** State of the queue pair as far as this side knows without asking. */
	private volatile QueuePairState state = QueuePairState.RESET;

	/**
	 * Acquire the resources of a connection.
	 * @param context what connections share
	 * @param deadlineNanos until when to wait for buffers
	 */
	ConnectionResources(ConnectionContext context, long deadlineNanos) {
		ConnectionSettings settings = context.settings();
		int sendDepth = settings.sendDepth() + CONTROL_REQUESTS;
		this.context = context;
		try (Undo undo = new Undo()) {
			this.lease = context.groups().assign(new CompletionQueueDemand(sendDepth, settings.receiveDepth()));
			undo.add(this.lease);
			this.queuePair = createQueuePair(sendDepth);
			undo.add(this.queuePair);
			this.block = context.memory().acquire();
			undo.add(() -> context.memory().release(this.block));
			List<RdmaBuffer> buffers = new ArrayList<>();
			undo.add(() -> buffers.forEach(RdmaBuffer::release));
			for (int i = 0; i < settings.receiveDepth(); i++) {
				long remaining = Math.max(0, deadlineNanos - System.nanoTime());
				buffers.add(context.pool().acquire(settings.receiveBufferSize(), Duration.ofNanos(remaining)));
			}
			this.table = new SendTable(settings.sendDepth(), this.generation);
			this.sendQueue = new SendQueue(this.queuePair,
					context.endpoint().context().allocateSendWorkRequests(1, SEND_ENTRIES), this.block);
			long maxHeldBytes = Math.max(settings.maxMessageSize(),
					(long) settings.receiveDepth() * settings.receiveBufferSize());
			this.window = new ReceiveWindow(this.queuePair,
					context.endpoint().context().allocateReceiveWorkRequests(1, 1), buffers,
					settings.receiveBufferSize(), maxHeldBytes, this.generation);
			this.lease.outstanding(this.table::inUse, this.window::outstanding);
			undo.keep();
		}
	}

	private QueuePair createQueuePair(int sendDepth) {
		ConnectionSettings settings = this.context.settings();
		int maxInline = Math.min(settings.maxInline(), this.context.endpoint().context().queryDevice().maxInlineData());
		QueuePairCapabilities capabilities = new QueuePairCapabilities(sendDepth, settings.receiveDepth(), SEND_ENTRIES,
				1, maxInline);
		return this.context.endpoint()
			.protectionDomain()
			.createQueuePair(
					new QueuePairInitAttributes(this.lease.sendQueue(), this.lease.receiveQueue(), capabilities));
	}

	/**
	 * Go to INIT and post the receives, so that none is missing when the first message
	 * comes.
	 * @param access what the peer may do
	 */
	void init(Set<AccessFlag> access) {
		modify(QueuePairAttributes.to(QueuePairState.INIT)
			.pkeyIndex(this.context.settings().pkeyIndex())
			.port(this.context.endpoint().port())
			.accessFlags(access)
			.build());
		this.window.postAll();
	}

	/**
	 * Choose the path and go to RTR and RTS.
	 * @param local what we said
	 * @param remote what the peer said
	 * @param pathAnswer what the peer answered to our offer of a path
	 */
	void connect(Hello local, Hello remote, byte[] pathAnswer) {
		ConnectionSettings settings = this.context.settings();
		this.queuePair.usePath(remote.pathOffer(), pathAnswer);
		modify(QueuePairAttributes.to(QueuePairState.RTR)
			.addressVector(addressVector(local, remote))
			.pathMtu(pathMtu(local, remote))
			.destQpNumber(remote.queuePairNumber())
			.rqPsn(remote.psn())
			.maxDestRdAtomic(Math.min(local.maxReadAtomicAsResponder(), remote.maxReadAtomicAsRequester()))
			.minRnrTimer(settings.minRnrTimer())
			.build());
		modify(QueuePairAttributes.to(QueuePairState.RTS)
			.timeout(settings.timeout())
			.retryCount(settings.retryCount())
			.rnrRetry(settings.rnrRetryCount())
			.sqPsn(local.psn())
			.maxRdAtomic(Math.min(local.maxReadAtomicAsRequester(), remote.maxReadAtomicAsResponder()))
			.build());
	}

	static PathMtu pathMtu(Hello local, Hello remote) {
		return local.mtu().min(remote.mtu());
	}

	private AddressVector addressVector(Hello local, Hello remote) {
		ConnectionSettings settings = this.context.settings();
		int port = this.context.endpoint().port();
		GlobalRoute route = new GlobalRoute(remote.gid(), this.context.endpoint().gid().index(), settings.hopLimit(),
				settings.trafficClass(), 0);
		if (local.linkLayer() == LinkLayer.ETHERNET) {
			return new AddressVector(0, settings.serviceLevel(), port, route);
		}
		boolean sameSubnet = local.gid().high() == remote.gid().high();
		return new AddressVector(remote.lid(), settings.serviceLevel(), port, sameSubnet ? null : route);
	}

	private void modify(QueuePairAttributes attributes) {
		this.queuePair.modify(attributes);
		this.state = attributes.state();
	}

	/**
	 * Go to ERR, so that everything posted is flushed. From RESET there is nothing to
	 * flush and no way to ERR.
	 */
	void error() {
		this.window.stop();
		if (this.state != QueuePairState.RESET && this.queuePair.isOpen()) {
			modify(QueuePairAttributes.to(QueuePairState.ERR).build());
		}
	}

	/**
	 * Note that the device put the queue pair into ERR.
	 */
	void failed() {
		this.state = QueuePairState.ERR;
	}

	@Override
	public void close() {
		try (Undo undo = new Undo()) {
			undo.add(() -> this.context.memory().release(this.block));
			undo.add(this.sendQueue::close);
			undo.add(this.window::close);
			undo.add(this.lease);
			undo.add(this.queuePair);
		}
	}

	/**
	 * Undoes what was done, last first, whatever fails on the way.
	 */
	private static final class Undo implements AutoCloseable {

		private final List<AutoCloseable> steps = new ArrayList<>();

		void add(AutoCloseable step) {
			this.steps.add(step);
		}

		void keep() {
			this.steps.clear();
		}

		@Override
		public void close() {
			for (int i = this.steps.size() - 1; i >= 0; i--) {
				try {
					this.steps.get(i).close();
				}
				catch (Exception ex) {
					logger.warn("A part of a connection could not be released: {}", ex.getMessage(), ex);
				}
			}
		}

	}

}
