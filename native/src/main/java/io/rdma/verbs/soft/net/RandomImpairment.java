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
package io.rdma.verbs.soft.net;

import java.util.SplittableRandom;

/**
 * The impairment of {@link Impairment#random}: what it decides. Each port has its own
 * random numbers, made from the seed in the order of ports.
 */
final class RandomImpairment implements Impairment {

	private final double[] limits;

	private final SplittableRandom seeds;

	RandomImpairment(long seed, double loss, double duplication, double reordering, double corruption) {
		this.seeds = new SplittableRandom(seed);
		this.limits = new double[] { loss, duplication, reordering, corruption };
		double sum = 0;
		for (int i = 0; i < this.limits.length; i++) {
			if (!(this.limits[i] >= 0 && this.limits[i] <= 1)) {
				throw new IllegalArgumentException("A probability is from 0 to 1, and not " + this.limits[i]);
			}
			sum += this.limits[i];
			this.limits[i] = sum;
		}
		if (sum > 1) {
			throw new IllegalArgumentException(
					"The probabilities of what happens to a packet are " + sum + " together, but can be 1 at most");
		}
	}

	@Override
	public synchronized DatagramPort apply(DatagramPort port) {
		return new ImpairedDatagramPort(port, this, this.seeds.split());
	}

	/**
	 * Return what happens to a packet.
	 * @param random where the decision comes from
	 * @return the fate
	 */
	Fate next(SplittableRandom random) {
		double value = random.nextDouble();
		for (int i = 0; i < this.limits.length; i++) {
			if (value < this.limits[i]) {
				return Fate.IMPAIRED[i];
			}
		}
		return Fate.SENT;
	}

	/**
	 * What can happen to a packet.
	 */
	enum Fate {

		/** It never leaves. */
		LOST,

		/** It leaves twice. */
		DOUBLED,

		/** It leaves after others that were sent later. */
		OVERTAKEN,

		/** It leaves with one bit changed. */
		CORRUPTED,

		/** It leaves as it is. */
		SENT;

		private static final Fate[] IMPAIRED = { LOST, DOUBLED, OVERTAKEN, CORRUPTED };

	}

}
