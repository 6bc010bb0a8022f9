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

import org.jspecify.annotations.Nullable;

/**
 * The native library of this class loader: loaded once, on first use. It does not need
 * libibverbs. Thread-safe.
 */
public final class SharedLibrary {

	private static boolean tried;

	private static @Nullable LibrarySettings preferred;

	private static @Nullable NativeLibraryException failure;

	private SharedLibrary() {
	}

	/**
	 * Set where the library is if nobody says so when it is loaded. This does nothing
	 * once that was tried.
	 * @param settings where it is
	 */
	public static synchronized void prefer(LibrarySettings settings) {
		preferred = settings;
	}

	/**
	 * Load the library and bind the system calls, if that was not tried before.
	 * @param settings where it is
	 * @return why it cannot be used, {@code null} if it can
	 */
	@SuppressWarnings("StaticAssignmentOfThrowable")
	public static synchronized @Nullable NativeLibraryException load(LibrarySettings settings) {
		if (!tried) {
			failure = tryToLoad(settings);
			tried = true;
		}
		return failure;
	}

	/**
	 * Load the library, if that was not tried before, with the settings that are
	 * {@linkplain #prefer preferred} or else what the system properties say.
	 * @return why it cannot be used, {@code null} if it can
	 */
	public static synchronized @Nullable NativeLibraryException load() {
		return load((preferred != null) ? preferred : LibrarySettings.fromSystemProperties());
	}

	/**
	 * Make sure that the library is loaded.
	 * @throws NativeLibraryException if it cannot be used
	 */
	static void require() {
		NativeLibraryException cause = load();
		if (cause != null) {
			throw cause;
		}
	}

	private static @Nullable NativeLibraryException tryToLoad(LibrarySettings settings) {
		try {
			new LibraryLoader(Machine.current(), settings).load();
			return null;
		}
		catch (NativeLibraryException ex) {
			return ex;
		}
		catch (LinkageError | RuntimeException ex) {
			return new NativeLibraryException("The native library cannot be used: " + ex, ex);
		}
	}

	/**
	 * Bind the functions that need libibverbs. The library must have been
	 * {@linkplain #load loaded}.
	 * @param type the class that has them as native methods
	 * @throws LinkageError if it does not have all of them, since it is of another
	 * release
	 */
	public static void bindVerbs(Class<?> type) {
		LibraryCalls.bindVerbs(type);
	}

}
