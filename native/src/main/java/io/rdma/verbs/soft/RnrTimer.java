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

import java.util.concurrent.TimeUnit;

/**
 * The times that the 5-bit code of a receiver-not-ready answer stands for.
 */
final class RnrTimer {

	/** The bits of a code. */
	static final int MASK = 31;

	private static final int[] MICROSECONDS = { 655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960,
			1280, 1920, 2560, 3840, 5120, 7680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880,
			163_840, 245_760, 327_680, 491_520 };

	private RnrTimer() {
	}

	static long nanos(int code) {
		return TimeUnit.MICROSECONDS.toNanos(MICROSECONDS[code]);
	}

}
