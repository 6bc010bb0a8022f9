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

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * Where the native library of this module is. The first settings with which it is loaded
 * hold for all of the process.
 *
 * @param library the library, {@code null} to look for {@code librdma_verbs.so} in
 * {@code java.library.path} and then to take the one in the jar
 * @param directory where the library in the jar is written to before it is loaded,
 * {@code null} for the directory of temporary files
 */
public record LibrarySettings(@Nullable Path library, @Nullable Path directory) {

	/** System property with the path of the native library. */
	public static final String LIBRARY_PROPERTY = "rdma.native.library-path";

	/** System property with the directory to write the library in the jar to. */
	public static final String DIRECTORY_PROPERTY = "rdma.native.work-directory";

	/**
	 * Return what the system properties say, and the defaults for the rest.
	 * @return the settings
	 */
	public static LibrarySettings fromSystemProperties() {
		return new LibrarySettings(path(LIBRARY_PROPERTY), path(DIRECTORY_PROPERTY));
	}

	private static @Nullable Path path(String property) {
		String value = System.getProperty(property, "");
		return value.isEmpty() ? null : Path.of(value);
	}

}
