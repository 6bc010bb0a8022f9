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

package io.rdma.core.completion;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Connections that share completion queues. Changed under the lock of
 * {@link CompletionQueueGroups}, read by any thread.
 */
final class CompletionQueueGroup {

	private final int number;

	private final String name;

	private final int maxConnections;

	private final PolledQueue sends;

	private final PolledQueue receives;

	private final List<CompletionQueueLease> leases = new CopyOnWriteArrayList<>();

	/**
	 * Create a group.
	 * @param number the number, from 1
	 * @param name the name
	 * @param maxConnections how many connections it can have
	 * @param sends where sends complete
	 * @param receives where receives complete; may be the same
	 */
	CompletionQueueGroup(int number, String name, int maxConnections, PolledQueue sends, PolledQueue receives) {
		this.number = number;
		this.name = name;
		this.maxConnections = maxConnections;
		this.sends = sends;
		this.receives = receives;
	}

	int number() {
		return this.number;
	}

	String name() {
		return this.name;
	}

	PolledQueue sends() {
		return this.sends;
	}

	PolledQueue receives() {
		return this.receives;
	}

	List<CompletionQueueLease> leases() {
		return this.leases;
	}

	private boolean isShared() {
		return this.sends == this.receives;
	}

	private CompletionQueueLoad load() {
		CompletionQueueLoad load = CompletionQueueLoad.NONE;
		for (CompletionQueueLease lease : this.leases) {
			load = load.plus(lease.demand());
		}
		return load;
	}

	boolean hasRoomFor(CompletionQueueDemand demand) {
		if (this.leases.size() >= this.maxConnections) {
			return false;
		}
		CompletionQueueLoad load = load().plus(demand);
		if (isShared()) {
			return fits(load, CompletionQueueKind.SHARED, this.sends);
		}
		return fits(load, CompletionQueueKind.SEND, this.sends)
				&& fits(load, CompletionQueueKind.RECEIVE, this.receives);
	}

	private static boolean fits(CompletionQueueLoad load, CompletionQueueKind kind, PolledQueue queue) {
		return load.depth(kind) <= queue.queue().capacity();
	}

	void drain() {
		this.sends.drain();
		if (!isShared()) {
			this.receives.drain();
		}
	}

	void close(CompletionQueuePoller poller) {
		poller.closeQueue(this.sends);
		if (!isShared()) {
			poller.closeQueue(this.receives);
		}
	}

	Stream<QueueStatistics> statistics() {
		CompletionQueueLoad load = load();
		if (isShared()) {
			return Stream.of(statistics(load, CompletionQueueKind.SHARED, this.sends));
		}
		return Stream.of(statistics(load, CompletionQueueKind.SEND, this.sends),
				statistics(load, CompletionQueueKind.RECEIVE, this.receives));
	}

	private QueueStatistics statistics(CompletionQueueLoad load, CompletionQueueKind kind, PolledQueue queue) {
		int outstanding = this.leases.stream().mapToInt((lease) -> lease.outstanding(kind)).sum();
		return new QueueStatistics(queue.name(), this.name, kind, queue.queue().capacity(), (int) load.in(kind),
				outstanding, queue.depth(), queue.highWater(), this.leases.size());
	}

}
