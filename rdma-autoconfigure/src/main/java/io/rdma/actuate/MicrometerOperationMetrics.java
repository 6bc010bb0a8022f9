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

import java.util.Collection;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.rdma.core.connection.OperationKind;
import io.rdma.core.connection.OperationMetrics;

/**
 * Times operations and counts their bytes with Micrometer. Meters are looked up by index
 * and made once, so that recording allocates nothing. Thread-safe.
 */
public final class MicrometerOperationMetrics implements OperationMetrics, AutoCloseable {

	private static final int OTHER_NAMES = 100;

	private static final String[] OUTCOMES = { SUCCESS, TIMEOUT, ERROR, REJECTED };

	private static final int KINDS = OperationKind.values().length;

	private final MeterRegistry registry;

	private final BoundedNames names;

	private final ConcurrentMap<String, PeerMeters> peers = new ConcurrentHashMap<>();

	private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();

	private volatile boolean closed;

	/**
	 * Create metrics.
	 * @param registry where the meters are
	 * @param peers the names of the peers that are configured
	 */
	public MicrometerOperationMetrics(MeterRegistry registry, Collection<String> peers) {
		this.registry = registry;
		this.names = new BoundedNames(peers, OTHER_NAMES);
	}

	@Override
	public void recorded(String peer, OperationKind kind, String outcome, long bytes, long nanos) {
		if (this.closed) {
			return;
		}
		String tag = this.names.tag(peer);
		PeerMeters found = this.peers.get(tag);
		if (found == null) {
			found = this.peers.computeIfAbsent(tag, PeerMeters::new);
		}
		found.record(kind, outcome, bytes, nanos);
	}

	/**
	 * Remove the meters.
	 */
	@Override
	public void close() {
		this.closed = true;
		for (Meter meter = this.meters.poll(); meter != null; meter = this.meters.poll()) {
			this.registry.remove(meter);
		}
	}

	private static int index(String outcome) {
		return switch (outcome) {
			case SUCCESS -> 0;
			case TIMEOUT -> 1;
			case REJECTED -> 3;
			default -> 2;
		};
	}

	private <M extends Meter> M register(Supplier<M> registration) {
		M meter = registration.get();
		this.meters.add(meter);
		return meter;
	}

	/**
	 * The meters of one peer, made when they are needed first.
	 */
	private final class PeerMeters {

		private final String peer;

		private final AtomicReferenceArray<Timer> timers = new AtomicReferenceArray<>(KINDS * OUTCOMES.length);

		private final AtomicReferenceArray<Counter> bytes = new AtomicReferenceArray<>(KINDS);

		PeerMeters(String peer) {
			this.peer = peer;
		}

		void record(OperationKind kind, String outcome, long bytes, long nanos) {
			timer(kind, index(outcome)).record(nanos, TimeUnit.NANOSECONDS);
			if (bytes > 0) {
				counter(kind).increment((double) bytes);
			}
		}

		private Timer timer(OperationKind kind, int outcome) {
			int index = kind.ordinal() * OUTCOMES.length + outcome;
			Timer timer = this.timers.get(index);
			if (timer == null) {
				timer = register(() -> Timer.builder(RdmaMeters.OPERATIONS.getName())
					.description(RdmaMeters.OPERATIONS.description())
					.tag(RdmaMeters.Tag.PEER.asString(), this.peer)
					.tag(RdmaMeters.Tag.KIND.asString(), tag(kind))
					.tag(RdmaMeters.Tag.OUTCOME.asString(), OUTCOMES[outcome])
					.register(MicrometerOperationMetrics.this.registry));
				this.timers.set(index, timer);
			}
			return timer;
		}

		private Counter counter(OperationKind kind) {
			Counter counter = this.bytes.get(kind.ordinal());
			if (counter == null) {
				counter = register(() -> Counter.builder(RdmaMeters.OPERATIONS_BYTES.getName())
					.description(RdmaMeters.OPERATIONS_BYTES.description())
					.baseUnit(RdmaMeters.OPERATIONS_BYTES.getBaseUnit())
					.tag(RdmaMeters.Tag.PEER.asString(), this.peer)
					.tag(RdmaMeters.Tag.KIND.asString(), tag(kind))
					.register(MicrometerOperationMetrics.this.registry));
				this.bytes.set(kind.ordinal(), counter);
			}
			return counter;
		}

		private static String tag(OperationKind kind) {
			return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

}
