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

/**
 * How many packets a queue pair may have under way. It grows by one with each round of
 * answers and is halved by a loss, so that queue pairs that share a bottleneck share it
 * evenly. Guarded by the lock of the requester.
 */
final class CongestionWindow {

	/**
	 * The bytes that a socket holds with the default settings of Linux, and some room.
	 */
	private static final int MAX_BYTES = 128 << 10;

	private static final int MAX_PACKETS = 128;

	private static final int MIN_PACKETS = 4;

	private int max;

	private int size;

	/** Answered packets since the window last grew. */
	private int answered;

	void configure(int mtuShift) {
		this.max = Math.min(MAX_PACKETS, MAX_BYTES >>> mtuShift);
		this.size = this.max;
		this.answered = 0;
	}

	int size() {
		return this.size;
	}

	void grow(int packets) {
		if (this.size == this.max) {
			return;
		}
		this.answered += packets;
		if (this.answered >= this.size) {
			this.answered = 0;
			this.size++;
		}
	}

	void shrink() {
		this.size = Math.max(MIN_PACKETS, this.size / 2);
		this.answered = 0;
	}

}
