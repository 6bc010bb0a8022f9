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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.rdma.verbs.AbstractDeviceContext;
import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AtomicCapability;
import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceAttributes;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.Errno;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import io.rdma.verbs.LinkLayer;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.PortAttributes;
import io.rdma.verbs.PortState;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * An open device of libibverbs.
 */
final class IbvDeviceContext extends AbstractDeviceContext {

	private static final int FIRMWARE_LENGTH = 64;

	private static final int GID_FIELDS = 6;

	/** As many as fit into the 64 KiB that one call to the kernel can bring. */
	private static final int MAX_GIDS = 2047;

	private static final int PHYSICAL_PORTS = 17;

	private final Handle handle = new Handle();

	private final DeviceInfo device;

	private final Sysfs sysfs;

	private final AsyncEvents events;

	private final AtomicLong numbers = new AtomicLong();

	private final Map<Long, Object> resources = new ConcurrentHashMap<>();

	private volatile int inlineLimit = -1;

	IbvDeviceContext(DeviceInfo device, long pointer, Sysfs sysfs) {
		this.device = device;
		this.sysfs = sysfs;
		this.handle.set(pointer);
		this.events = new AsyncEvents(device.name(), this.handle, this::resource);
	}

	long pointer() {
		return this.handle.pointer();
	}

	/**
	 * Give a resource the number by which events name it.
	 * @param resource the resource
	 * @return the number, never 0
	 */
	long number(Object resource) {
		long number = this.numbers.incrementAndGet();
		this.resources.put(number, resource);
		return number;
	}

	void forget(long number) {
		this.resources.remove(number);
	}

	@Nullable Object resource(long number) {
		return this.resources.get(number);
	}

	@Override
	public DeviceInfo device() {
		return this.device;
	}

	@Override
	public DeviceAttributes queryDevice() {
		byte[] firmware = new byte[FIRMWARE_LENGTH];
		long[] values = queryDevice(firmware);
		int end = 0;
		while (end < firmware.length && firmware[end] != 0) {
			end++;
		}
		return new DeviceAttributes(new String(firmware, 0, end, StandardCharsets.ISO_8859_1), values[0],
				(int) values[1], (values[2] < 0) ? Long.MAX_VALUE : values[2], (int) values[3], (int) values[4],
				(int) values[5], (int) values[6], (int) values[7], (int) values[8], (int) values[9], (int) values[10],
				(int) values[11], atomicCapability((int) values[12]), (int) values[13], (int) values[14],
				(int) values[15], (int) values[16], inlineLimit(), (int) values[PHYSICAL_PORTS]);
	}

	@Override
	public int physicalPorts() {
		return (int) queryDevice(new byte[FIRMWARE_LENGTH])[PHYSICAL_PORTS];
	}

	private long[] queryDevice(byte[] firmware) {
		checkOpen();
		long[] values = new long[19];
		Handle.Use use = this.handle.use();
		int failed;
		try {
			failed = Native.queryDevice(this.handle.cell(), values, firmware);
		}
		finally {
			use.end();
		}
		Results.checkUse(failed, "ibv_query_device", this);
		return values;
	}

	private static AtomicCapability atomicCapability(int code) {
		AtomicCapability[] values = AtomicCapability.values();
		return (code >= 0 && code < values.length) ? values[code] : AtomicCapability.NONE;
	}

	/**
	 * Verbs do not tell the largest inline payload: it is what a queue pair can still be
	 * created with.
	 */
	private int inlineLimit() {
		int limit = this.inlineLimit;
		if (limit < 0) {
			limit = InlineProbe.probe(this);
			this.inlineLimit = limit;
		}
		return limit;
	}

	/**
	 * Return what the device can do with on-demand paging on reliable connections.
	 * @return the bits of {@code ibv_odp_transport_cap_bits}, 0 if it has none
	 */
	int queryOnDemand() {
		Handle.Use use = this.handle.use();
		int capabilities;
		try {
			capabilities = Native.queryOnDemand(this.handle.cell());
		}
		finally {
			use.end();
		}
		Results.checkUse(capabilities, "ibv_query_device_ex", this);
		return capabilities;
	}

	@Override
	public PortAttributes queryPort(int port) {
		checkOpen();
		checkPort(port, "ibv_query_port");
		long[] values = new long[8];
		Handle.Use use = this.handle.use();
		int failed;
		try {
			failed = Native.queryPort(this.handle.cell(), port, values);
		}
		finally {
			use.end();
		}
		if (failed == -Errno.EINVAL.number()) {
			throw noPort(port, "ibv_query_port");
		}
		Results.checkUse(failed, "ibv_query_port", this);
		return new PortAttributes(state((int) values[0]), mtu((int) values[1]), mtu((int) values[2]), (int) values[3],
				values[4], (int) values[5], (int) values[6], linkLayer((int) values[7]));
	}

	private static PortState state(int code) {
		PortState[] values = PortState.values();
		return (code >= 0 && code < values.length) ? values[code] : PortState.DOWN;
	}

	/** A port that is down may have none, a later device a larger one. */
	private static PathMtu mtu(int code) {
		return PathMtu.of(Math.min(Math.max(code, PathMtu.MTU_256.code()), PathMtu.MTU_4096.code()));
	}

	private static LinkLayer linkLayer(int code) {
		LinkLayer[] values = LinkLayer.values();
		return (code >= 0 && code < values.length) ? values[code] : LinkLayer.UNSPECIFIED;
	}

	private void checkPort(int port, String verb) {
		if (port < 1 || port > 0xff) {
			throw noPort(port, verb);
		}
	}

	private VerbsException noPort(int port, String verb) {
		return new VerbsException(verb, Errno.EINVAL,
				"Device " + this.device.name() + " has no port " + port + "; ports are numbered from 1");
	}

	@Override
	public List<GidEntry> queryGidTable(int port) {
		PortAttributes attributes = queryPort(port);
		// the call answers for all ports
		long ports = physicalPorts();
		int max = (int) Math.min(MAX_GIDS, Math.max(1, attributes.gidTableLength()) * Math.max(1, ports));
		long[] values = new long[max * GID_FIELDS];
		Handle.Use use = this.handle.use();
		int count;
		try {
			count = Native.queryGidTable(this.handle.cell(), values);
		}
		finally {
			use.end();
		}
		if (count == -Errno.EOPNOTSUPP.number()) {
			return this.sysfs.gidTable(this.device.name(), port);
		}
		Results.checkUse(count, "ibv_query_gid_table", this);
		List<GidEntry> entries = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			int at = i * GID_FIELDS;
			Gid gid = new Gid(values[at + 4], values[at + 5]);
			if (values[at] == port && !gid.isZero()) {
				int type = (int) values[at + 2];
				entries.add(new GidEntry((int) values[at + 1], gid,
						(type >= 0 && type < GidType.values().length) ? GidType.values()[type] : GidType.IB,
						(values[at + 3] == 0) ? null : Native.interfaceName((int) values[at + 3])));
			}
		}
		return List.copyOf(entries);
	}

	@Override
	public Map<String, Long> queryCounters(int port) {
		queryPort(port);
		return this.sysfs.counters(this.device.name(), port);
	}

	@Override
	public ProtectionDomain allocateProtectionDomain() {
		return new IbvProtectionDomain(this);
	}

	@Override
	public CompletionChannel createCompletionChannel() {
		return new IbvCompletionChannel(this);
	}

	@Override
	public CompletionQueue createCompletionQueue(int minimumCapacity, @Nullable CompletionChannel channel) {
		if (channel == null) {
			return new IbvCompletionQueue(this, null, minimumCapacity);
		}
		if (!(channel instanceof IbvCompletionChannel own) || own.context() != this) {
			throw new VerbsException("ibv_create_cq", Errno.EINVAL,
					"The completion channel is of another device context; create it from this one");
		}
		return new IbvCompletionQueue(this, own, minimumCapacity);
	}

	@Override
	public @Nullable AsyncEvent awaitAsyncEvent(Duration timeout) throws InterruptedException {
		return this.events.await(timeout);
	}

	@Override
	protected long addressOf(ByteBuffer buffer) {
		return Native.addressOf(buffer);
	}

	@Override
	protected void destroy() {
		this.events.stop();
		long pointer = this.handle.close(null);
		Results.check(Native.closeDevice(pointer), destroyVerb(), "The device could not be closed");
	}

}
