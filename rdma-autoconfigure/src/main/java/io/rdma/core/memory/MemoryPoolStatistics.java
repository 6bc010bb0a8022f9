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

package io.rdma.core.memory;

/**
 * What a memory pool has and what it did.
 *
 * @param capacityBytes how many bytes it can hand out as it is now
 * @param maxBytes how many bytes it can grow to
 * @param usedBytes how many bytes are handed out, those held back among them
 * @param availableBytes how many bytes can be handed out without growing
 * @param highWaterBytes the most bytes that were handed out at a time
 * @param heldBackBytes how many bytes stay in use since operations timed out and may
 * still be carried out by the device
 * @param pinnedBytes how many bytes are registered with the device
 * @param slabs how many registrations there are
 * @param acquired how many buffers were handed out
 * @param released how many buffers came back, leaks among them
 * @param timeouts how often no buffer came free in time
 * @param leaks how many buffers were dropped without being released
 */
public record MemoryPoolStatistics(long capacityBytes, long maxBytes, long usedBytes, long availableBytes,
		long highWaterBytes, long heldBackBytes, long pinnedBytes, int slabs, long acquired, long released,
		long timeouts, long leaks) {
}
