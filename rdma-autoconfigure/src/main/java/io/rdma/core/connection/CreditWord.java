package io.rdma.core.connection;

import java.nio.ByteOrder;

/**
 * The 8 bytes by which a peer is told how many receives were posted since the start, modulo
 * 2^32: the number in the upper half, its complement in the lower, so that a word that is
 * read while it is written, or was never written, is recognized. Big-endian in memory.
 */
final class CreditWord {

	static final int BYTES = Long.BYTES;

	private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

	private CreditWord() {
	}

	/**
	 * Return the word of a number.
	 * @param count the number
	 * @return the word in the byte order of the machine
	 */
	static long encode(int count) {
		long word = ((long) count << Integer.SIZE) | Integer.toUnsignedLong(~count);
		return LITTLE_ENDIAN ? Long.reverseBytes(word) : word;
	}

	static boolean isValid(long memory) {
		long word = LITTLE_ENDIAN ? Long.reverseBytes(memory) : memory;
		return (int) (word >>> Integer.SIZE) == ~(int) word;
	}

	static int count(long memory) {
		return (int) ((LITTLE_ENDIAN ? Long.reverseBytes(memory) : memory) >>> Integer.SIZE);
	}

}
