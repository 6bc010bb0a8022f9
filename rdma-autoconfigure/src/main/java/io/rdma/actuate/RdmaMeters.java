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

package io.rdma.actuate;

import java.util.Arrays;
import java.util.Locale;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.docs.MeterDocumentation;
import lombok.Getter;
import lombok.experimental.Accessors;
import io.rdma.verbs.DeviceCounter;
import org.jspecify.annotations.Nullable;

/**
 * All meters of RDMA. Values of tags are bounded: peers are named, never numbered, and
 * what exceeds a fixed number of names is counted as {@code other}.
 */
public enum RdmaMeters implements MeterDocumentation {

	/**
	 * Number of queue pairs of a peer that are in a state.
	 */
	QUEUE_PAIR_STATE("rdma.queue.pair.state", "Number of queue pairs of a peer that are in a state", Meter.Type.GAUGE,
			null, Tag.PEER, Tag.STATE),

	/**
	 * Number of connections to peers that are in a state.
	 */
	CONNECTIONS("rdma.connections", "Number of connections to peers that are in a state", Meter.Type.GAUGE, null,
			Tag.STATE),

	/**
	 * Number of times that the connection to a peer was made again after it was lost.
	 */
	RECONNECTS("rdma.connections.reconnects",
			"Number of times that the connection to a peer was made again after it was lost", Meter.Type.COUNTER, null,
			Tag.PEER),

	/**
	 * Number of work requests of a peer that are not completed.
	 */
	WORK_REQUESTS_OUTSTANDING("rdma.work.requests.outstanding",
			"Number of work requests of a peer that are not completed", Meter.Type.GAUGE, null, Tag.PEER),

	/**
	 * Number of completions that the last poll which emptied the queue found waiting.
	 */
	COMPLETION_QUEUE_DEPTH("rdma.completion.queue.depth",
			"Number of completions that the last poll which emptied the queue found waiting", Meter.Type.GAUGE, null,
			Tag.GROUP, Tag.QUEUE),

	/**
	 * Number of work requests that can still complete in the queue.
	 */
	COMPLETION_QUEUE_OUTSTANDING("rdma.completion.queue.outstanding",
			"Number of work requests that can still complete in the queue", Meter.Type.GAUGE, null, Tag.GROUP,
			Tag.QUEUE),

	/**
	 * Largest depth of the queue that was seen.
	 */
	COMPLETION_QUEUE_HIGH_WATER("rdma.completion.queue.high.water", "Largest depth of the queue that was seen",
			Meter.Type.GAUGE, null, Tag.GROUP, Tag.QUEUE),

	/**
	 * Number of completions that the queue can hold.
	 */
	COMPLETION_QUEUE_CAPACITY("rdma.completion.queue.capacity", "Number of completions that the queue can hold",
			Meter.Type.GAUGE, null, Tag.GROUP, Tag.QUEUE),

	/**
	 * Number of completions by their status.
	 */
	COMPLETIONS("rdma.completions", "Number of completions by their status", Meter.Type.COUNTER, null, Tag.STATUS),

	/**
	 * Number of completions that fitted no outstanding work request.
	 */
	COMPLETIONS_STRAY("rdma.completions.stray", "Number of completions that fitted no outstanding work request",
			Meter.Type.COUNTER, null),

	/**
	 * Number of threads that poll completion queues and are alive.
	 */
	POLLER_THREADS("rdma.poller.threads", "Number of threads that poll completion queues and are alive",
			Meter.Type.GAUGE, BaseUnits.THREADS),

	/**
	 * Time that operations took.
	 */
	OPERATIONS("rdma.operations", "Time that operations took", Meter.Type.TIMER, null, Tag.PEER, Tag.KIND, Tag.OUTCOME),

	/**
	 * Number of bytes that operations moved.
	 */
	OPERATIONS_BYTES("rdma.operations.bytes", "Number of bytes that operations moved", Meter.Type.COUNTER,
			BaseUnits.BYTES, Tag.PEER, Tag.KIND),

	/**
	 * Memory of the pool that is handed out.
	 */
	MEMORY_POOL_USED("rdma.memory.pool.used", "Memory of the pool that is handed out", Meter.Type.GAUGE,
			BaseUnits.BYTES),

	/**
	 * Most memory of the pool that was handed out at a time.
	 */
	MEMORY_POOL_HIGH_WATER("rdma.memory.pool.high.water", "Most memory of the pool that was handed out at a time",
			Meter.Type.GAUGE, BaseUnits.BYTES),

	/**
	 * Memory that the pool can hand out as it is now.
	 */
	MEMORY_POOL_CAPACITY("rdma.memory.pool.capacity", "Memory that the pool can hand out as it is now",
			Meter.Type.GAUGE, BaseUnits.BYTES),

	/**
	 * Memory that the pool can grow to.
	 */
	MEMORY_POOL_MAX("rdma.memory.pool.max", "Memory that the pool can grow to", Meter.Type.GAUGE, BaseUnits.BYTES),

	/**
	 * Memory that stays in use since operations timed out and the device may still touch
	 * it.
	 */
	MEMORY_POOL_HELD_BACK("rdma.memory.pool.held.back",
			"Memory that stays in use since operations timed out and the device may still touch it", Meter.Type.GAUGE,
			BaseUnits.BYTES),

	/**
	 * Memory of the pool that is registered with the device and so cannot be swapped out.
	 */
	MEMORY_POOL_PINNED("rdma.memory.pool.pinned",
			"Memory of the pool that is registered with the device and so cannot be swapped out", Meter.Type.GAUGE,
			BaseUnits.BYTES),

	/**
	 * Number of buffers that were handed out.
	 */
	MEMORY_POOL_ACQUIRED("rdma.memory.pool.acquired", "Number of buffers that were handed out", Meter.Type.COUNTER,
			BaseUnits.BUFFERS),

	/**
	 * Number of times that no buffer came free in time.
	 */
	MEMORY_POOL_TIMEOUTS("rdma.memory.pool.timeouts", "Number of times that no buffer came free in time",
			Meter.Type.COUNTER, null),

	/**
	 * Number of buffers that were dropped without being released.
	 */
	MEMORY_POOL_LEAKS("rdma.memory.pool.leaks", "Number of buffers that were dropped without being released",
			Meter.Type.COUNTER, BaseUnits.BUFFERS),

	/**
	 * Number of asynchronous events of the device by their type.
	 */
	DEVICE_EVENTS("rdma.device.events", "Number of asynchronous events of the device by their type", Meter.Type.COUNTER,
			BaseUnits.EVENTS, Tag.TYPE),

	/**
	 * Number of packets that the device sent.
	 */
	DEVICE_PACKETS_SENT("rdma.device.packets.sent", "Number of packets that the device sent", Meter.Type.COUNTER, null),

	/**
	 * Number of packets that could not be sent.
	 */
	DEVICE_PACKETS_UNSENT("rdma.device.packets.unsent", "Number of packets that could not be sent", Meter.Type.COUNTER,
			null),

	/**
	 * Number of packets that the device received, those that it dropped among them.
	 */
	DEVICE_PACKETS_RECEIVED("rdma.device.packets.received",
			"Number of packets that the device received, those that it dropped among them", Meter.Type.COUNTER, null),

	/**
	 * Number of packets that the device sent again, since no acknowledgement came.
	 */
	DEVICE_PACKETS_RETRANSMITTED("rdma.device.packets.retransmitted",
			"Number of packets that the device sent again, since no acknowledgement came", Meter.Type.COUNTER, null),

	/**
	 * Number of packets that the device dropped by the reason.
	 */
	DEVICE_PACKETS_DROPPED("rdma.device.packets.dropped", "Number of packets that the device dropped by the reason",
			Meter.Type.COUNTER, null, Tag.REASON);

	/** Start of the names of meters of the device. */
	private static final String DEVICE = "rdma.device.";

	private final String name;

	/**
	 * What it shows, as a sentence without a full stop.
	 */
	@Getter
	@Accessors(fluent = true)
	private final String description;

	private final Meter.Type type;

	private final @Nullable String baseUnit;

	// Never handed out but as a copy
	@SuppressWarnings("ImmutableEnumChecker")
	private final Tag[] tags;

	RdmaMeters(String name, String description, Meter.Type type, @Nullable String baseUnit, Tag... tags) {
		this.name = name;
		this.description = description;
		this.type = type;
		this.baseUnit = baseUnit;
		this.tags = tags;
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public Meter.Type getType() {
		return this.type;
	}

	@Override
	public @Nullable String getBaseUnit() {
		return this.baseUnit;
	}

	@Override
	public KeyName[] getKeyNames() {
		return this.tags.clone();
	}

	/**
	 * Return the meter of a counter of the device.
	 * @param counter the counter
	 * @return the meter, {@code null} if it is not one that is documented here
	 */
	static @Nullable RdmaMeters of(DeviceCounter counter) {
		String name = DEVICE + counter.name();
		return Arrays.stream(values()).filter((meter) -> meter.name.equals(name)).findFirst().orElse(null);
	}

	/**
	 * The tags.
	 */
	public enum Tag implements KeyName {

		/**
		 * Name of the peer.
		 */
		PEER,

		/**
		 * State of the queue pair or of the connection.
		 */
		STATE,

		/**
		 * Name of the group of completion queues.
		 */
		GROUP,

		/**
		 * What completes in the queue: {@code send}, {@code receive} or {@code shared}.
		 */
		QUEUE,

		/**
		 * Status of the completion, as libibverbs names it.
		 */
		STATUS,

		/**
		 * Kind of the operation.
		 */
		KIND,

		/**
		 * Outcome of the operation: {@code success}, {@code timeout}, {@code error} or
		 * {@code rejected}.
		 */
		OUTCOME,

		/**
		 * Type of the event.
		 */
		TYPE,

		/**
		 * Why a packet was dropped.
		 */
		REASON;

		@Override
		public String asString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
