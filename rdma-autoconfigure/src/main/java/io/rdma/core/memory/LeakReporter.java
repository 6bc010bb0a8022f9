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

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Tells of buffers that were dropped without being released: each place in the code once
 * a minute, with the number of those that were not told of.
 */
@Slf4j
@RequiredArgsConstructor
final class LeakReporter {

	private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

	private static final int MAX_PLACES = 256;

	private static final String UNKNOWN = "";

	private final String pool;

	private final int sampling;

	private final Map<String, Reported> reported = new HashMap<>();

	void report(int capacity, @Nullable AllocationPlace place) {
		int unreported = unreported((place != null) ? place.caller() : UNKNOWN);
		if (unreported < 0) {
			return;
		}
		String others = (unreported > 0) ? " (and " + unreported + " more like it since the last report)" : "";
		if (place != null) {
			logger.warn(
					"A buffer of {} bytes from memory pool '{}' was dropped without being released{}. Its memory is "
							+ "back in the pool. Call release() or use try-with-resources. It was taken at {}",
					capacity, this.pool, others, place.caller(), place);
		}
		else {
			logger
				.warn("A buffer of {} bytes from memory pool '{}' was dropped without being released{}. Its memory is "
						+ "back in the pool. Where it was taken was not recorded: rdma.memory.leak-sampling is {}, set it "
						+ "to 1 to record all", capacity, this.pool, others, this.sampling);
		}
	}

	private synchronized int unreported(String place) {
		long now = System.nanoTime();
		Reported last = this.reported.get(place);
		if (last == null) {
			if (this.reported.size() >= MAX_PLACES) {
				this.reported.clear();
			}
			this.reported.put(place, new Reported(now));
			return 0;
		}
		if (now - last.at < INTERVAL_NANOS) {
			last.suppressed++;
			return -1;
		}
		int count = last.suppressed;
		last.at = now;
		last.suppressed = 0;
		return count;
	}

	private static final class Reported {

		private long at;

		private int suppressed;

		Reported(long at) {
			this.at = at;
		}

	}

}
