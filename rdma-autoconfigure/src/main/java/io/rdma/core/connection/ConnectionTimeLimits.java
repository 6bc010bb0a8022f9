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

import java.time.Duration;

import io.rdma.core.exception.RdmaTimeoutException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Lets operations end whose time is over, and the connection if the device does not let
 * go of their memory. Thread-safe.
 */
@RequiredArgsConstructor
final class ConnectionTimeLimits {

	private final RdmaConnection connection;

	private final ConnectionLife life;

	private final SendTable table;

	private final CreditReturn creditReturn;

	private final Duration drainTimeout;

	void tick(long now) {
		if (this.life.state().isFinal()) {
			return;
		}
		long drainNanos = this.drainTimeout.toNanos();
		if (this.creditReturn.underWayFor(now) >= 2 * drainNanos) {
			this.life.fail(new RdmaTimeoutException(this.connection.context("flow control"),
					"the return of credits did not complete",
					"Check the health of the peer and of the network. " + ConnectionLife.RETRY));
			return;
		}
		if (!this.table.isIdle()) {
			this.table.forEachInUse((slot) -> tick(slot.operation(), now, drainNanos));
		}
	}

	private void tick(@Nullable Operation operation, long now, long drainNanos) {
		if (operation == null) {
			return;
		}
		if (!operation.isDone()) {
			if (now - operation.deadlineNanos() >= 0) {
				this.connection.expire(operation, now);
			}
		}
		else if (operation.isHeld() && now - operation.expiredNanos() >= drainNanos) {
			this.life.fail(new RdmaTimeoutException(this.connection.context(operation.kind().name()),
					"the device did not complete an operation within " + this.drainTimeout.toMillis()
							+ " ms after it timed out",
					"The queue pair is put into the ERR state to get its memory back. " + ConnectionLife.RETRY));
		}
	}

	/**
	 * Return for how long memory is held back by operations that timed out.
	 * @param now the time
	 * @return the longest time in nanoseconds, -1 if none is
	 */
	long longestHeld(long now) {
		long[] longest = { -1 };
		this.table.forEachInUse((slot) -> {
			Operation operation = slot.operation();
			if (operation != null && operation.isHeld()) {
				longest[0] = Math.max(longest[0], now - operation.expiredNanos());
			}
		});
		return longest[0];
	}

}
