package io.rdma.verbs.contract;

/**
 * Makes keys that name nothing.
 */
final class Keys {

	private Keys() {
	}

	/**
	 * Return a key that differs from a known one in all parts.
	 * @param key the known key
	 * @return a key that was never given out
	 */
	static int unknown(int key) {
		return key ^ 0x5a5a_5a5a;
	}

	/**
	 * Return a key that differs from a known one in its low byte only, which is the part
	 * that changes when a region or window is made anew.
	 * @param key the known key
	 * @return a key that was never given out
	 */
	static int stale(int key) {
		return key ^ 1;
	}

}
