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

package io.rdma.verbs.contract;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.rdma.verbs.AddressVector;
import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequest;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.SharedReceiveQueue;
import io.rdma.verbs.contract.ContractDevice.Kind;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One side of a connection: protection domain, memory region, completion queues with a
 * channel, and a queue pair, with short forms of what tests do with them.
 */
public final class Endpoint implements AutoCloseable {

	/** What {@link #routeTo} has, and no system gives by itself. */
	public static final int TRAFFIC_CLASS = 0x68;

	/** Like the traffic class. */
	public static final int HOP_LIMIT = 63;

	private final ContractDevice device;

	private final DeviceContext context;

	private final EndpointOptions options;

	private final Resources resources = new Resources();

	private final ProtectionDomain protectionDomain;

	private final MemoryRegion memory;

	private final CompletionChannel channel;

	private final CompletionQueue sendQueue;

	private final CompletionQueue receiveQueue;

	private final @Nullable SharedReceiveQueue sharedReceiveQueue;

	private final QueuePair queuePair;

	private final CompletionReader sends;

	private final CompletionReader receives;

	/**
	 * Make everything, with the queue pair in RESET.
	 * @param device the device
	 * @param context the context to make it from
	 * @param options the options
	 */
	public Endpoint(ContractDevice device, DeviceContext context, EndpointOptions options) {
		this.device = device;
		this.context = context;
		this.options = options;
		this.protectionDomain = this.resources.add(context.allocateProtectionDomain());
		this.memory = this.resources
			.add(this.protectionDomain.allocateMemory(options.memory(), options.memoryAccess()));
		this.channel = this.resources.add(context.createCompletionChannel());
		this.sendQueue = this.resources.add(context.createCompletionQueue(options.completionDepth(), this.channel));
		this.receiveQueue = this.resources.add(context.createCompletionQueue(options.completionDepth(), this.channel));
		this.sharedReceiveQueue = (options.sharedReceives() == 0) ? null
				: this.resources.add(this.protectionDomain.createSharedReceiveQueue(options.sharedReceives(), 2));
		this.queuePair = this.resources.add(createQueuePair());
		this.sends = new CompletionReader(context, this.sendQueue);
		this.receives = new CompletionReader(context, this.receiveQueue);
	}

	private Endpoint(Endpoint other, CompletionQueue sendQueue, CompletionQueue receiveQueue) {
		this.device = other.device;
		this.context = other.context;
		this.options = other.options;
		this.protectionDomain = other.protectionDomain;
		this.memory = other.memory;
		this.channel = other.channel;
		this.sendQueue = sendQueue;
		this.receiveQueue = receiveQueue;
		this.sharedReceiveQueue = other.sharedReceiveQueue;
		this.queuePair = this.resources.add(createQueuePair());
		this.sends = new CompletionReader(this.context, sendQueue);
		this.receives = new CompletionReader(this.context, receiveQueue);
	}

	/**
	 * Make another queue pair over everything else that this endpoint has.
	 * @return an endpoint with its own queue pair, to be closed before this one
	 */
	public Endpoint sibling() {
		return new Endpoint(this, this.sendQueue, this.receiveQueue);
	}

	/**
	 * Make another queue pair over what this endpoint has, with one other completion
	 * queue for sends and receives.
	 * @param both the completion queue
	 * @return an endpoint with its own queue pair, to be closed before this one
	 */
	public Endpoint sibling(CompletionQueue both) {
		return new Endpoint(this, both, both);
	}

	private QueuePair createQueuePair() {
		QueuePairCapabilities capabilities = new QueuePairCapabilities(this.options.sendDepth(),
				this.options.receiveDepth(), this.options.scatterGather(), this.options.scatterGather(),
				this.options.inlineData());
		return this.protectionDomain.createQueuePair(new QueuePairInitAttributes(this.sendQueue, this.receiveQueue,
				this.sharedReceiveQueue, capabilities, this.options.signalAll()));
	}

	/**
	 * Return whether the device is the kernel's Soft-RoCE.
	 * @return whether what the kernel does is right
	 */
	public boolean isSoftRoce() {
		return this.device.kind() == Kind.SOFT_ROCE;
	}

	/**
	 * Return the device context.
	 * @return the context
	 */
	public DeviceContext context() {
		return this.context;
	}

	/**
	 * Return the protection domain.
	 * @return the protection domain
	 */
	public ProtectionDomain protectionDomain() {
		return this.protectionDomain;
	}

	/**
	 * Return the memory region.
	 * @return the region
	 */
	public MemoryRegion memory() {
		return this.memory;
	}

	/**
	 * Return the channel of both completion queues.
	 * @return the channel
	 */
	public CompletionChannel channel() {
		return this.channel;
	}

	/**
	 * Return the completion queue for sends.
	 * @return the queue
	 */
	public CompletionQueue sendQueue() {
		return this.sendQueue;
	}

	/**
	 * Return the completion queue for receives.
	 * @return the queue
	 */
	public CompletionQueue receiveQueue() {
		return this.receiveQueue;
	}

	/**
	 * Return the shared receive queue.
	 * @return the queue
	 */
	public SharedReceiveQueue sharedReceiveQueue() {
		SharedReceiveQueue queue = this.sharedReceiveQueue;
		if (queue == null) {
			throw new IllegalStateException("The endpoint was made with no shared receive queue");
		}
		return queue;
	}

	/**
	 * Return the queue pair.
	 * @return the queue pair
	 */
	public QueuePair queuePair() {
		return this.queuePair;
	}

	/**
	 * Return the GID that peers reach this endpoint by.
	 * @return the GID
	 */
	public Gid gid() {
		return this.context.queryGidTable(this.device.port())
			.stream()
			.filter((entry) -> entry.index() == this.device.gidIndex())
			.map(GidEntry::gid)
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Return the attributes of the transition from RESET to INIT.
	 * @return the attributes
	 */
	public QueuePairAttributes.Builder init() {
		return QueuePairAttributes.to(QueuePairState.INIT)
			.pkeyIndex(0)
			.port(this.device.port())
			.accessFlags(this.options.queuePairAccess());
	}

	/**
	 * Return the attributes of the transition from INIT to RTR.
	 * @param peer the other side
	 * @return the attributes
	 */
	public QueuePairAttributes.Builder readyToReceive(Endpoint peer) {
		return QueuePairAttributes.to(QueuePairState.RTR)
			.addressVector(routeTo(peer.gid(), this.device.gidIndex()))
			.pathMtu(this.options.pathMtu().min(this.context.queryPort(this.device.port()).activeMtu()))
			.destQpNumber(peer.queuePair.number())
			.rqPsn(peer.options.firstPsn())
			.maxDestRdAtomic(this.options.maxRdAtomic())
			.minRnrTimer(this.options.minRnrTimer());
	}

	/**
	 * Return an address vector. Traffic class and hop limit are not those that a system
	 * gives by itself.
	 * @param destination the GID of the peer
	 * @param sourceIndex the index of our GID
	 * @return the address vector
	 */
	public AddressVector routeTo(Gid destination, int sourceIndex) {
		return AddressVector.ethernet(this.device.port(),
				new GlobalRoute(destination, sourceIndex, HOP_LIMIT, TRAFFIC_CLASS, 0));
	}

	/**
	 * Return the attributes of the transition from RTR to RTS.
	 * @return the attributes
	 */
	public QueuePairAttributes.Builder readyToSend() {
		return QueuePairAttributes.to(QueuePairState.RTS)
			.timeout(this.options.timeout())
			.retryCount(this.options.retryCount())
			.rnrRetry(this.options.rnrRetry())
			.sqPsn(this.options.firstPsn())
			.maxRdAtomic(this.options.maxRdAtomic());
	}

	/**
	 * Take the queue pair from RESET to RTS.
	 * @param peer the other side
	 */
	public void connectTo(Endpoint peer) {
		this.queuePair.modify(init().build());
		choosePathTo(peer);
		this.queuePair.modify(readyToReceive(peer).build());
		this.queuePair.modify(readyToSend().build());
	}

	/**
	 * Exchange with the peer what a connection manager exchanges.
	 * @param peer the other side
	 */
	public void choosePathTo(Endpoint peer) {
		byte[] peerOffer = peer.queuePair.pathOffer();
		byte[] peerAnswer = peer.queuePair.answerPathOffer(this.queuePair.pathOffer());
		this.queuePair.answerPathOffer(peerOffer);
		this.queuePair.usePath(peerOffer, peerAnswer);
	}

	/**
	 * Change the state with no other attribute.
	 * @param state the state to go to
	 */
	public void modifyTo(QueuePairState state) {
		this.queuePair.modify(QueuePairAttributes.to(state).build());
	}

	/**
	 * Return the state of the queue pair.
	 * @return the state
	 */
	public QueuePairState state() {
		return this.queuePair.state();
	}

	/**
	 * Wait until the queue pair is in a state that it goes to by itself.
	 * @param state the state
	 */
	public void awaitState(QueuePairState state) {
		await().pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.atMost(CompletionReader.PATIENCE)
			.untilAsserted(() -> assertThat(state()).isEqualTo(state));
	}

	/**
	 * Allocate a chain of sends with as many entries for each as the queue pair takes.
	 * @param capacity how many work requests
	 * @return the chain
	 */
	public SendWorkRequests sendChain(int capacity) {
		return this.context.allocateSendWorkRequests(capacity, this.options.scatterGather());
	}

	/**
	 * Allocate a chain of receives with as many entries for each as the queue pair takes.
	 * @param capacity how many work requests
	 * @return the chain
	 */
	public ReceiveWorkRequests receiveChain(int capacity) {
		return this.context.allocateReceiveWorkRequests(capacity, this.options.scatterGather());
	}

	/**
	 * Post sends as one chain.
	 * @param requests what to fill each work request with
	 */
	@SafeVarargs
	public final void post(Consumer<SendWorkRequest>... requests) {
		SendWorkRequests chain = sendChain(requests.length);
		for (Consumer<SendWorkRequest> request : requests) {
			request.accept(chain.add());
		}
		this.queuePair.postSend(chain);
	}

	/**
	 * Post receives as one chain.
	 * @param requests what to fill each work request with
	 */
	@SafeVarargs
	public final void postReceive(Consumer<ReceiveWorkRequest>... requests) {
		ReceiveWorkRequests chain = receiveChain(requests.length);
		for (Consumer<ReceiveWorkRequest> request : requests) {
			request.accept(chain.add());
		}
		this.queuePair.postReceive(chain);
	}

	/**
	 * Post a receive into the memory region.
	 * @param wrId the context of the work request
	 * @param offset where the message goes to
	 * @param length how long it may be
	 */
	public void postReceive(long wrId, long offset, int length) {
		postReceive((wr) -> wr.wrId(wrId).addSge(this.memory, offset, length));
	}

	/**
	 * Post a receive of 8 bytes to the shared receive queue.
	 * @param wrId the context of the work request
	 */
	public void postSharedReceive(long wrId) {
		ReceiveWorkRequests chain = this.context.allocateReceiveWorkRequests(1, 1);
		chain.add().wrId(wrId).addSge(this.memory, 0, 8);
		sharedReceiveQueue().postReceive(chain);
	}

	/**
	 * Return the reader of send completions.
	 * @return the reader
	 */
	public CompletionReader sends() {
		return this.sends;
	}

	/**
	 * Return the reader of receive completions.
	 * @return the reader
	 */
	public CompletionReader receives() {
		return this.receives;
	}

	/**
	 * Wait for the next send completion.
	 * @return the completion, which is one of this queue pair
	 */
	public Completion awaitSend() {
		return awaitSends(1).get(0);
	}

	/**
	 * Wait for the next receive completion.
	 * @return the completion, which is one of this queue pair
	 */
	public Completion awaitReceive() {
		return awaitReceives(1).get(0);
	}

	/**
	 * Wait for send completions.
	 * @param count how many
	 * @return the completions, which are all of this queue pair
	 */
	public List<Completion> awaitSends(int count) {
		return checkQpNumber(this.sends.await(count));
	}

	/**
	 * Wait for receive completions.
	 * @param count how many
	 * @return the completions, which are all of this queue pair
	 */
	public List<Completion> awaitReceives(int count) {
		return checkQpNumber(this.receives.await(count));
	}

	private List<Completion> checkQpNumber(List<Completion> completions) {
		assertThat(completions).extracting(Completion::qpNumber).containsOnly(this.queuePair.number());
		return completions;
	}

	/**
	 * Put text into the memory region.
	 * @param offset where
	 * @param text the text, ASCII
	 */
	public void put(long offset, String text) {
		this.memory.put(offset, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
	}

	/**
	 * Fill a part of the memory region with a pattern that repeats with a prime period.
	 * @param offset where
	 * @param length how many bytes
	 * @return the bytes
	 */
	public byte[] fill(long offset, int length) {
		byte[] bytes = new byte[length];
		for (int i = 0; i < length; i++) {
			bytes[i] = (byte) (1 + i % 251);
		}
		this.memory.put(offset, ByteBuffer.wrap(bytes));
		return bytes;
	}

	/**
	 * Get text out of the memory region.
	 * @param offset where from
	 * @param length how many bytes
	 * @return the text, ASCII
	 */
	public String text(long offset, int length) {
		return new String(bytes(offset, length), StandardCharsets.US_ASCII);
	}

	/**
	 * Get bytes out of the memory region.
	 * @param offset where from
	 * @param length how many
	 * @return the bytes
	 */
	public byte[] bytes(long offset, int length) {
		byte[] bytes = new byte[length];
		this.memory.get(offset, ByteBuffer.wrap(bytes));
		return bytes;
	}

	/**
	 * Put 8 bytes in the byte order of the machine into the memory region.
	 * @param offset where
	 * @param value the value
	 */
	public void putLong(long offset, long value) {
		this.memory.putLongRelease(offset, value);
	}

	/**
	 * Get 8 bytes in the byte order of the machine out of the memory region.
	 * @param offset where from
	 * @return the value
	 */
	public long getLong(long offset) {
		return ByteBuffer.wrap(bytes(offset, Long.BYTES)).order(ByteOrder.nativeOrder()).getLong();
	}

	@Override
	public void close() throws Exception {
		this.resources.close();
	}

}
