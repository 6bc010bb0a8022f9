package io.rdma.verbs.soft;

import java.util.concurrent.TimeUnit;

/**
 * The times that the 5-bit code of a receiver-not-ready answer stands for.
 */
final class RnrTimer {

	private static final int[] MICROSECONDS = { 655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960,
			1280, 1920, 2560, 3840, 5120, 7680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880,
			163_840, 245_760, 327_680, 491_520 };

	private RnrTimer() {
	}

	static long nanos(int code) {
		return TimeUnit.MICROSECONDS.toNanos(MICROSECONDS[code]);
	}

}
