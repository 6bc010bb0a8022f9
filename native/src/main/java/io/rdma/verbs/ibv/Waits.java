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
