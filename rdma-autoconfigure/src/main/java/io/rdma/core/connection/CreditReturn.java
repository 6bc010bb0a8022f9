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

import java.util.concurrent.atomic.AtomicBoolean;

import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Tells the peer of receives that were posted again: in the headers of what is sent
 * anyway, or by a write into its word when a quarter of them are not known to it or it
 * may be out of credits. One write is under way at most. Thread-safe.
 */
@RequiredArgsConstructor
final class CreditReturn {

	private static final String OPERATION = "flow control";

	private final ConnectionLife life;

	private final ReceiveWindow window;

	private final SendQueue sendQueue;

	private final SendSlot slot;

	private final AtomicBoolean underWay = new AtomicBoolean();

	private volatile @Nullable Parameters target;

	private volatile int advertised;

	private volatile long since;

	/**
	 * Start to tell.
	 * @param parameters where to
	 */
	void start(Parameters parameters) {
		this.target = parameters;
		tell();
	}

	/**
	 * Note that the peer is being told how many receives were posted.
	 * @param posted the number
	 */
	void told(int posted) {
		if (posted - this.advertised > 0) {
			this.advertised = posted;
		}
	}

	/**
	 * Tell the peer if it is time. Never waits.
	 */
	void tell() {
		Parameters parameters = this.target;
		if (parameters == null || this.life.hasFarewell()) {
			// not yet, or the peer sends nothing more
			return;
		}
		while (isDue() && !this.life.state().isFinal() && this.underWay.compareAndSet(false, true)) {
			if (!post(parameters)) {
				return;
			}
		}
	}

	private boolean isDue() {
		int quarter = Math.max(1, this.window.depth() / 4);
		int untold = this.window.posted() - this.advertised;
		int left = this.advertised - this.window.received();
		return untold >= quarter || (untold > 0 && left <= quarter);
	}

	private boolean post(Parameters parameters) {
		int generation = this.slot.take(null);
		this.since = System.nanoTime();
		try {
			int posted = this.window.posted();
			this.sendQueue.postCredit(parameters.creditWordAddress(), parameters.creditWordKey(), this.slot, generation,
					posted);
			told(posted);
			return true;
		}
		catch (RuntimeException ex) {
			if (this.slot.end(generation)) {
				this.underWay.set(false);
			}
			this.life.fail(OPERATION, "credits could not be returned to the peer", ex);
			return false;
		}
	}

	/**
	 * Take note that the write ended.
	 */
	void completed() {
		this.underWay.set(false);
	}

	boolean isUnderWay() {
		return SendSlot.isInUse(this.slot.generation());
	}

	/**
	 * Return for how long a write is under way.
	 * @param now the time
	 * @return the time in nanoseconds, 0 if none is
	 */
	long underWayFor(long now) {
		return isUnderWay() ? now - this.since : 0;
	}

}
