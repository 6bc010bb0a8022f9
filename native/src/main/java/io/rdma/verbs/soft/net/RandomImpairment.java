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

/**
 * The impairment of {@link Impairment#random}.
 *
 * @param seed the seed
 * @param loss the probability of loss
 * @param duplication the probability of duplication
 * @param reordering the probability of reordering
 * @param corruption the probability of corruption
 */
record RandomImpairment(long seed, double loss, double duplication, double reordering,
		double corruption) implements Impairment {

	@Override
	public DatagramPort apply(DatagramPort port) {
		return port;
	}

}
