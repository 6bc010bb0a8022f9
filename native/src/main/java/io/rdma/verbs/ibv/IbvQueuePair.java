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

package io.rdma.verbs.ibv;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.rdma.verbs.AbstractQueuePair;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.Errno;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.MemoryWindow;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePairAttribute;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.Refusal;
import io.rdma.verbs.SendFlag;
import io.rdma.verbs.SharedReceiveQueue;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsResource;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair of libibverbs.
 */
final class IbvQueuePair extends AbstractQueuePair {

	private static final int ALL_ATTRIBUTES = allAttributes();

	private final IbvDeviceContext context;

	private final IbvProtectionDomain protectionDomain;

	private final @Nullable IbvSharedReceiveQueue sharedReceiveQueue;

	private final Handle handle;

	private final long eventNumber;

	private int number;

	private QueuePairCapabilities capabilities;

	private volatile QueuePairState cachedState = QueuePairState.RESET;

	private volatile Set<QueuePairAttribute> set = Set.of();

	private IbvQueuePair(IbvDeviceContext context, IbvProtectionDomain protectionDomain, IbvCompletionQueue sendQueue,
			IbvCompletionQueue receiveQueue, @Nullable IbvSharedReceiveQueue sharedReceiveQueue,
			QueuePairInitAttributes attributes, Handle handle) {
		super(context, parents(protectionDomain, sendQueue, receiveQueue, sharedReceiveQueue));
		this.context = context;
		this.handle = handle;
		this.protectionDomain = protectionDomain;
		this.sharedReceiveQueue = sharedReceiveQueue;
		this.eventNumber = context.number(this);
		this.capabilities = attributes.capabilities();
		int[] sizes = { this.capabilities.maxSendWorkRequests(),
				(sharedReceiveQueue != null) ? 0 : this.capabilities.maxReceiveWorkRequests(),
				this.capabilities.maxSendScatterGather(),
				(sharedReceiveQueue != null) ? 0 : this.capabilities.maxReceiveScatterGather(),
				this.capabilities.maxInlineData(), 0 };
		long pointer = isNegative(sizes) ? -Errno.EINVAL.number()
				: Native.createQueuePair(protectionDomain.pointer(), sendQueue.pointer(), receiveQueue.pointer(),
						(sharedReceiveQueue != null) ? sharedReceiveQueue.pointer() : 0, attributes.signalAll(),
						this.eventNumber, sizes);
		if (pointer < 0) {
			close();
			throw Results.failure(pointer, "ibv_create_qp", "No queue pair with " + attributes.capabilities()
					+ " can be created; look at the device's limits and at ulimit -l");
		}
		this.number = sizes[5];
		this.handle.set(pointer);
		// Soft-RoCE tells what it granted only when it is asked
		int[] queried = queueSizes();
		this.capabilities = new QueuePairCapabilities(Math.max(sizes[0], queried[0]), Math.max(sizes[1], queried[1]),
				sizes[2], sizes[3], sizes[4]);
	}

	private int[] queueSizes() {
		try {
			return QueuePairCodec.queueSizes(query(QueuePairAttribute.CAPABILITIES.bit()));
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	static IbvQueuePair create(IbvDeviceContext context, IbvProtectionDomain protectionDomain,
			QueuePairInitAttributes attributes) {
		if (!(attributes.sendCompletionQueue() instanceof IbvCompletionQueue sendQueue)
				|| !(attributes.receiveCompletionQueue() instanceof IbvCompletionQueue receiveQueue)
				|| sendQueue.context() != context || receiveQueue.context() != context) {
			throw otherContext("completion queues");
		}
		SharedReceiveQueue shared = attributes.sharedReceiveQueue();
		if (shared == null) {
			return new IbvQueuePair(context, protectionDomain, sendQueue, receiveQueue, null, attributes, new Handle());
		}
		if (!(shared instanceof IbvSharedReceiveQueue own) || own.context() != context) {
			throw otherContext("shared receive queue");
		}
		return new IbvQueuePair(context, protectionDomain, sendQueue, receiveQueue, own, attributes, new Handle());
	}

	private static VerbsException otherContext(String what) {
		return new VerbsException("ibv_create_qp", Errno.EINVAL,
				"The " + what + " of the queue pair must be made from the device context of its protection domain");
	}

	private static VerbsResource[] parents(@Nullable VerbsResource... parents) {
		List<VerbsResource> present = new ArrayList<>();
		for (VerbsResource parent : parents) {
			if (parent != null) {
				present.add(parent);
			}
		}
		return present.toArray(VerbsResource[]::new);
	}

	private static boolean isNegative(int[] sizes) {
		for (int size : sizes) {
			if (size < 0) {
				return true;
			}
		}
		return false;
	}

	private static int allAttributes() {
		Set<QueuePairAttribute> all = EnumSet.allOf(QueuePairAttribute.class);
		all.remove(QueuePairAttribute.ALTERNATE_PATH);
		all.remove(QueuePairAttribute.PATH_MIGRATION_STATE);
		return QueuePairCodec.mask(all);
	}

	@Override
	public int number() {
		return this.number;
	}

	@Override
	public ProtectionDomain protectionDomain() {
		return this.protectionDomain;
	}

	@Override
	public QueuePairCapabilities capabilities() {
		return this.capabilities;
	}

	@Override
	public @Nullable SharedReceiveQueue sharedReceiveQueue() {
		return this.sharedReceiveQueue;
	}

	@Override
	protected QueuePairState cachedState() {
		return this.cachedState;
	}

	@Override
	public QueuePairState state() {
		return QueuePairCodec.state(query(QueuePairAttribute.STATE.bit()));
	}

	@Override
	public QueuePairAttributes query() {
		return QueuePairCodec.decode(query(ALL_ATTRIBUTES), this.set, this.capabilities);
	}

	private long[] query(int mask) {
		checkOpen();
		long[] values = new long[QueuePairCodec.LENGTH];
		Handle.Use use = this.handle.use();
		int failed;
		try {
			failed = Native.queryQueuePair(this.handle.cell(), values, mask);
		}
		finally {
			use.end();
		}
		Results.checkUse(failed, "ibv_query_qp", this);
		return values;
	}

	@Override
	protected void doModify(QueuePairState from, QueuePairState to, QueuePairAttributes attributes) {
		checkPathMtu(attributes);
		long[] values = QueuePairCodec.encode(attributes);
		Handle.Use use = this.handle.use();
		int failed;
		try {
			failed = Native.modifyQueuePair(this.handle.cell(), values, QueuePairCodec.mask(attributes.present()));
		}
		finally {
			use.end();
		}
		if (failed < 0 && failed != Native.CLOSED) {
			throw Results.failure(failed, "ibv_modify_qp", "The device refused to take the " + describe() + " from "
					+ from + " to " + to + " with " + attributes);
		}
		Results.checkUse(failed, "ibv_modify_qp", this);
		this.cachedState = to;
		Set<QueuePairAttribute> now = EnumSet.noneOf(QueuePairAttribute.class);
		if (to != QueuePairState.RESET) {
			now.addAll(this.set);
			now.addAll(attributes.present());
		}
		this.set = Collections.unmodifiableSet(now);
	}

	/**
	 * Soft-RoCE takes a path MTU that is larger than the port carries, and then nothing
	 * gets through.
	 */
	private void checkPathMtu(QueuePairAttributes attributes) {
		if (!attributes.has(QueuePairAttribute.PATH_MTU) || !attributes.has(QueuePairAttribute.ADDRESS_VECTOR)) {
			return;
		}
		int port = attributes.addressVector().port();
		PathMtu active = this.context.queryPort(port).activeMtu();
		if (attributes.pathMtu().compareTo(active) > 0) {
			throw new VerbsException("ibv_modify_qp", Errno.EINVAL,
					"The path MTU of " + attributes.pathMtu().bytes() + " bytes exceeds the " + active.bytes()
							+ " bytes that port " + port + " carries; use the smaller of both ends");
		}
	}

	@Override
	protected long doPostSend(ByteBuffer memory, int sgeOffset, int sgeStride, int count) {
		long chain = ChainMemory.sendBase(memory, sgeOffset);
		int valid = ChainMemory.leadingValidSends(memory, sgeOffset, sgeStride, count, this.capabilities);
		if (valid == count) {
			return postSend(memory, chain);
		}
		long refusal = (valid == 0) ? Refusal.NONE : postFirstSends(memory, chain, valid);
		return (refusal != Refusal.NONE) ? refusal : Refusal.of(Errno.EINVAL, valid);
	}

	private long postFirstSends(ByteBuffer memory, long chain, int count) {
		long link = ChainMemory.cutSends(memory, count);
		try {
			return postSend(memory, chain);
		}
		finally {
			ChainMemory.linkSends(memory, count, link);
		}
	}

	private long postSend(ByteBuffer memory, long chain) {
		Handle.Use use = this.handle.use();
		long refusal;
		try {
			refusal = Native.postSend(this.handle.cell(), chain);
		}
		finally {
			use.end();
			Reference.reachabilityFence(memory);
		}
		if (refusal < 0) {
			throw Results.useFailure(refusal, "ibv_post_send", this);
		}
		return refusal;
	}

	@Override
	protected long doPostReceive(ByteBuffer memory, int sgeOffset, int sgeStride, int count) {
		long chain = ChainMemory.receiveBase(memory, sgeOffset);
		Handle.Use use = this.handle.use();
		long refusal;
		try {
			refusal = Native.postReceive(this.handle.cell(), chain);
		}
		finally {
			use.end();
			Reference.reachabilityFence(memory);
		}
		if (refusal < 0) {
			throw Results.useFailure(refusal, "ibv_post_recv", this);
		}
		return refusal;
	}

	@Override
	public void postBind(long wrId, MemoryWindow window, MemoryRegion region, long offset, long length,
			Set<AccessFlag> access, boolean signaled) {
		checkOpen();
		Objects.checkFromIndexSize(offset, length, region.length());
		if (!(window instanceof IbvMemoryWindow ownWindow) || !(region instanceof IbvMemoryRegion ownRegion)
				|| ownWindow.protectionDomain() != this.protectionDomain
				|| ownRegion.protectionDomain() != this.protectionDomain) {
			throw new VerbsException("ibv_post_send", Errno.EINVAL,
					"Window and region must be of the protection domain of the " + describe());
		}
		if (!this.cachedState.acceptsSends()) {
			throw new VerbsException("ibv_post_send", Errno.EINVAL, "The " + describe() + " is in state "
					+ this.cachedState + ", in which nothing can be sent; bring it to RTS first");
		}
		int[] key = new int[1];
		int failed = ownRegion.whileRegistered((mr) -> ownWindow.whileAllocated((mw) -> {
			int returned = bind(wrId, mw, mr, region.address() + offset, length, AccessFlag.mask(access), signaled,
					key);
			if (returned == 0) {
				ownWindow.bound(key[0], ownRegion);
			}
			return returned;
		}));
		Results.checkUse(failed, "ibv_post_send", this);
	}

	private int bind(long wrId, long window, long region, long start, long length, int access, boolean signaled,
			int[] key) {
		Handle.Use use = this.handle.use();
		try {
			return Native.postBind(this.handle.cell(), wrId, window, region, start, length, access,
					signaled ? SendFlag.SIGNALED.bit() : 0, key);
		}
		finally {
			use.end();
		}
	}

	@Override
	protected void destroy() {
		this.context.forget(this.eventNumber);
		long pointer = this.handle.close(null);
		if (pointer != 0) {
			Results.check(Native.destroyQueuePair(pointer), destroyVerb(), "The queue pair could not be destroyed");
		}
	}

}
