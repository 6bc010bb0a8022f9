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

package io.rdma.verbs.soft.shm;

import java.lang.ref.Cleaner.Cleanable;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import lombok.Getter;
import lombok.RequiredArgsConstructor;
import lombok.experimental.Accessors;

/**
 * A file of this process that peers can map. Its memory is never used for anything else:
 * whoever mapped it sees what it saw, and nothing that comes later. Thread-safe.
 */
@RequiredArgsConstructor
@Getter
@Accessors(fluent = true)
final class SharedFile {

	private final long id;

	/** The descriptor, -1 if the file has a name. */
	private final int descriptor;

	private final FileMapping mapping;

	/** Lets nobody else find the file any more. */
	@Getter(lombok.AccessLevel.NONE)
	private final Runnable remove;

	@Getter(lombok.AccessLevel.NONE)
	private final AtomicBoolean closed = new AtomicBoolean();

	@Getter(lombok.AccessLevel.NONE)
	private final AtomicBoolean hidden = new AtomicBoolean();

	@Getter(lombok.AccessLevel.NONE)
	private volatile boolean told;

	/** What counts the memory until it is let go. */
	@Getter(lombok.AccessLevel.NONE)
	private volatile List<Cleanable> counted = List.of();

	void tell() {
		if (!this.told) {
			this.told = true;
		}
	}

	boolean isTold() {
		return this.told;
	}

	/**
	 * Be done with the file. What is mapped stays mapped as long as a view of it is
	 * reachable.
	 * @return whether it was not closed before
	 */
	synchronized boolean close() {
		if (!this.closed.compareAndSet(false, true)) {
			return false;
		}
		try {
			FileHeader.markDone(this.mapping.header());
			MemoryFaults.settle();
		}
		catch (InternalError ex) {
			// a peer truncated the file and so knows already
			this.told = true;
		}
		return true;
	}

	void countedBy(List<Cleanable> counters) {
		this.counted = counters;
	}

	/**
	 * Let go of the memory, if it can be before no view of it is left.
	 */
	synchronized void release() {
		if (this.mapping.release()) {
			this.counted.forEach(Cleanable::clean);
		}
	}

	/**
	 * Let nobody else find the file any more.
	 * @return whether it could be found before
	 */
	boolean hide() {
		boolean visible = this.hidden.compareAndSet(false, true);
		if (visible) {
			this.remove.run();
		}
		return visible;
	}

}
