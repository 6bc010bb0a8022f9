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

package io.rdma.verbs;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An open device ({@code struct ibv_context}). Thread-safe.
 *
 * <p>
 * As every resource here: closing twice is harmless, closing while something made from it
 * is open is a {@link VerbsException} with {@link Errno#EBUSY}, and using it after that
 * is a {@link ResourceClosedException}.
 */
public interface DeviceContext extends AutoCloseable {

	/**
	 * Return what the device list says of the device.
	 * @return the description
	 */
	DeviceInfo device();

	/**
	 * Return limits and properties ({@code ibv_query_device}).
	 * @return the attributes
	 */
	DeviceAttributes queryDevice();

	/**
	 * Return how many ports there are; they are numbered from 1. Makes nothing on the
	 * device, which {@link #queryDevice()} may have to.
	 * @return the number of ports
	 */
	default int physicalPorts() {
		return queryDevice().physicalPorts();
	}

	/**
	 * Return state and properties of a port ({@code ibv_query_port}).
	 * @param port the number, from 1
	 * @return the attributes
	 * @throws VerbsException with {@link Errno#EINVAL} if there is no such port
	 */
	PortAttributes queryPort(int port);

	/**
	 * Return the filled entries of the GID table of a port ({@code ibv_query_gid_table}).
	 * @param port the number, from 1
	 * @return the entries in order of their index
	 * @throws VerbsException with {@link Errno#EINVAL} if there is no such port
	 */
	List<GidEntry> queryGidTable(int port);

	/**
	 * Return the counters that the kernel keeps of a port and, for it, of the device, by
	 * their names in sysfs.
	 * @param port the number, from 1
	 * @return the counters, sorted by name, empty if the device has none
	 * @throws VerbsException with {@link Errno#EINVAL} if there is no such port
	 */
	default Map<String, Long> queryCounters(int port) {
		queryPort(port);
		return Map.of();
	}

	/**
	 * Allocate a protection domain ({@code ibv_alloc_pd}).
	 * @return the protection domain
	 */
	ProtectionDomain allocateProtectionDomain();

	/**
	 * Create a completion channel ({@code ibv_create_comp_channel}).
	 * @return the channel
	 */
	CompletionChannel createCompletionChannel();

	/**
	 * Create a completion queue ({@code ibv_create_cq}).
	 * @param minimumCapacity how many completions it must hold at least
	 * @param channel the channel that tells of completions, {@code null} for none
	 * @return the completion queue
	 * @throws VerbsException with {@link Errno#EINVAL} if the capacity is not from 1 to
	 * the device's limit
	 */
	CompletionQueue createCompletionQueue(int minimumCapacity, @Nullable CompletionChannel channel);

	/**
	 * Allocate a chain of send work requests.
	 * @param capacity how many work requests it holds
	 * @param maxScatterGather how many scatter/gather entries each can have
	 * @return the chain
	 */
	SendWorkRequests allocateSendWorkRequests(int capacity, int maxScatterGather);

	/**
	 * Allocate a chain of receive work requests.
	 * @param capacity how many work requests it holds
	 * @param maxScatterGather how many scatter/gather entries each can have
	 * @return the chain
	 */
	ReceiveWorkRequests allocateReceiveWorkRequests(int capacity, int maxScatterGather);

	/**
	 * Allocate room for a batch of work completions.
	 * @param capacity how many one poll can bring
	 * @return the batch
	 */
	WorkCompletions allocateWorkCompletions(int capacity);

	/**
	 * Wait for the next asynchronous event ({@code ibv_get_async_event}, acknowledged at
	 * once).
	 * @param timeout how long to wait at most
	 * @return the event, {@code null} if none came in time or the context was closed
	 * @throws InterruptedException if the thread was interrupted
	 */
	@Nullable AsyncEvent awaitAsyncEvent(Duration timeout) throws InterruptedException;

	/**
	 * Return what the device counts, so that an operator sees what it drops and why.
	 * @return the counters, empty if the device has none of its own
	 */
	default List<DeviceCounter> counters() {
		return List.of();
	}

	/**
	 * Return whether the context is open.
	 * @return whether it can be used
	 */
	boolean isOpen();

	@Override
	void close();

}
