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

/**
 * Limits and properties of a device ({@code struct ibv_device_attr}).
 *
 * @param firmwareVersion the firmware version, empty if there is none
 * @param nodeGuid the node GUID
 * @param vendorId the vendor's number
 * @param maxMemoryRegionSize the largest memory region in bytes
 * @param maxQueuePairs how many queue pairs can exist
 * @param maxQueuePairWorkRequests the largest depth of a send or receive queue
 * @param maxScatterGather how many scatter/gather entries a work request can have
 * @param maxCompletionQueues how many completion queues can exist
 * @param maxCompletionQueueEntries the largest depth of a completion queue
 * @param maxMemoryRegions how many memory regions can exist
 * @param maxProtectionDomains how many protection domains can exist
 * @param maxReadAtomicAsResponder READ and atomic requests that a queue pair can hold as
 * responder
 * @param maxReadAtomicAsRequester READ and atomic requests that a queue pair can have
 * outstanding as requester
 * @param atomicCapability the scope in which atomic operations are atomic
 * @param maxMemoryWindows how many memory windows can exist, 0 if there are none
 * @param maxSharedReceiveQueues how many shared receive queues can exist
 * @param maxSharedReceiveQueueWorkRequests the largest depth of a shared receive queue
 * @param maxSharedReceiveQueueScatterGather how many entries a receive of such a queue
 * can have
 * @param maxInlineData the largest inline payload in bytes that can be asked for
 * @param physicalPorts how many ports there are; they are numbered from 1
 */
public record DeviceAttributes(String firmwareVersion, long nodeGuid, int vendorId, long maxMemoryRegionSize,
		int maxQueuePairs, int maxQueuePairWorkRequests, int maxScatterGather, int maxCompletionQueues,
		int maxCompletionQueueEntries, int maxMemoryRegions, int maxProtectionDomains, int maxReadAtomicAsResponder,
		int maxReadAtomicAsRequester, AtomicCapability atomicCapability, int maxMemoryWindows,
		int maxSharedReceiveQueues, int maxSharedReceiveQueueWorkRequests, int maxSharedReceiveQueueScatterGather,
		int maxInlineData, int physicalPorts) {
}
