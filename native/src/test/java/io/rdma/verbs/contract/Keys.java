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
