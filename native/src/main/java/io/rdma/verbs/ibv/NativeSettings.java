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

import java.nio.file.Path;

import io.rdma.verbs.jni.LibrarySettings;
import org.jspecify.annotations.Nullable;

/**
 * Where the native libraries are. The first settings with which they are loaded hold for
 * all of the process.
 *
 * @param library the native library of this module, {@code null} to look for
 * {@code librdma_verbs.so} in {@code java.library.path} and then to take the one in the
 * jar
 * @param directory where the library in the jar is written to before it is loaded,
 * {@code null} for the directory of temporary files
 * @param libibverbs the name or path of libibverbs
 */
public record NativeSettings(@Nullable Path library, @Nullable Path directory, String libibverbs) {

	/** System property with the path of the native library. */
	public static final String LIBRARY_PROPERTY = LibrarySettings.LIBRARY_PROPERTY;

	/** System property with the directory to write the library in the jar to. */
	public static final String DIRECTORY_PROPERTY = LibrarySettings.DIRECTORY_PROPERTY;

	/** System property with the name or path of libibverbs. */
	public static final String LIBIBVERBS_PROPERTY = "rdma.native.libibverbs";

	private static final String LIBIBVERBS = "libibverbs.so.1";

	/**
	 * Return what the system properties say, and the defaults for the rest.
	 * @return the settings
	 */
	public static NativeSettings fromSystemProperties() {
		LibrarySettings settings = LibrarySettings.fromSystemProperties();
		return new NativeSettings(settings.library(), settings.directory(),
				System.getProperty(LIBIBVERBS_PROPERTY, LIBIBVERBS));
	}

	LibrarySettings librarySettings() {
		return new LibrarySettings(this.library, this.directory);
	}

}
