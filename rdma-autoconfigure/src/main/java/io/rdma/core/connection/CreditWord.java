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

import java.nio.ByteOrder;

/**
 * The 8 bytes by which a peer is told how many receives were posted since the start,
 * modulo 2^32: the number in the upper half, its complement in the lower, so that a word
 * that is read while it is written, or was never written, is recognized. Big-endian in
 * memory.
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
