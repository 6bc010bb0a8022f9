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
