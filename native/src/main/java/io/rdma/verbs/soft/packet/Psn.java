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

package io.rdma.verbs.soft.packet;

/**
 * Arithmetic on packet sequence numbers: 24 bits, and after the highest comes zero. The
 * message sequence number of an acknowledgement follows the same rules.
 */
public final class Psn {

	/** How many bits a number has. */
	public static final int BITS = 24;

	/** The bits that a number has, and the highest number. */
	public static final int MASK = (1 << BITS) - 1;

	private static final int UNUSED_BITS = Integer.SIZE - BITS;

	private Psn() {
	}

	/**
	 * Return the number that follows another.
	 * @param psn the number
	 * @return the next one
	 */
	public static int next(int psn) {
		return (psn + 1) & MASK;
	}

	/**
	 * Return the number that is some packets further.
	 * @param psn the number
	 * @param packets how many packets, negative to go back
	 * @return the number there
	 */
	public static int add(int psn, int packets) {
		return (psn + packets) & MASK;
	}

	/**
	 * Return how far one number is ahead of another, by the shorter way round.
	 * @param a the one number
	 * @param b the other number
	 * @return from -2^23 to 2^23-1: negative if {@code a} is behind {@code b}, zero if
	 * they are equal
	 */
	public static int difference(int a, int b) {
		return ((a - b) << UNUSED_BITS) >> UNUSED_BITS;
	}

	/**
	 * Return how many packets a message is cut into, and so how many numbers it takes.
	 * @param length how many bytes it has, at most 2^31
	 * @param mtuShift the largest payload of a packet, as a power of two from 8 to 12
	 * @return at least 1
	 */
	public static int packets(long length, int mtuShift) {
		return (int) Math.max(1, (length + (1L << mtuShift) - 1) >>> mtuShift);
	}

}
