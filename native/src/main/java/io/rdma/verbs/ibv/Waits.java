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

package io.rdma.verbs.ibv;

import java.time.Duration;

/**
 * Time limits in the units of the calls that keep them.
 */
final class Waits {

	private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

	private Waits() {
	}

	/**
	 * Return a time limit in nanoseconds.
	 * @param timeout the limit
	 * @return from 0 to half of the largest {@code long}
	 */
	static long nanos(Duration timeout) {
		if (timeout.isNegative()) {
			return 0;
		}
		return ((timeout.compareTo(LONGEST) > 0) ? LONGEST : timeout).toNanos();
	}

}
