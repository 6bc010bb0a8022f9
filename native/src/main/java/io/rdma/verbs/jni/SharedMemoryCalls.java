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

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Files that exist in memory only, by their descriptors. Thread-safe.
 */
public final class SharedMemoryCalls {

	private SharedMemoryCalls() {
	}

	/**
	 * Return why there are none. The native library is loaded for that.
	 * @return the reason, {@code null} if there are
	 */
	public static @Nullable NativeLibraryException unavailabilityCause() {
		return new NativeLibraryException("");
	}

	/**
	 * Create a file of zeros whose length nobody can change: it is sealed against
	 * shrinking, growing and other seals. It has no name; this process finds it as
	 * {@code /proc/self/fd/N} and another of the same user as {@code /proc/PID/fd/N}. It
	 * lives until its descriptor is closed and nobody has it open or mapped.
	 * @param length its length in bytes, at least 1
	 * @return its descriptor, which children do not inherit and which the caller closes
	 * @throws IOException if it cannot be created; the message says what the system
	 * refused
	 * @throws NativeLibraryException if the native library cannot be used
	 */
	public static int createMemoryFile(long length) throws IOException {
		throw new IOException("A file of " + length + " bytes cannot be created");
	}

	/**
	 * Close a descriptor.
	 * @param descriptor what {@link #createMemoryFile} returned, not closed before
	 * @throws IOException if it was not open
	 */
	public static void close(int descriptor) throws IOException {
		throw new IOException("There is no " + descriptor);
	}

}
