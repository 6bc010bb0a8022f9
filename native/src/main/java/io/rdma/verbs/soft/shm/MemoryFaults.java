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

package io.rdma.verbs.soft.shm;

/**
 * What happens when somebody truncates a file that is mapped here. The processor cannot
 * reach the memory any more, and the JVM makes an {@link InternalError} of that, but not
 * always at once: compiled code goes on, and the error comes with the next call into the
 * runtime of the JVM. Files that exist in memory only are sealed, and none of this
 * concerns them.
 */
public final class MemoryFaults {

	/** One, as far as the compiler does not know. */
	private static volatile int one = 1;

	/** Keeps the compiler from leaving out what nobody looks at. */
	@SuppressWarnings("UnusedVariable") // it is there to be written
	private static volatile Object last = new Object();

	private MemoryFaults() {
	}

	/**
	 * Have an error come now, if one is to come for an access of this thread before this
	 * call. An array of arrays of a length that is not known is the plainest thing for
	 * which every compiler of the JVM calls the runtime.
	 * @throws InternalError if memory could not be reached
	 */
	public static void settle() {
		last = new byte[one][one];
	}

}
