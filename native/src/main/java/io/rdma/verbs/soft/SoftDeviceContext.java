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

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.rdma.verbs.AbstractDeviceContext;
import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.AtomicCapability;
import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceAttributes;
import io.rdma.verbs.DeviceCounter;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.Errno;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.LinkLayer;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.PortAttributes;
import io.rdma.verbs.PortState;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.soft.net.DatagramPort;
import io.rdma.verbs.soft.net.DatagramPorts;
import io.rdma.verbs.soft.shm.SharedMemory;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * An open software device. Beyond what every device does, its failures can be brought
 * about: a port that goes down and comes back, and a device that fails for good.
 */
@Slf4j
public final class SoftDeviceContext extends AbstractDeviceContext {

	private static final int PORT = 1;

	private static final int ROUTABLE_GID = 1;

	private static final int GID_TABLE_LENGTH = 1024;

	private static final int VENDOR_ID = 0xff_ffff;

	private final DeviceInfo device;

	private final List<GidEntry> gids;

	private final KeyTable keys = new KeyTable();

	private final AsyncEvents events = new AsyncEvents();

	private final SoftTimer timer = new SoftTimer();

	private final Set<SoftQueuePair> queuePairs = ConcurrentHashMap.newKeySet();

	private final Object portChange = new Object();

	private volatile PortState portState = PortState.ACTIVE;

	private volatile boolean failed;

	private final PathMtu activeMtu;

	private final SoftOptions options;

	private final WireCounters counters = new WireCounters();

	/** Memory that other processes can see, {@code null} if none may. */
	private final @Nullable SharedMemory sharedMemory;

	private final Object wireStart = new Object();

	/** The socket and its thread, which not every application needs. */
	private volatile @Nullable WireEngine wire;

	SoftDeviceContext(DeviceInfo device, List<GidEntry> gids, PathMtu activeMtu, SoftOptions options) {
		this.device = device;
		this.gids = gids;
		this.activeMtu = activeMtu;
		this.options = options;
		this.sharedMemory = options.allows(PathKind.SHARED_MEMORY) ? new SharedMemory(options.sharedMemory()) : null;
	}

	@Nullable SharedMemory sharedMemory() {
		return this.sharedMemory;
	}

	PathMtu activeMtu() {
		return this.activeMtu;
	}

	SoftOptions options() {
		return this.options;
	}

	/**
	 * Return the socket and its thread, which are started when they are first needed.
	 * @return the engine
	 * @throws VerbsException if there can be no socket
	 */
	WireEngine wire() {
		WireEngine known = this.wire;
		if (known != null) {
			return known;
		}
		synchronized (this.wireStart) {
			known = this.wire;
			if (known == null) {
				checkOpen();
				known = new WireEngine(this, openPort(), this.gids.get(ROUTABLE_GID).gid(), this.counters);
				this.wire = known;
			}
			return known;
		}
	}

	private DatagramPort openPort() {
		Integer wanted = this.options.port();
		InetAddress address = this.options.address();
		try {
			return this.options.impairment().apply((wanted != null) ? open(address, wanted) : openAny(address));
		}
		catch (IOException ex) {
			VerbsException exception = new VerbsException("ibv_modify_qp", Errno.EIO,
					"The " + describe() + " has no socket: " + ex.getMessage());
			exception.initCause(ex);
			throw exception;
		}
	}

	private DatagramPort openAny(InetAddress address) throws IOException {
		try {
			return open(address, SoftOptions.STANDARD_PORT);
		}
		catch (BindException ex) {
			logger.debug("UDP port {} is taken, so the {} takes another", SoftOptions.STANDARD_PORT, describe(), ex);
			return open(address, 0);
		}
	}

	private DatagramPort open(InetAddress address, int port) throws IOException {
		return DatagramPorts.open(new InetSocketAddress(address, port), this.options.nativeSockets());
	}

	void addToWire(SoftQueuePair queuePair) {
		wire().add(queuePair);
	}

	boolean hasGid(Gid gid) {
		return this.gids.stream().anyMatch((entry) -> entry.gid().equals(gid));
	}

	KeyTable keys() {
		return this.keys;
	}

	SoftTimer timer() {
		return this.timer;
	}

	void add(SoftQueuePair queuePair) {
		this.queuePairs.add(queuePair);
	}

	void remove(SoftQueuePair queuePair) {
		this.queuePairs.remove(queuePair);
		WireEngine engine = this.wire;
		if (engine != null) {
			engine.remove(queuePair);
		}
	}

	/**
	 * Wait until no queue pair is in the middle of an operation that may have begun
	 * before the call. Only queue pairs of this context can touch its memory.
	 */
	void quiesce() {
		this.queuePairs.forEach(SoftQueuePair::quiesce);
	}

	boolean isPortActive() {
		return this.portState == PortState.ACTIVE;
	}

	void raise(AsyncEventType type, Object resource) {
		this.events.raise(new AsyncEvent(type, resource, 0));
	}

	void forgetEvents(Object resource) {
		this.events.forget(resource);
	}

	/**
	 * Return the GID at an index of the table.
	 * @param index the index
	 * @return the GID, {@code null} if the entry is empty
	 * @throws VerbsException with {@link Errno#EINVAL} if the table has no such entry
	 */
	@Nullable Gid gid(int index) {
		if (index < 0 || index >= GID_TABLE_LENGTH) {
			throw new VerbsException("ibv_modify_qp", Errno.EINVAL,
					"The GID table has the indexes 0 to " + (GID_TABLE_LENGTH - 1) + ", but " + index + " was given");
		}
		return (index < this.gids.size()) ? this.gids.get(index).gid() : null;
	}

	/**
	 * Check that the context is open and the device has not failed.
	 * @param verb the name of the C function that is about to be done
	 */
	void checkUsable(String verb) {
		checkOpen();
		if (this.failed) {
			throw new VerbsException(verb, Errno.EIO, "The " + describe() + " failed; close it and open a new one");
		}
	}

	@Override
	protected long addressOf(ByteBuffer buffer) {
		return AddressSpace.reserve(buffer.capacity(), buffer.alignmentOffset(0, AddressSpace.PAGE));
	}

	@Override
	public DeviceInfo device() {
		return this.device;
	}

	@Override
	public DeviceAttributes queryDevice() {
		checkUsable("ibv_query_device");
		return new DeviceAttributes("", this.device.guid(), VENDOR_ID, Limits.MAX_REGION, Limits.MAX_RESOURCES,
				Limits.MAX_WORK_REQUESTS, Limits.MAX_SCATTER_GATHER, Limits.MAX_RESOURCES, Limits.MAX_COMPLETIONS,
				Limits.MAX_RESOURCES, Limits.MAX_RESOURCES, Limits.MAX_READ_ATOMIC, Limits.MAX_READ_ATOMIC,
				AtomicCapability.GLOB, Limits.MAX_RESOURCES, Limits.MAX_RESOURCES, Limits.MAX_WORK_REQUESTS,
				Limits.MAX_SRQ_SCATTER_GATHER, Limits.MAX_INLINE, 1);
	}

	@Override
	public PortAttributes queryPort(int port) {
		checkUsable("ibv_query_port");
		checkPort("ibv_query_port", port);
		return new PortAttributes(this.portState, PathMtu.MTU_4096, this.activeMtu, GID_TABLE_LENGTH,
				Limits.MAX_MESSAGE, 1, 0, LinkLayer.ETHERNET);
	}

	@Override
	public List<GidEntry> queryGidTable(int port) {
		checkUsable("ibv_query_gid_table");
		checkPort("ibv_query_gid_table", port);
		return this.gids;
	}

	static void checkPort(String verb, int port) {
		if (port != PORT) {
			throw new VerbsException(verb, Errno.EINVAL,
					"The software device has one port, number " + PORT + ", but " + port + " was given");
		}
	}

	@Override
	public ProtectionDomain allocateProtectionDomain() {
		checkUsable("ibv_alloc_pd");
		return new SoftProtectionDomain(this);
	}

	@Override
	public CompletionChannel createCompletionChannel() {
		checkUsable("ibv_create_comp_channel");
		return new SoftCompletionChannel(this);
	}

	@Override
	public CompletionQueue createCompletionQueue(int minimumCapacity, @Nullable CompletionChannel channel) {
		checkUsable("ibv_create_cq");
		if (minimumCapacity < 1 || minimumCapacity > Limits.MAX_COMPLETIONS) {
			throw new VerbsException("ibv_create_cq", Errno.EINVAL, "A completion queue holds 1 to "
					+ Limits.MAX_COMPLETIONS + " completions, but " + minimumCapacity + " were asked for");
		}
		if (channel == null) {
			return SoftCompletionQueue.create(this, null, minimumCapacity);
		}
		if (!(channel instanceof SoftCompletionChannel own) || own.context() != this) {
			throw new VerbsException("ibv_create_cq", Errno.EINVAL,
					"The completion channel was made by another device context; create it with this one");
		}
		return SoftCompletionQueue.create(this, own, minimumCapacity);
	}

	@Override
	public @Nullable AsyncEvent awaitAsyncEvent(Duration timeout) throws InterruptedException {
		return this.events.await(AsyncEvents.nanos(timeout));
	}

	@Override
	public List<DeviceCounter> counters() {
		return this.counters.toDeviceCounters();
	}

	/**
	 * Change the state of the port, as an unplugged and replugged cable would. While it
	 * is not ACTIVE everything that is sent or received is lost, so that requests run
	 * into their timeouts. Raises {@link AsyncEventType#PORT_ERR} or
	 * {@link AsyncEventType#PORT_ACTIVE}.
	 * @param state the state
	 */
	public void setPortState(PortState state) {
		checkOpen();
		synchronized (this.portChange) {
			boolean before = isPortActive();
			this.portState = state;
			if (isPortActive() != before) {
				this.events
					.raise(new AsyncEvent(before ? AsyncEventType.PORT_ERR : AsyncEventType.PORT_ACTIVE, null, PORT));
			}
		}
	}

	/**
	 * Fail the device for good: raises {@link AsyncEventType#DEVICE_FATAL}, moves every
	 * queue pair to ERR, and refuses with {@link Errno#EIO} to create or query anything
	 * from then on. Resources can still be closed.
	 */
	public void fail() {
		checkOpen();
		synchronized (this.portChange) {
			if (this.failed) {
				return;
			}
			this.failed = true;
			this.portState = PortState.DOWN;
			this.events.raise(new AsyncEvent(AsyncEventType.DEVICE_FATAL, null, 0));
		}
		this.queuePairs.forEach(SoftQueuePair::fail);
	}

	@Override
	protected void destroy() {
		synchronized (this.wireStart) {
			if (this.wire != null) {
				this.wire.close();
			}
		}
		if (this.sharedMemory != null) {
			this.sharedMemory.close();
		}
		this.timer.stop();
		this.events.close();
	}

}
