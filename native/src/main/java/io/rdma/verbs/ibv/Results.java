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

package io.rdma.verbs.ibv;

import io.rdma.verbs.Errno;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsException;

/**
 * Makes exceptions of what native functions return.
 */
final class Results {

	private Results() {
	}

	/**
	 * Check what a verb returned.
	 * @param returned a pointer, a count, 0, or a negative error number
	 * @param verb the name of the verb
	 * @param detail what was wrong, as a sentence
	 * @return what was returned
	 * @throws VerbsException if it is an error number
	 */
	static long check(long returned, String verb, String detail) {
		if (returned < 0) {
			throw failure(returned, verb, detail);
		}
		return returned;
	}

	/**
	 * Check what a verb on a handle returned that could have been closed.
	 * @param returned a count, 0, or a negative error number
	 * @param verb the name of the verb
	 * @param resource what the handle is of
	 * @throws ResourceClosedException if the handle was closed
	 * @throws VerbsException if it is another error number
	 */
	static void checkUse(int returned, String verb, Object resource) {
		if (returned < 0) {
			throw useFailure(returned, verb, resource);
		}
	}

	static RuntimeException useFailure(long returned, String verb, Object resource) {
		if (returned == Native.CLOSED) {
			return new ResourceClosedException(resource.toString());
		}
		return failure(returned, verb, "The device refused this of the " + resource);
	}

	static VerbsException failure(long returned, String verb, String detail) {
		Errno errno = Errno.of((int) -returned);
		String unknown = (errno == Errno.UNKNOWN) ? " with error number " + -returned : "";
		return new VerbsException(verb, errno, detail + unknown);
	}

}
