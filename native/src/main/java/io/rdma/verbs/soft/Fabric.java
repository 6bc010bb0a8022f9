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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * All queue pairs of this JVM by their numbers, which are unique in it. Thread-safe.
 */
final class Fabric {

	private static final Map<Integer, SoftQueuePair> QUEUE_PAIRS = new ConcurrentHashMap<>();

	private Fabric() {
	}

	/**
	 * Make a queue pair known.
	 * @param queuePair the queue pair
	 * @return the number it has from now on
	 */
	static int add(SoftQueuePair queuePair) {
		int number = RandomNumbers.qpNumber();
		while (QUEUE_PAIRS.putIfAbsent(number, queuePair) != null) {
			number = RandomNumbers.qpNumber();
		}
		return number;
	}

	static void remove(int number, SoftQueuePair queuePair) {
		QUEUE_PAIRS.remove(number, queuePair);
	}

	static @Nullable SoftQueuePair find(int number) {
		return QUEUE_PAIRS.get(number);
	}

}
