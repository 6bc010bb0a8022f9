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
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaExceptionTranslator;
import io.rdma.verbs.VerbsException;
import lombok.extern.slf4j.Slf4j;

import org.springframework.util.Assert;

/**
 * Decides which connections share which completion queues, and makes each queue so deep
 * that it cannot overrun. A group is made for up to a number of connections, for fewer if
 * the device's queues are not that deep, and closed when its last connection is gone.
 * Thread-safe.
 */
@Slf4j
public final class CompletionQueueGroups implements AutoCloseable {

	private static final String MAX_GROUPS = "rdma.completion-queue.max-groups";

	private static final String CONNECTIONS_PER_GROUP = "rdma.completion-queue.connections-per-group";

	private static final int MANY_CONNECTIONS = 64;

	private final ReentrantLock lock = new ReentrantLock();

	private final List<CompletionQueueGroup> groups = new CopyOnWriteArrayList<>();

	private final CompletionQueuePoller poller;

	private final CompletionQueueLayout layout;

	private final int connectionsPerGroup;

	private final int maxGroups;

	private final int maxDepth;

	private boolean warned;

	/**
	 * Create groups. Queues are made when a connection needs them.
	 * @param poller polls all queues
	 * @param layout which connections share queues
	 * @param connectionsPerGroup how many connections share a group at most
	 * ({@code rdma.completion-queue.connections-per-group}); one with
	 * {@link CompletionQueueLayout#PER_CONNECTION}
	 * @param maxGroups how many groups there can be
	 * ({@code rdma.completion-queue.max-groups})
	 */
	public CompletionQueueGroups(CompletionQueuePoller poller, CompletionQueueLayout layout, int connectionsPerGroup,
			int maxGroups) {
		Assert.notNull(poller, "'poller' must not be null");
		Assert.notNull(layout, "'layout' must not be null");
		checkAtLeastOne(CONNECTIONS_PER_GROUP, connectionsPerGroup);
		checkAtLeastOne(MAX_GROUPS, maxGroups);
		this.poller = poller;
		this.layout = layout;
		this.connectionsPerGroup = (layout == CompletionQueueLayout.PER_CONNECTION) ? 1 : connectionsPerGroup;
		this.maxGroups = maxGroups;
		this.maxDepth = poller.context().queryDevice().maxCompletionQueueEntries();
	}

	private static void checkAtLeastOne(String property, int value) {
		if (value < 1) {
			throw new RdmaConfigurationException(property, value, "it must be at least 1", "Use 1 or more.");
		}
	}

	CompletionQueuePoller poller() {
		return this.poller;
	}

	/**
	 * Find room for a connection, in a group that exists or in a new one.
	 * @param demand what it needs
	 * @return its place, to be closed when its queue pair is destroyed
	 * @throws RdmaConfigurationException if no group has room and there can be no more,
	 * or if the demand exceeds what the device can do
	 * @throws io.rdma.core.exception.RdmaException if the device refuses to make a queue
	 */
	public CompletionQueueLease assign(CompletionQueueDemand demand) {
		Assert.notNull(demand, "'demand' must not be null");
		this.lock.lock();
		try {
			CompletionQueueGroup group = this.groups.stream()
				.filter((candidate) -> candidate.hasRoomFor(demand))
				.findFirst()
				.orElseGet(() -> open(demand));
			CompletionQueueLease lease = new CompletionQueueLease(this, group, demand);
			group.leases().add(lease);
			warnIfMany();
			return lease;
		}
		finally {
			this.lock.unlock();
		}
	}

	private CompletionQueueGroup open(CompletionQueueDemand demand) {
		int connections = fittingConnections(demand);
		if (this.groups.size() >= this.maxGroups) {
			int existing = this.groups.stream().mapToInt((group) -> group.leases().size()).sum();
			String remedy = (this.layout == CompletionQueueLayout.PER_CONNECTION)
					? "Raise it, or use " + "rdma.completion-queue.layout split, where connections share queues."
					: "Raise it, or raise " + CONNECTIONS_PER_GROUP + " (now " + this.connectionsPerGroup + ").";
			throw new RdmaConfigurationException(MAX_GROUPS, this.maxGroups, "the completion queues of all "
					+ this.groups.size() + " groups are taken by " + existing + " connections", remedy);
		}
		CompletionQueueLoad load = CompletionQueueLoad.NONE.plus(demand, connections);
		int number = freeNumber();
		String name = ((this.layout == CompletionQueueLayout.PER_CONNECTION) ? "connection-" : "group-") + number;
		CompletionQueueGroup group;
		try {
			group = open(number, name, load);
		}
		catch (VerbsException ex) {
			throw RdmaExceptionTranslator.translate(ex, RdmaErrorContext.none());
		}
		this.groups.add(group);
		logger.debug("Opened completion queues {} for {} connections", name, connections);
		return group;
	}

	private CompletionQueueGroup open(int number, String name, CompletionQueueLoad load) {
		if (this.layout == CompletionQueueLayout.SHARED) {
			PolledQueue queue = this.poller.createQueue(name, (int) load.depth(CompletionQueueKind.SHARED));
			return new CompletionQueueGroup(number, name, this.connectionsPerGroup, queue, queue);
		}
		PolledQueue sends = this.poller.createQueue(name + "-send", (int) load.depth(CompletionQueueKind.SEND));
		try {
			PolledQueue receives = this.poller.createQueue(name + "-receive",
					(int) load.depth(CompletionQueueKind.RECEIVE));
			return new CompletionQueueGroup(number, name, this.connectionsPerGroup, sends, receives);
		}
		catch (RuntimeException | Error ex) {
			this.poller.closeQueue(sends);
			throw ex;
		}
	}

	private int freeNumber() {
		// Numbers are used again, so that metrics have few names
		int number = 1;
		while (isTaken(number)) {
			number++;
		}
		return number;
	}

	private boolean isTaken(int number) {
		return this.groups.stream().anyMatch((group) -> group.number() == number);
	}

	private int fittingConnections(CompletionQueueDemand demand) {
		// Depth d, a fifth more than the load, is possible if the load is at most this
		long maxLoad = this.maxDepth * 5L / 6;
		long connections = this.connectionsPerGroup;
		if (this.layout == CompletionQueueLayout.SHARED) {
			long perConnection = (long) demand.sendDepth() + demand.ownReceives();
			connections = Math.min(connections, (maxLoad - demand.sharedReceiveDepth()) / perConnection);
			checkFits(connections, demand, CompletionQueueKind.SHARED);
		}
		else {
			connections = Math.min(connections, maxLoad / demand.sendDepth());
			checkFits(connections, demand, CompletionQueueKind.SEND);
			if (demand.ownReceives() > 0) {
				connections = Math.min(connections, maxLoad / demand.ownReceives());
			}
			else if (demand.sharedReceiveDepth() > maxLoad) {
				connections = 0;
			}
			checkFits(connections, demand, CompletionQueueKind.RECEIVE);
		}
		return (int) connections;
	}

	private void checkFits(long connections, CompletionQueueDemand demand, CompletionQueueKind kind) {
		if (connections >= 1) {
			return;
		}
		long depth = CompletionQueueLoad.NONE.plus(demand).depth(kind);
		int receives = demand.ownReceives() + demand.sharedReceiveDepth();
		boolean sends = kind == CompletionQueueKind.SEND
				|| (kind == CompletionQueueKind.SHARED && demand.sendDepth() >= receives);
		String property = sends ? "rdma.queue-pair.send-depth" : "rdma.queue-pair.receive-depth";
		int value = sends ? demand.sendDepth() : receives;
		throw new RdmaConfigurationException(property, value,
				"one connection needs a completion queue of %d, but device %s has at most %d".formatted(depth,
						this.poller.context().device().name(), this.maxDepth),
				"Make it smaller" + ((kind == CompletionQueueKind.SHARED)
						? ", or use rdma.completion-queue.layout split." : "."));
	}

	private void warnIfMany() {
		if (this.layout == CompletionQueueLayout.PER_CONNECTION && this.groups.size() > MANY_CONNECTIONS
				&& !this.warned) {
			this.warned = true;
			logger.warn("More than {} connections have completion queues of their own, and all are polled one by one; "
					+ "use rdma.completion-queue.layout split for so many", MANY_CONNECTIONS);
		}
	}

	void release(CompletionQueueLease lease, CompletionQueueGroup group) {
		this.lock.lock();
		try {
			group.leases().remove(lease);
			if (group.leases().isEmpty() && this.groups.remove(group)) {
				group.close(this.poller);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return how full the queues are. Never waits.
	 * @return the statistics of each queue
	 */
	public List<QueueStatistics> statistics() {
		return this.groups.stream().flatMap(CompletionQueueGroup::statistics).toList();
	}

	/**
	 * Close all queues. All connections must be closed. Closing twice is harmless.
	 * @throws io.rdma.verbs.VerbsException if a queue is still used by a queue pair; the
	 * others are closed
	 */
	@Override
	public void close() {
		this.lock.lock();
		try {
			RuntimeException failure = null;
			for (CompletionQueueGroup group : List.copyOf(this.groups)) {
				try {
					group.close(this.poller);
					this.groups.remove(group);
				}
				catch (RuntimeException ex) {
					failure = (failure != null) ? failure : ex;
				}
			}
			if (failure != null) {
				throw failure;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

}
