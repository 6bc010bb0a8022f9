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

package io.rdma.verbs.soft;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.rdma.verbs.AbstractQueuePair;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.Errno;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.MemoryWindow;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.QueuePairAttribute;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.Refusal;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.SharedReceiveQueue;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsResource;
import io.rdma.verbs.WorkRequestException;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair: its state and attributes, and the two halves that do the work.
 */
@Slf4j
final class SoftQueuePair extends AbstractQueuePair {

	private final SoftProtectionDomain protectionDomain;

	private final SoftDeviceContext context;

	private final @Nullable SoftSharedReceiveQueue sharedReceiveQueue;

	private final QueuePairCapabilities capabilities;

	private final Object stateChange = new Object();

	private final ReceiveQueue receives;

	private final Requester requester;

	private final Responder responder;

	private final int number;

	/** Written under the lock above, since a queue pair fails at any time by itself. */
	private volatile QueuePairState state = QueuePairState.RESET;

	private volatile QueuePairAttributes attributes = QueuePairAttributes.builder().build();

	/** What the peer said of the ways by which it is reached. */
	private volatile @Nullable PathOffer peerOffer;

	private volatile @Nullable Path path;

	private final SharedMemoryLink sharedMemory = new SharedMemoryLink(this);

	SoftQueuePair(SoftProtectionDomain protectionDomain, SoftCompletionQueue sends,
			SoftCompletionQueue receiveCompletions, @Nullable SoftSharedReceiveQueue sharedReceiveQueue,
			QueuePairCapabilities granted, boolean signalAll) {
		super(protectionDomain.context(), parents(protectionDomain, sends, receiveCompletions, sharedReceiveQueue));
		this.protectionDomain = protectionDomain;
		this.context = protectionDomain.context();
		this.sharedReceiveQueue = sharedReceiveQueue;
		this.capabilities = granted;
		this.receives = (sharedReceiveQueue != null) ? sharedReceiveQueue.receives()
				: new ReceiveQueue(granted.maxReceiveWorkRequests(), granted.maxReceiveScatterGather(), false, () -> {
				});
		this.requester = new Requester(this, sends, granted, signalAll);
		this.responder = new Responder(this, receiveCompletions, this.receives, sharedReceiveQueue != null);
		this.number = Fabric.add(this);
		this.context.add(this);
	}

	private static VerbsResource[] parents(SoftProtectionDomain protectionDomain, SoftCompletionQueue sends,
			SoftCompletionQueue receives, @Nullable SoftSharedReceiveQueue shared) {
		List<VerbsResource> parents = new ArrayList<>(List.of(protectionDomain, sends, receives));
		if (shared != null) {
			parents.add(shared);
		}
		return parents.toArray(VerbsResource[]::new);
	}

	SoftDeviceContext context() {
		return this.context;
	}

	Requester requester() {
		return this.requester;
	}

	Responder responder() {
		return this.responder;
	}

	void raise(AsyncEventType type) {
		this.context.raise(type, this);
	}

	@Override
	public int number() {
		return this.number;
	}

	@Override
	public SoftProtectionDomain protectionDomain() {
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

	/**
	 * Return the state. A queue pair in SQD says RTS, as it does on the kernel's
	 * Soft-RoCE: who drains goes by the event.
	 */
	@Override
	public QueuePairState state() {
		checkOpen();
		QueuePairState current = cachedState();
		return (current == QueuePairState.SQD) ? QueuePairState.RTS : current;
	}

	@Override
	protected QueuePairState cachedState() {
		return this.state;
	}

	@Override
	protected QueuePairState transitionState() {
		return cachedState();
	}

	boolean isFailed() {
		return cachedState() == QueuePairState.ERR;
	}

	boolean isResponding() {
		return cachedState().respondsToRequests() && this.context.isPortActive();
	}

	/**
	 * Go to ERR, unless the queue pair was emptied meanwhile. What is posted remains to
	 * be flushed.
	 */
	void enterError() {
		synchronized (this.stateChange) {
			if (this.state != QueuePairState.RESET) {
				this.state = QueuePairState.ERR;
			}
		}
	}

	private void enter(QueuePairState from, QueuePairState to) {
		synchronized (this.stateChange) {
			if (this.state != from) {
				throw refused(Errno.EINVAL, "it went to " + this.state + " meanwhile");
			}
			this.state = to;
		}
	}

	/**
	 * Go to ERR and flush everything.
	 */
	void fail() {
		enterError();
		this.requester.flush();
		this.responder.flush();
	}

	/**
	 * Wait until nothing is being carried out that may have begun before the call.
	 */
	void quiesce() {
		this.requester.quiesce();
		this.responder.quiesce();
	}

	@Override
	public QueuePairAttributes query() {
		checkOpen();
		QueuePairAttributes known = this.attributes;
		QueuePairAttributes.Builder builder = QueuePairAttributes.builder().addAll(known);
		if (known.has(QueuePairAttribute.SQ_PSN)) {
			builder.sqPsn(this.requester.psn());
		}
		if (known.has(QueuePairAttribute.RQ_PSN)) {
			builder.rqPsn(this.responder.psn());
		}
		return builder.state(state()).capabilities(this.capabilities).build();
	}

	@Override
	protected void doModify(QueuePairState from, QueuePairState to, QueuePairAttributes changes) {
		switch (to) {
			case RESET -> reset();
			case ERR -> fail();
			default -> change(from, to, changes);
		}
	}

	private void reset() {
		synchronized (this.stateChange) {
			this.state = QueuePairState.RESET;
		}
		this.requester.reset();
		this.responder.reset();
		this.peerOffer = null;
		Path last = this.path;
		this.path = null;
		if (last instanceof RemotePath remote) {
			remote.close();
		}
		this.sharedMemory.reset();
		this.attributes = QueuePairAttributes.builder().build();
	}

	private void change(QueuePairState from, QueuePairState to, QueuePairAttributes changes) {
		this.context.checkUsable("ibv_modify_qp");
		if (from == QueuePairState.SQD && this.requester.isDraining()) {
			throw refused(Errno.EINVAL, "its send queue is still draining");
		}
		checkMtu(changes);
		QueuePairAttributes merged = QueuePairAttributes.builder()
			.addAll(this.attributes)
			.addAll(changes)
			.without(QueuePairAttribute.CURRENT_STATE)
			.without(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY)
			.build();
		Path path = path(changes, merged);
		if (path != null) {
			Path current = this.path;
			if (current != null && current.kind() != path.kind()) {
				throw refused(Errno.EINVAL, "the new peer is reached by another kind of path (" + path.kind()
						+ ") than the present one (" + current.kind() + "); go to RESET first");
			}
			this.path = path;
			if (path.kind() == PathKind.WIRE) {
				this.context.addToWire(this);
			}
		}
		this.requester.configure(changes, path);
		this.responder.configure(changes, path);
		if (to == QueuePairState.INIT && this.sharedReceiveQueue == null) {
			this.receives.accept();
		}
		enter(from, to);
		this.attributes = merged;
		if (to == QueuePairState.SQD && from != to) {
			// the kernel's Soft-RoCE tells even if it was not asked to
			this.requester.drain(!changes.has(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY) || changes.sqdAsyncNotify());
		}
	}

	private void checkMtu(QueuePairAttributes changes) {
		PathMtu active = this.context.activeMtu();
		if (changes.has(QueuePairAttribute.PATH_MTU) && changes.pathMtu().compareTo(active) > 0) {
			throw refused(Errno.EINVAL,
					"its path MTU of " + changes.pathMtu().bytes()
							+ " bytes is larger than the active MTU of the port, " + active.bytes()
							+ " bytes; choose a smaller one, or raise the MTU of the network interface");
		}
	}

	private @Nullable Path path(QueuePairAttributes changes, QueuePairAttributes merged) {
		if (changes.has(QueuePairAttribute.PORT)) {
			SoftDeviceContext.checkPort("ibv_modify_qp", changes.port());
		}
		if (!changes.has(QueuePairAttribute.ADDRESS_VECTOR)) {
			return null;
		}
		AddressVector vector = changes.addressVector();
		SoftDeviceContext.checkPort("ibv_modify_qp", vector.port());
		GlobalRoute route = vector.globalRoute();
		if (route == null) {
			throw refused(Errno.EINVAL, "on Ethernet the address vector needs a global route");
		}
		Gid source = this.context.gid(route.sourceGidIndex());
		if (source == null) {
			throw refused(Errno.ENODATA, "entry " + route.sourceGidIndex() + " of the GID table is empty");
		}
		return choosePath(source, route, merged.destQpNumber());
	}

	private Path choosePath(Gid source, GlobalRoute route, int peerNumber) {
		Gid destination = route.destinationGid();
		SharedMemoryPath shared = this.sharedMemory.pathTo(peerNumber);
		if (shared != null) {
			return shared;
		}
		PathOffer offer = this.peerOffer;
		SoftOptions options = this.context.options();
		SoftQueuePair peerHere = findHere(destination, peerNumber);
		boolean isHere = (offer != null) ? offer.isOfThisProcess() : peerHere != null;
		if (!options.allows(PathKind.WIRE) || (isHere && options.allows(PathKind.PROCESS))) {
			return new LoopbackPath(this.context, this.number, source, peerNumber, destination);
		}
		int port = SoftOptions.STANDARD_PORT;
		if (offer != null && offer.udpPort() != 0) {
			port = offer.udpPort();
		}
		else if (peerHere != null) {
			port = peerHere.context.wire().udpPort();
		}
		else if (this.context.wire().udpPort() != SoftOptions.STANDARD_PORT) {
			logger.warn(
					"The {} has UDP port {}, since another program has port {}, so a peer that is no software device cannot "
							+ "reach it; end that program, unload rdma_rxe, or use another address",
					describe(), this.context.wire().udpPort(), SoftOptions.STANDARD_PORT);
		}
		return new WirePath(this.context.wire(), route, port, peerNumber, offer != null || peerHere != null);
	}

	private static @Nullable SoftQueuePair findHere(Gid destination, int peerNumber) {
		SoftQueuePair peer = Fabric.find(peerNumber);
		return (peer != null && peer.context.hasGid(destination)) ? peer : null;
	}

	@Override
	public byte[] pathOffer() {
		checkOpen();
		int udpPort = this.context.options().allows(PathKind.WIRE) ? this.context.wire().udpPort() : 0;
		return new PathOffer(PathOffer.thisProcess(), udpPort, this.sharedMemory.offer()).encode();
	}

	@Override
	public byte[] answerPathOffer(byte[] offer) {
		checkOpen();
		PathOffer decoded = PathOffer.decode(offer);
		boolean needed = decoded != null
				&& !(decoded.isOfThisProcess() && this.context.options().allows(PathKind.PROCESS));
		return (decoded != null && decoded.sharedMemory() != null && needed)
				? this.sharedMemory.answer(decoded.sharedMemory()) : new byte[0];
	}

	@Override
	public @Nullable String pathObstacle(byte[] offer) {
		checkOpen();
		if (PathOffer.decode(offer) != null) {
			return null;
		}
		if (!this.context.options().allows(PathKind.WIRE)) {
			return "it is not a software device, and this one may not use the wire";
		}
		WireEngine wire = this.context.wire();
		if (!wire.isExact()) {
			return "it is not a software device, and this one cannot make exact RoCEv2 packets on this system; on Linux "
					+ "it can with JDK 19 or later, or with the native library";
		}
		return (wire.udpPort() != SoftOptions.STANDARD_PORT) ? "it is not a software device, so it sends to UDP port "
				+ SoftOptions.STANDARD_PORT + " only, and this one has port " + wire.udpPort() : null;
	}

	@Override
	public void usePath(byte[] offer, byte[] peerAnswer) {
		checkOpen();
		PathOffer decoded = PathOffer.decode(offer);
		this.peerOffer = decoded;
		this.sharedMemory.use((decoded != null) ? decoded.sharedMemory() : null, peerAnswer);
	}

	@Override
	public @Nullable PathKind pathKind() {
		Path current = this.path;
		return (current != null) ? current.kind() : null;
	}

	private VerbsException refused(Errno errno, String reason) {
		return new VerbsException("ibv_modify_qp", errno, "The " + describe() + " cannot be modified: " + reason);
	}

	@Override
	protected long doPostSend(ByteBuffer memory, int sgeOffset, int sgeStride, int count) {
		return this.requester.post(memory, sgeOffset, sgeStride, count);
	}

	@Override
	protected long doPostReceive(ByteBuffer memory, int sgeOffset, int sgeStride, int count) {
		long refusal = this.receives.post(memory, sgeOffset, sgeStride, count);
		// who went to ERR meanwhile may have flushed before these were there
		if (isFailed()) {
			this.responder.flush();
		}
		return refusal;
	}

	@Override
	public void postBind(long wrId, MemoryWindow window, MemoryRegion region, long offset, long length,
			Set<AccessFlag> access, boolean signaled) {
		checkOpen();
		if (offset < 0 || length < 0 || offset > region.length() - length) {
			throw new IndexOutOfBoundsException("Offset " + offset + " and length " + length
					+ " are outside the memory region of " + region.length() + " bytes");
		}
		if (!region.isOpen()) {
			throw new ResourceClosedException(region.toString());
		}
		if (!cachedState().acceptsSends()) {
			throw refusedBind(Errno.EINVAL, "it is in state " + cachedState() + "; bring it to RTS first");
		}
		if (access.contains(AccessFlag.LOCAL_WRITE) || access.contains(AccessFlag.MEMORY_WINDOW_BIND)) {
			throw refusedBind(Errno.EINVAL, "a memory window gives remote rights only, not " + access);
		}
		if (!(window instanceof SoftMemoryWindow ownWindow) || ownWindow.protectionDomain() != this.protectionDomain
				|| !(region instanceof SoftMemoryRegion ownRegion)
				|| ownRegion.protectionDomain() != this.protectionDomain) {
			throw refusedBind(Errno.EINVAL, "window, region and queue pair must be of one protection domain");
		}
		WindowBinding binding = ownWindow.prepare(this, ownRegion, offset, length, access);
		long refusal = this.requester.postBind(wrId, binding, signaled);
		if (refusal != Refusal.NONE) {
			boolean full = refusal == Refusal.of(Errno.ENOMEM, 0);
			throw refusedBind(full ? Errno.ENOMEM : Errno.EINVAL,
					full ? "the queue is full: poll completions, then post again"
							: "it is in state " + cachedState() + "; bring it to RTS first");
		}
	}

	private WorkRequestException refusedBind(Errno errno, String reason) {
		return new WorkRequestException("ibv_post_send", errno, 0,
				"The " + describe() + " refused to bind a memory window: " + reason);
	}

	@Override
	protected void destroy() {
		Fabric.remove(this.number, this);
		reset();
		this.context.remove(this);
		this.context.forgetEvents(this);
	}

}
