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
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.Gid;
import io.rdma.verbs.soft.net.DatagramPort;
import io.rdma.verbs.soft.net.PacketBatch;
import io.rdma.verbs.soft.packet.Flow;
import io.rdma.verbs.soft.packet.Icrc;
import io.rdma.verbs.soft.packet.PacketCheck;
import lombok.extern.slf4j.Slf4j;

/**
 * Collects packets and sends them in batches. Its lock is the last one that a thread
 * takes: nothing that takes another lock is called with it.
 */
@Slf4j
final class Transmitter {

	static final int SLOTS = 64;

	/** The largest packet there is, in whole cache lines. */
	static final int SLOT_SIZE = (PacketCheck.MAX_LENGTH + 63) & -64;

	/** How long a full socket is waited for before its packets count as lost. */
	private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(5);

	private final ShortLock lock = new ShortLock();

	private final PacketBatch batch = new PacketBatch(SLOTS, SLOT_SIZE);

	private final ByteBuffer memory = this.batch.memory();

	private final Icrc icrc = new Icrc();

	private final Flow flow = new Flow();

	private final SoftDeviceContext context;

	private final DatagramPort port;

	private final WireCounters counters;

	private int count;

	private boolean failureTold;

	Transmitter(SoftDeviceContext context, DatagramPort port, Gid source, WireCounters counters) {
		this.context = context;
		this.port = port;
		this.counters = counters;
		this.flow.source(source.high(), source.low(), port.localAddress().getPort());
	}

	void lock() {
		this.lock.lock();
	}

	/** Where packets are written. */
	ByteBuffer memory() {
		return this.memory;
	}

	/**
	 * Make room for a packet.
	 * @return where it starts in {@link #memory()}
	 */
	int next() {
		if (this.count == SLOTS) {
			flush();
		}
		return this.batch.offset(this.count);
	}

	/**
	 * Add the packet that was written where {@link #next()} said.
	 * @param path where it goes
	 * @param length its length without the ICRC
	 */
	void add(WirePath path, int length) {
		this.flow.destination(path.addressHigh(), path.addressLow(), path.port());
		this.icrc.seal(this.memory, this.batch.offset(this.count), length, this.flow, 0);
		this.batch.length(this.count, length + PacketCheck.ICRC_LENGTH);
		this.batch.address(this.count, path.addressHigh(), path.addressLow(), path.port());
		this.batch.route(this.count, path.trafficClass(), path.hopLimit());
		this.count++;
	}

	void flushAndUnlock() {
		try {
			flush();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void flush() {
		int packets = this.count;
		this.count = 0;
		int sent = 0;
		if (!this.context.isPortActive()) {
			// as if the cable were unplugged
			this.counters.unsent(packets);
			return;
		}
		try {
			while (sent < packets) {
				sent += this.port.send(this.batch, sent, packets);
				if (sent < packets && !this.port.awaitWritable(PATIENCE)) {
					break;
				}
			}
		}
		catch (ClosedChannelException ex) {
			logger.trace("Packets are lost since the device is closed", ex);
		}
		catch (IOException ex) {
			if (!this.failureTold) {
				this.failureTold = true;
				logger.warn("Packets cannot be sent from {}: {}", this.port.localAddress(), ex.getMessage());
			}
		}
		this.counters.sent(sent);
		this.counters.unsent(packets - sent);
	}

}
