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

package io.rdma.verbs.soft;

import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of a device by their numbers. Looking up takes no lock and allocates
 * nothing; a change copies the table. Thread-safe.
 */
final class QueuePairTable {

	private static final int MIN_SLOTS = 16;

	/** Open addressing by the low bits of the number, which is random. Never changed. */
	private volatile @Nullable SoftQueuePair[] slots = new SoftQueuePair[MIN_SLOTS];

	private int size;

	@Nullable SoftQueuePair find(int number) {
		@Nullable SoftQueuePair[] current = this.slots;
		int mask = current.length - 1;
		int index = number & mask;
		while (true) {
			SoftQueuePair queuePair = current[index];
			if (queuePair == null || queuePair.number() == number) {
				return queuePair;
			}
			index = (index + 1) & mask;
		}
	}

	/**
	 * Return all queue pairs.
	 * @return an array with gaps, not to be changed
	 */
	@Nullable SoftQueuePair[] all() {
		return this.slots;
	}

	synchronized void add(SoftQueuePair queuePair) {
		if (find(queuePair.number()) == null) {
			rebuild(this.size + 1, null, queuePair);
		}
	}

	synchronized void remove(SoftQueuePair queuePair) {
		if (find(queuePair.number()) != null) {
			rebuild(this.size - 1, queuePair, null);
		}
	}

	private void rebuild(int newSize, @Nullable SoftQueuePair removed, @Nullable SoftQueuePair added) {
		int length = MIN_SLOTS;
		while (length < newSize * 2) {
			length *= 2;
		}
		@Nullable SoftQueuePair[] rebuilt = new SoftQueuePair[length];
		for (SoftQueuePair queuePair : this.slots) {
			if (queuePair != null && queuePair != removed) {
				put(rebuilt, queuePair);
			}
		}
		if (added != null) {
			put(rebuilt, added);
		}
		this.size = newSize;
		this.slots = rebuilt;
	}

	private static void put(@Nullable SoftQueuePair[] slots, SoftQueuePair queuePair) {
		int mask = slots.length - 1;
		int index = queuePair.number() & mask;
		while (slots[index] != null) {
			index = (index + 1) & mask;
		}
		slots[index] = queuePair;
	}

}
