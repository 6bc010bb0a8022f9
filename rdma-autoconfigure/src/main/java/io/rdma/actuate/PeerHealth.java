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

package io.rdma.actuate;

import java.time.Duration;
import java.time.Instant;

import io.rdma.core.connection.ConnectionState;
import io.rdma.core.connection.PeerStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.Status;

/**
 * What the state of a peer means for health.
 */
final class PeerHealth {

	private PeerHealth() {
	}

	/**
	 * Return the status of a peer on its own.
	 * @param peer how it stands with the peer
	 * @param runningSince since when connections are made, {@code null} if they are not
	 * @param startupGrace how long after that a required peer need not be READY yet
	 * @param now the time
	 * @return UP if it can be used, OUT_OF_SERVICE if the service must not do without it,
	 * else UNKNOWN
	 */
	static Status of(PeerStatus peer, @Nullable Instant runningSince, Duration startupGrace, Instant now) {
		if (peer.state() == ConnectionState.READY) {
			return Status.UP;
		}
		if (peer.required() && (peer.wasReady() || !isEarly(runningSince, startupGrace, now))) {
			return Status.OUT_OF_SERVICE;
		}
		return Status.UNKNOWN;
	}

	private static boolean isEarly(@Nullable Instant runningSince, Duration startupGrace, Instant now) {
		return runningSince == null || now.isBefore(runningSince.plus(startupGrace));
	}

}
