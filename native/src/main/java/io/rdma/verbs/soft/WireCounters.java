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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import io.rdma.verbs.DeviceCounter;
import io.rdma.verbs.soft.net.DatagramPort;
import io.rdma.verbs.soft.packet.DropReason;
import org.jspecify.annotations.Nullable;

/**
 * Counts packets. Thread-safe.
 */
final class WireCounters {

	private static final String DROPPED = "packets.dropped";

	private final AtomicLong sent = new AtomicLong();

	private final AtomicLong unsent = new AtomicLong();

	private final AtomicLong received = new AtomicLong();

	private final AtomicLong retransmitted = new AtomicLong();

	private volatile @Nullable DatagramPort port;

	private final AtomicLongArray dropped = new AtomicLongArray(DropReason.values().length);

	void sent(int packets) {
		this.sent.addAndGet(packets);
	}

	void unsent(int packets) {
		if (packets > 0) {
			this.unsent.addAndGet(packets);
		}
	}

	void received(int packets) {
		this.received.addAndGet(packets);
	}

	void retransmitted() {
		this.retransmitted.incrementAndGet();
	}

	void dropped(DropReason reason) {
		this.dropped.incrementAndGet(reason.ordinal());
	}

	long droppedFor(DropReason reason) {
		return this.dropped.get(reason.ordinal());
	}

	/**
	 * Count what a socket loses too.
	 * @param newPort the socket
	 */
	void port(DatagramPort newPort) {
		this.port = newPort;
	}

	private long unsendable() {
		DatagramPort current = this.port;
		return this.unsent.get() + ((current != null) ? current.unsendable() : 0);
	}

	private long oversized() {
		DatagramPort current = this.port;
		return (current != null) ? current.oversized() : 0;
	}

	List<DeviceCounter> toDeviceCounters() {
		List<DeviceCounter> counters = new ArrayList<>();
		counters.add(new DeviceCounter("packets.sent", null, "Packets given to the socket.", this.sent::get));
		counters.add(new DeviceCounter("packets.received", null, "Packets taken from the socket.", this.received::get));
		counters.add(new DeviceCounter("packets.retransmitted", null,
				"Packets sent again, since their answer did not come in time or told of a loss.",
				this.retransmitted::get));
		counters.add(new DeviceCounter("packets.unsent", null,
				"Packets that the socket did not take or the system refused to send.", this::unsendable));
		for (DropReason reason : DropReason.values()) {
			counters
				.add(new DeviceCounter(DROPPED, reason.label(), reason.description() + ".", () -> droppedFor(reason)));
		}
		counters.add(new DeviceCounter(DROPPED, "oversized", "Packets that were longer than any packet can be.",
				this::oversized));
		return List.copyOf(counters);
	}

}
