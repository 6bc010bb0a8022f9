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

import java.util.SplittableRandom;

import io.rdma.verbs.PathMtu;
import org.jspecify.annotations.Nullable;

/**
 * What one end of {@link MixedTraffic} asks for, one step after the other. The other end
 * has the same plan, and knows by it what must come.
 */
final class TrafficPlan {

	/** The longest message. */
	static final int MAX_LENGTH = 1 << 16;

	/** How far a message can be from the start of its place. */
	static final int MAX_SHIFT = 63;

	/** How many bytes of the pattern a message can start at. */
	static final int PATTERN_STARTS = 1 << 16;

	private static final int MAX_INLINE = 64;

	private static final int SHORT = 256;

	private final SplittableRandom random;

	private final int[] boundaries;

	private long bytesLeft;

	private long steps;

	private long messages;

	/**
	 * Create a plan.
	 * @param seed the seed, by which plans differ
	 * @param mtu the path MTU, around which many lengths are
	 * @param bytes how many bytes are moved at least
	 */
	TrafficPlan(long seed, PathMtu mtu, long bytes) {
		this.random = new SplittableRandom(seed);
		this.boundaries = new int[] { 0, 1, mtu.bytes() - 1, mtu.bytes(), mtu.bytes() + 1, 3 * mtu.bytes() };
		this.bytesLeft = bytes;
	}

	/**
	 * Return the next step.
	 * @return the step, {@code null} after the last one
	 */
	@Nullable Step next() {
		if (this.bytesLeft <= 0) {
			return null;
		}
		Kind kind = Kind.VALUES[this.random.nextInt(Kind.VALUES.length)];
		int length = kind.isAtomic() ? Long.BYTES : length();
		int split = (length > 1 && !kind.isAtomic() && this.random.nextInt(4) == 0)
				? 1 + this.random.nextInt(length - 1) : length;
		boolean inlined = kind.isMessage() && length <= MAX_INLINE && this.random.nextBoolean();
		Step step = new Step(kind, this.steps, kind.isMessage() ? this.messages : -1, length, split,
				kind.isAtomic() ? 0 : this.random.nextInt(MAX_SHIFT + 1), this.random.nextInt(PATTERN_STARTS),
				this.random.nextInt(8) == 0, inlined);
		this.steps++;
		this.messages += kind.isMessage() ? 1 : 0;
		this.bytesLeft -= step.bytes();
		return step;
	}

	private int length() {
		return switch (this.random.nextInt(4)) {
			case 0 -> this.boundaries[this.random.nextInt(this.boundaries.length)];
			case 1 -> this.random.nextInt(SHORT);
			default -> this.random.nextInt(MAX_LENGTH + 1);
		};
	}

	/**
	 * What a step does.
	 */
	enum Kind {

		/** A WRITE, and a READ of what was written. */
		WRITE_AND_READ,

		/** A SEND. */
		SEND,

		/** A SEND with immediate data. */
		SEND_WITH_IMMEDIATE,

		/** A WRITE with immediate data. */
		WRITE_WITH_IMMEDIATE,

		/** The addition of 1. */
		FETCH_AND_ADD,

		/** The swap of a number for the next one. */
		COMPARE_AND_SWAP;

		private static final Kind[] VALUES = { WRITE_AND_READ, WRITE_AND_READ, SEND, SEND_WITH_IMMEDIATE,
				WRITE_WITH_IMMEDIATE, FETCH_AND_ADD, COMPARE_AND_SWAP };

		boolean isAtomic() {
			return this == FETCH_AND_ADD || this == COMPARE_AND_SWAP;
		}

		/** Whether the other end is told by a completion. */
		boolean isMessage() {
			return this == SEND || this == SEND_WITH_IMMEDIATE || this == WRITE_WITH_IMMEDIATE;
		}

	}

	/**
	 * One step.
	 *
	 * @param kind what it does
	 * @param number its number, from 0
	 * @param message its number among those that the other end is told of, or -1
	 * @param length how many bytes it moves
	 * @param split how many of them are in the first of two local pieces, all if there is
	 * only one
	 * @param shift how far from the start of its place it is
	 * @param start where in the pattern its bytes are
	 * @param fenced whether it waits for READ and atomic operations before it
	 * @param inlined whether it is copied as it is posted
	 */
	record Step(Kind kind, long number, long message, int length, int split, int shift, int start, boolean fenced,
			boolean inlined) {

		/** What goes over the wire for it. */
		long bytes() {
			return (this.kind == Kind.WRITE_AND_READ) ? 2L * this.length : this.length;
		}

		/** The immediate data. */
		int immediate() {
			return (int) (this.number * 0x9e37_79b9L);
		}

	}

}
