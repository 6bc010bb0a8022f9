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

import io.rdma.verbs.QueuePairAttribute;
import io.rdma.verbs.QueuePairAttributes;

/**
 * How often a request may still be sent again. The counts start anew with every request
 * that is answered. Guarded by the lock of the requester.
 */
final class Retries {

	/** Retry count that means for ever when the peer has no receive posted. */
	private static final int FOREVER = 7;

	/** The acknowledgement timeout is this times a power of two. */
	private static final long TIMEOUT_UNIT_NANOS = 4096;

	private long timeoutNanos;

	private int count;

	private int rnrCount;

	private int left;

	private int rnrLeft;

	void configure(QueuePairAttributes attributes) {
		if (attributes.has(QueuePairAttribute.TIMEOUT)) {
			this.timeoutNanos = (attributes.timeout() == 0) ? 0 : TIMEOUT_UNIT_NANOS << attributes.timeout();
		}
		if (attributes.has(QueuePairAttribute.RETRY_COUNT)) {
			this.count = attributes.retryCount();
		}
		if (attributes.has(QueuePairAttribute.RNR_RETRY)) {
			this.rnrCount = attributes.rnrRetry();
		}
		startAnew();
	}

	void startAnew() {
		this.left = this.count;
		this.rnrLeft = this.rnrCount;
	}

	/**
	 * Return how long to wait for an answer.
	 * @return the time in nanoseconds, 0 for ever
	 */
	long timeoutNanos() {
		return this.timeoutNanos;
	}

	/**
	 * Spend a retry on an answer that did not come.
	 * @return whether there was one
	 */
	boolean take() {
		if (this.left == 0) {
			return false;
		}
		this.left--;
		return true;
	}

	/**
	 * Spend a retry on a peer that has no receive posted.
	 * @return whether there was one
	 */
	boolean takeRnr() {
		if (this.rnrCount == FOREVER) {
			return true;
		}
		if (this.rnrLeft == 0) {
			return false;
		}
		this.rnrLeft--;
		return true;
	}

}
