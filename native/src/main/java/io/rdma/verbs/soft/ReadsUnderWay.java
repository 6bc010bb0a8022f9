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

import io.rdma.verbs.soft.packet.Psn;

/**
 * The READ and atomic requests that were sent and not wholly answered, each as the PSN of
 * its last answer. The peer has room for so many and no more. Guarded by the lock of the
 * requester.
 */
final class ReadsUnderWay {

	private int[] lastPsns = new int[0];

	private int head;

	private int count;

	/**
	 * Set how many there can be.
	 * @param requests how many
	 */
	void capacity(int requests) {
		int[] grown = new int[Math.max(requests, this.count)];
		for (int i = 0; i < this.count; i++) {
			grown[i] = this.lastPsns[(this.head + i) % this.lastPsns.length];
		}
		this.lastPsns = grown;
		this.head = 0;
	}

	int count() {
		return this.count;
	}

	void add(int lastPsn) {
		this.lastPsns[(this.head + this.count) % this.lastPsns.length] = lastPsn;
		this.count++;
	}

	/**
	 * Remove those that are answered.
	 * @param psn the oldest PSN that is not
	 */
	void answeredBefore(int psn) {
		while (this.count > 0 && Psn.difference(this.lastPsns[this.head], psn) < 0) {
			this.head = (this.head + 1) % this.lastPsns.length;
			this.count--;
		}
	}

	void clear() {
		this.count = 0;
	}

}
