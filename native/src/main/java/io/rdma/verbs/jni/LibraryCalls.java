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
package io.rdma.verbs.jni;

/**
 * The functions that the native library binds when it is loaded, so that it can be found
 * to be of this release before anything else of it is used.
 */
final class LibraryCalls {

	/** What this class expects {@link #version()} to return. */
	static final int VERSION = 3;

	private LibraryCalls() {
	}

	static native int version();

	static native int[] layout();

	/**
	 * Bind what needs Linux only.
	 * @param type the class that has the native methods
	 * @throws LinkageError if it does not have them
	 */
	static native void bindSystem(Class<?> type);

	/**
	 * Bind what needs libibverbs.
	 * @param type the class that has the native methods
	 * @throws LinkageError if it does not have them
	 */
	static native void bindVerbs(Class<?> type);

}
