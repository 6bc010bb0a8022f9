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
