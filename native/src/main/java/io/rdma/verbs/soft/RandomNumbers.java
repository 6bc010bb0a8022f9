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

import java.security.SecureRandom;

/**
 * Numbers that nobody can guess: a key or a queue pair number that could be guessed would
 * let a stranger write into memory.
 */
final class RandomNumbers {

	private static final SecureRandom RANDOM = new SecureRandom();

	/** The smallest number of a queue pair; those below are for management. */
	private static final int MIN_QP_NUMBER = 16;

	/** One above the largest: the last 24-bit number means multicast. */
	private static final int QP_NUMBER_BOUND = 0xff_ffff;

	private static final int PAGE_SHIFT = 12;

	private RandomNumbers() {
	}

	static int qpNumber() {
		return MIN_QP_NUMBER + RANDOM.nextInt(QP_NUMBER_BOUND - MIN_QP_NUMBER);
	}

	/**
	 * Return a key for memory.
	 * @return any number but 0, which commonly means no key
	 */
	static int key() {
		int key = RANDOM.nextInt();
		while (key == 0) {
			key = RANDOM.nextInt();
		}
		return key;
	}

	/**
	 * Return a GUID in the form of an EUI-64 that its owner made up.
	 * @return the GUID as a big-endian number
	 */
	static long guid() {
		return (RANDOM.nextLong() & ~(0x03L << 56)) | (0x02L << 56);
	}

	/**
	 * Return where a space of invented addresses starts: at a page, in the lower half of
	 * the positive range so that there is room above.
	 * @return the address
	 */
	static long addressBase() {
		return ((RANDOM.nextLong() & 0x0fff_ffff_ffffL) << PAGE_SHIFT) | (1L << 56);
	}

}
