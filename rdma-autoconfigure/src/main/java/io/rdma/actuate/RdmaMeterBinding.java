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

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.rdma.core.completion.PollerThreadStatistics;
import io.rdma.core.completion.QueueStatistics;
import io.rdma.core.connection.ConnectionState;
import io.rdma.core.connection.PeerStatus;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.memory.MemoryPoolStatistics;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.DeviceCounter;
import io.rdma.verbs.QueuePairState;

/**
 * The meters of {@link RdmaMetrics} in one registry.
 */
final class RdmaMeterBinding {

	private static final Map<RdmaMeters, ToDoubleFunction<MemoryPoolStatistics>> POOL_METERS = poolMeters();

	private static final Map<RdmaMeters, ToIntFunction<QueueStatistics>> QUEUE_METERS = queueMeters();

	private final MeterRegistry registry;

	private final RdmaMetrics.Sources sources;

	private final BoundedNames peerNames;

	private final BoundedNames groupNames;

	private final List<Meter> meters = new ArrayList<>();

	private final Set<String> countedPeers = new HashSet<>();

	private final Set<String> countedByDevice = new HashSet<>();

	private final MultiGauge queuePairStates;

	private final MultiGauge outstanding;

	private final Map<RdmaMeters, MultiGauge> queues = new EnumMap<>(RdmaMeters.class);

	private boolean closed;

	RdmaMeterBinding(MeterRegistry registry, RdmaMetrics.Sources sources, BoundedNames peerNames,
			BoundedNames groupNames) {
		this.registry = registry;
		this.sources = sources;
		this.peerNames = peerNames;
		this.groupNames = groupNames;
		this.queuePairStates = multiGauge(RdmaMeters.QUEUE_PAIR_STATE);
		this.outstanding = multiGauge(RdmaMeters.WORK_REQUESTS_OUTSTANDING);
		QUEUE_METERS.keySet().forEach((meter) -> this.queues.put(meter, multiGauge(meter)));
	}

	private static Map<RdmaMeters, ToDoubleFunction<MemoryPoolStatistics>> poolMeters() {
		Map<RdmaMeters, ToDoubleFunction<MemoryPoolStatistics>> meters = new EnumMap<>(RdmaMeters.class);
		meters.put(RdmaMeters.MEMORY_POOL_USED, MemoryPoolStatistics::usedBytes);
		meters.put(RdmaMeters.MEMORY_POOL_HIGH_WATER, MemoryPoolStatistics::highWaterBytes);
		meters.put(RdmaMeters.MEMORY_POOL_CAPACITY, MemoryPoolStatistics::capacityBytes);
		meters.put(RdmaMeters.MEMORY_POOL_MAX, MemoryPoolStatistics::maxBytes);
		meters.put(RdmaMeters.MEMORY_POOL_HELD_BACK, MemoryPoolStatistics::heldBackBytes);
		meters.put(RdmaMeters.MEMORY_POOL_PINNED, MemoryPoolStatistics::pinnedBytes);
		meters.put(RdmaMeters.MEMORY_POOL_ACQUIRED, MemoryPoolStatistics::acquired);
		meters.put(RdmaMeters.MEMORY_POOL_TIMEOUTS, MemoryPoolStatistics::timeouts);
		meters.put(RdmaMeters.MEMORY_POOL_LEAKS, MemoryPoolStatistics::leaks);
		return meters;
	}

	private static Map<RdmaMeters, ToIntFunction<QueueStatistics>> queueMeters() {
		Map<RdmaMeters, ToIntFunction<QueueStatistics>> meters = new EnumMap<>(RdmaMeters.class);
		meters.put(RdmaMeters.COMPLETION_QUEUE_DEPTH, QueueStatistics::depth);
		meters.put(RdmaMeters.COMPLETION_QUEUE_OUTSTANDING, QueueStatistics::outstanding);
		meters.put(RdmaMeters.COMPLETION_QUEUE_HIGH_WATER, QueueStatistics::highWater);
		meters.put(RdmaMeters.COMPLETION_QUEUE_CAPACITY, QueueStatistics::capacity);
		return meters;
	}

	synchronized void bind() {
		POOL_METERS.forEach((meter, reading) -> {
			ToDoubleFunction<RdmaMetrics.Sources> value = (sources) -> reading.applyAsDouble(sources.pool().get());
			if (meter.getType() == Meter.Type.COUNTER) {
				counter(meter, Tags.empty(), value);
			}
			else {
				gauge(meter, Tags.empty(), value);
			}
		});
		for (ConnectionState state : ConnectionState.values()) {
			gauge(RdmaMeters.CONNECTIONS, Tags.of(key(RdmaMeters.Tag.STATE), lowerCase(state)),
					(sources) -> count(sources.peers().get(), (peer) -> peer.state() == state));
		}
		for (CompletionStatus status : CompletionStatus.values()) {
			counter(RdmaMeters.COMPLETIONS, Tags.of(key(RdmaMeters.Tag.STATUS), status.name()),
					(sources) -> sources.poller().get().completions().getOrDefault(status, 0L));
		}
		for (AsyncEventType type : AsyncEventType.values()) {
			counter(RdmaMeters.DEVICE_EVENTS, Tags.of(key(RdmaMeters.Tag.TYPE), type.name()),
					(sources) -> sources.monitor().counts().getOrDefault(type, 0L));
		}
		counter(RdmaMeters.COMPLETIONS_STRAY, Tags.empty(), (sources) -> sources.poller().get().strays());
		gauge(RdmaMeters.POLLER_THREADS, Tags.empty(),
				(sources) -> count(sources.poller().get().threads(), PollerThreadStatistics::alive));
		refresh();
	}

	private void count(DeviceCounter counter) {
		RdmaMeters meter = RdmaMeters.of(counter);
		String reason = counter.reason();
		if (meter != null && this.countedByDevice.add(counter.name() + " " + reason)) {
			counter(meter, (reason != null) ? Tags.of(key(RdmaMeters.Tag.REASON), reason) : Tags.empty(),
					(sources) -> counter.value().getAsLong());
		}
	}

	/**
	 * Have a meter for each peer and each completion queue that there is now.
	 */
	synchronized void refresh() {
		if (this.closed) {
			return;
		}
		// a device need not count anything before it is used
		this.sources.device().counters().forEach(this::count);
		Set<String> peers = new LinkedHashSet<>();
		this.sources.peers().get().forEach((peer) -> peers.add(peerTag(peer)));
		peers.stream().filter(this.countedPeers::add).forEach(this::countReconnects);
		List<MultiGauge.Row<?>> states = new ArrayList<>();
		List<MultiGauge.Row<?>> workRequests = new ArrayList<>();
		for (String peer : peers) {
			Tags tags = Tags.of(key(RdmaMeters.Tag.PEER), peer);
			for (QueuePairState state : QueuePairState.values()) {
				states.add(row(tags.and(key(RdmaMeters.Tag.STATE), lowerCase(state)),
						(sources) -> count(sources.peers().get(),
								(status) -> status.queuePairState() == state && peerTag(status).equals(peer))));
			}
			workRequests.add(row(tags,
					(sources) -> sources.connections()
						.get()
						.stream()
						.filter((connection) -> this.peerNames.tag(connection.peer()).equals(peer))
						.mapToInt(RdmaConnection::outstanding)
						.sum()));
		}
		this.queuePairStates.register(states);
		this.outstanding.register(workRequests);
		refreshQueues();
	}

	private void refreshQueues() {
		Set<Tags> queueTags = new LinkedHashSet<>();
		this.sources.queues().get().forEach((queue) -> queueTags.add(queueTags(queue)));
		this.queues.forEach((meter, gauge) -> {
			ToIntFunction<QueueStatistics> reading = readingOf(meter);
			List<MultiGauge.Row<?>> rows = new ArrayList<>();
			for (Tags tags : queueTags) {
				rows.add(row(tags,
						(sources) -> sources.queues()
							.get()
							.stream()
							.filter((queue) -> queueTags(queue).equals(tags))
							.mapToInt(reading)
							.sum()));
			}
			gauge.register(rows);
		});
	}

	private static ToIntFunction<QueueStatistics> readingOf(RdmaMeters meter) {
		return QUEUE_METERS.getOrDefault(meter, (queue) -> 0);
	}

	private void countReconnects(String peer) {
		counter(RdmaMeters.RECONNECTS, Tags.of(key(RdmaMeters.Tag.PEER), peer),
				(sources) -> sources.peers()
					.get()
					.stream()
					.filter((status) -> peerTag(status).equals(peer))
					.mapToLong(PeerStatus::reconnects)
					.sum());
	}

	/**
	 * Remove the meters.
	 */
	synchronized void close() {
		this.closed = true;
		this.queuePairStates.register(List.of());
		this.outstanding.register(List.of());
		this.queues.values().forEach((gauge) -> gauge.register(List.of()));
		this.meters.forEach(this.registry::remove);
		this.meters.clear();
	}

	private String peerTag(PeerStatus peer) {
		return this.peerNames.tag(peer.name());
	}

	private Tags queueTags(QueueStatistics queue) {
		return Tags.of(key(RdmaMeters.Tag.GROUP), this.groupNames.tag(queue.group()), key(RdmaMeters.Tag.QUEUE),
				lowerCase(queue.kind()));
	}

	private static <T> long count(List<T> items, Predicate<T> condition) {
		return items.stream().filter(condition).count();
	}

	private static String key(RdmaMeters.Tag tag) {
		return tag.asString();
	}

	private static String lowerCase(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private MultiGauge.Row<?> row(Tags tags, ToDoubleFunction<RdmaMetrics.Sources> value) {
		return MultiGauge.Row.of(tags, this.sources, value);
	}

	private MultiGauge multiGauge(RdmaMeters meter) {
		return MultiGauge.builder(meter.getName())
			.description(meter.description())
			.baseUnit(meter.getBaseUnit())
			.register(this.registry);
	}

	private void gauge(RdmaMeters meter, Tags tags, ToDoubleFunction<RdmaMetrics.Sources> value) {
		this.meters.add(Gauge.builder(meter.getName(), this.sources, value)
			.description(meter.description())
			.baseUnit(meter.getBaseUnit())
			.tags(tags)
			.strongReference(true)
			.register(this.registry));
	}

	private void counter(RdmaMeters meter, Tags tags, ToDoubleFunction<RdmaMetrics.Sources> value) {
		this.meters.add(FunctionCounter.builder(meter.getName(), this.sources, value)
			.description(meter.description())
			.baseUnit(meter.getBaseUnit())
			.tags(tags)
			.register(this.registry));
	}

}
