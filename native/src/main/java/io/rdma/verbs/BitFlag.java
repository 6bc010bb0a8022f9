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

package io.rdma.verbs;

import java.util.Collection;

/**
 * A constant that stands for one bit of a mask in the C interface.
 */
public interface BitFlag {

	/**
	 * Return the bit.
	 * @return a value with exactly one bit set
	 */
	int bit();

	/**
	 * Return whether a mask has this bit.
	 * @param mask the mask
	 * @return whether the bit is set
	 */
	default boolean isIn(int mask) {
		return (mask & bit()) != 0;
	}

	/**
	 * Return the mask that has the bits of all given flags.
	 * @param flags the flags
	 * @return the mask
	 */
	static int mask(Collection<? extends BitFlag> flags) {
		int mask = 0;
		for (BitFlag flag : flags) {
			mask |= flag.bit();
		}
		return mask;
	}

}
