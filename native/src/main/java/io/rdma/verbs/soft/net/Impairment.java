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
 * Something between the device and its socket that loses, doubles, reorders or corrupts
 * packets on their way out. It is for tests. Thread-safe.
 */
@FunctionalInterface
public interface Impairment {

	/**
	 * Put this in front of a socket.
	 * @param port the socket
	 * @return what to use in its place; closing it closes the socket
	 */
	DatagramPort apply(DatagramPort port);

	/**
	 * Return what leaves all packets alone.
	 * @return the impairment
	 */
	static Impairment none() {
		return (port) -> port;
	}

	/**
	 * Return what impairs packets at random, each independently. A packet that is
	 * overtaken leaves after one to eight later ones, or after a few milliseconds if
	 * there are none. One that is corrupted has one bit changed.
	 * @param seed the seed; the same seed and the same packets in the same order have the
	 * same fate
	 * @param loss the probability that a packet is lost, from 0 to 1
	 * @param duplication the probability that it is sent twice
	 * @param reordering the probability that later ones overtake it
	 * @param corruption the probability that it is corrupted
	 * @return the impairment
	 * @throws IllegalArgumentException if a probability or the sum of all is not in the
	 * range from 0 to 1
	 */
	static Impairment random(long seed, double loss, double duplication, double reordering, double corruption) {
		return new RandomImpairment(seed, loss, duplication, reordering, corruption);
	}

}
