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

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rdma.core.completion.PollerStatistics;
import io.rdma.core.completion.PollerThreadStatistics;
import io.rdma.core.completion.QueueStatistics;
import io.rdma.core.connection.ConnectionDetails;
import io.rdma.core.connection.PeerStatus;
import io.rdma.core.memory.MemoryPoolStatistics;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.AtomicCapability;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.LinkLayer;
import io.rdma.verbs.PortState;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Description of what runs, as {@link RdmaEndpoint} shows it.
 *
 * @param provider the name of the provider, {@code verbs} or {@code soft}
 * @param running whether connections are made
 * @param device the device
 * @param port the port in use
 * @param candidates the devices that were looked at when this one was chosen
 * @param protectionDomains the protection domains
 * @param regions the regions that peers may reach
 * @param memoryPool the memory pool
 * @param completionQueues the completion queues
 * @param pollers the threads that poll them, and what they found
 * @param queuePairs the queue pairs, one for each connection
 * @param peers the peers
 */
public record RdmaDescriptor(String provider, boolean running, DeviceDescriptor device, PortDescriptor port,
		List<CandidateDescriptor> candidates, List<ProtectionDomainDescriptor> protectionDomains,
		List<RegionDescriptor> regions, MemoryPoolStatistics memoryPool, List<QueueStatistics> completionQueues,
		PollersDescriptor pollers, List<ConnectionDetails> queuePairs,
		List<PeerStatus> peers) implements OperationResponseBody {

	/**
	 * Description of the device.
	 *
	 * @param name the name
	 * @param netdev the name of its network interface, if it has one
	 * @param firmware the firmware version, empty if there is none
	 * @param fatal whether it failed as a whole
	 * @param atomicCapability the scope in which atomic operations are atomic
	 * @param maxQueuePairs how many queue pairs can exist
	 * @param maxQueuePairDepth the largest depth of a send or receive queue
	 * @param maxCompletionQueues how many completion queues can exist
	 * @param maxCompletionQueueDepth the largest depth of a completion queue
	 * @param maxMemoryRegions how many memory regions can exist
	 * @param maxMemoryRegionSize the largest memory region in bytes
	 * @param events how many asynchronous events of each type came
	 * @param counters what the device counts, by the name with the reason if there is one
	 */
	public record DeviceDescriptor(String name, @Nullable String netdev, String firmware, boolean fatal,
			AtomicCapability atomicCapability, int maxQueuePairs, int maxQueuePairDepth, int maxCompletionQueues,
			int maxCompletionQueueDepth, int maxMemoryRegions, long maxMemoryRegionSize,
			Map<AsyncEventType, Long> events, Map<String, Long> counters) {
	}

	/**
	 * Description of a port.
	 *
	 * @param number the number, from 1
	 * @param state the state
	 * @param linkLayer the link layer
	 * @param activeMtu the MTU in use, in bytes
	 * @param maxMtu the largest MTU, in bytes
	 * @param maxMessageSize the largest message, in bytes
	 * @param lid the LID, 0 on Ethernet
	 * @param gidIndex the index of the GID that peers reach us by
	 * @param gids the GID table
	 */
	public record PortDescriptor(int number, PortState state, LinkLayer linkLayer, int activeMtu, int maxMtu,
			long maxMessageSize, int lid, int gidIndex, List<GidDescriptor> gids) {
	}

	/**
	 * Description of an entry of a GID table.
	 *
	 * @param index the index in the table
	 * @param gid the GID
	 * @param type the type
	 * @param netdev the name of the network interface it belongs to, if known
	 */
	public record GidDescriptor(int index, String gid, String type, @Nullable String netdev) {
	}

	/**
	 * Description of a device that was looked at when one was chosen.
	 *
	 * @param name the name
	 * @param chosen whether it was chosen
	 * @param reason why it was chosen or passed over
	 * @param port the number of the port that was looked at, 0 if none was
	 * @param gidIndex the index of the GID to use, if there is one
	 */
	public record CandidateDescriptor(String name, boolean chosen, String reason, int port,
			@Nullable Integer gidIndex) {
	}

	/**
	 * Description of a protection domain.
	 *
	 * @param open whether it is open
	 * @param regions how many named regions are registered in it
	 * @param slabs how many slabs of the memory pool are registered in it
	 * @param queuePairs how many queue pairs belong to it
	 */
	public record ProtectionDomainDescriptor(boolean open, int regions, int slabs, int queuePairs) {
	}

	/**
	 * Description of the threads that poll completion queues, and of what they found.
	 *
	 * @param running whether they are started
	 * @param completions how many completions came with each status; those of which none
	 * came are not present
	 * @param strays how many completions fitted no outstanding work request
	 * @param sinkFailures how many completions whose receiver threw an exception
	 * @param assisted how many completions were found by callers that waited
	 * @param threads the threads
	 */
	public record PollersDescriptor(boolean running, Map<CompletionStatus, Long> completions, long strays,
			long sinkFailures, long assisted, List<PollerThreadStatistics> threads) {

		static PollersDescriptor of(PollerStatistics statistics) {
			Map<CompletionStatus, Long> completions = new EnumMap<>(statistics.completions());
			completions.values().removeIf((count) -> count == 0);
			return new PollersDescriptor(statistics.running(), completions, statistics.strays(),
					statistics.sinkFailures(), statistics.assisted(), statistics.threads());
		}

	}

	/**
	 * Description of a region that peers may reach.
	 *
	 * @param name the name
	 * @param length how many bytes it has
	 * @param access what peers may do, and the local rights that this needs
	 */
	public record RegionDescriptor(String name, long length, Set<AccessFlag> access) {
	}

}
