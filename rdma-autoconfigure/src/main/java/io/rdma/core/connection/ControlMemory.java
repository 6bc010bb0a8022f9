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

package io.rdma.core.connection;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;

/**
 * Registered memory for what connections tell each other: the words that credits are
 * written to, and the headers of messages. Registered in large pieces that are handed out
 * for the life of a connection, so that no reconnect registers anything. Thread-safe.
 */
final class ControlMemory implements AutoCloseable {

	/**
	 * A cache line for each word, so that the words of two connections do not disturb
	 * each other.
	 */
	private static final int WORD_STRIDE = 64;

	private static final int BLOCKS_PER_CHUNK = 32;

	private final ProtectionDomain protectionDomain;

	private final int headers;

	private final int headerStride;

	private final Deque<ControlBlock> free = new ArrayDeque<>();

	private final List<MemoryRegion> regions = new ArrayList<>();

	/**
	 * Create the memory, with nothing registered.
	 * @param protectionDomain where it is registered
	 * @param headers how many headers a connection has at most at the same time
	 */
	ControlMemory(ProtectionDomain protectionDomain, int headers) {
		this.protectionDomain = protectionDomain;
		this.headers = headers;
		this.headerStride = WORD_STRIDE + headers * MessageHeader.MAX_SIZE;
	}

	synchronized ControlBlock acquire() {
		if (this.free.isEmpty()) {
			grow();
		}
		ControlBlock block = this.free.removeLast();
		block.clear();
		return block;
	}

	synchronized void release(ControlBlock block) {
		this.free.addLast(block);
	}

	private void grow() {
		// peers write to the words only: what we send is in a region that they cannot
		// reach
		MemoryRegion words = allocate((long) BLOCKS_PER_CHUNK * WORD_STRIDE,
				EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
		MemoryRegion outgoing = allocate((long) BLOCKS_PER_CHUNK * this.headerStride,
				EnumSet.of(AccessFlag.LOCAL_WRITE));
		for (int i = 0; i < BLOCKS_PER_CHUNK; i++) {
			this.free.addLast(new ControlBlock(words, (long) i * WORD_STRIDE, outgoing, (long) i * this.headerStride,
					this.headers));
		}
	}

	private MemoryRegion allocate(long length, Set<AccessFlag> access) {
		MemoryRegion region = this.protectionDomain.allocateMemory(length, access);
		this.regions.add(region);
		return region;
	}

	@Override
	public synchronized void close() {
		this.free.clear();
		this.regions.forEach(MemoryRegion::close);
		this.regions.clear();
	}

}
