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

import io.rdma.verbs.jni.NativeLibraryException;
import io.rdma.verbs.jni.SharedLibrary;
import org.jspecify.annotations.Nullable;

/**
 * What of the native library needs libibverbs: bound once, on first use.
 */
final class NativeLibrary {

	private static boolean tried;

	private static @Nullable NativeLibraryException failure;

	private NativeLibrary() {
	}

	/**
	 * Load the library and open libibverbs, if that was not tried before.
	 * @param settings where they are
	 * @return why they cannot be used, {@code null} if they can
	 */
	@SuppressWarnings("StaticAssignmentOfThrowable")
	static synchronized @Nullable NativeLibraryException load(NativeSettings settings) {
		if (!tried) {
			failure = tryToLoad(settings);
			tried = true;
		}
		return failure;
	}

	private static @Nullable NativeLibraryException tryToLoad(NativeSettings settings) {
		NativeLibraryException cause = SharedLibrary.load(settings.librarySettings());
		if (cause != null) {
			return cause;
		}
		try {
			SharedLibrary.bindVerbs(Native.class);
			openLibibverbs(settings.libibverbs());
			return null;
		}
		catch (NativeLibraryException ex) {
			return ex;
		}
		catch (LinkageError | RuntimeException ex) {
			return new NativeLibraryException("The native library cannot be used: " + ex, ex);
		}
	}

	private static void openLibibverbs(String name) {
		String refusal = Native.openLibrary(name);
		if (refusal != null) {
			throw new NativeLibraryException("libibverbs cannot be opened (" + refusal
					+ "); install it with the providers of the devices, on Debian and Ubuntu: apt-get install "
					+ "libibverbs1 ibverbs-providers, on Fedora and Red Hat: dnf install libibverbs rdma-core, "
					+ "or give its path as system property " + NativeSettings.LIBIBVERBS_PROPERTY);
		}
	}

}
