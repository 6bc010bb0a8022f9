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

package io.rdma.demo.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * Finds the file to move.
 */
final class DemoFile {

	private DemoFile() {
	}

	/**
	 * Return the file to move.
	 * @param named the file that the user named
	 * @return that file, or the largest that every JDK has
	 * @throws DemoFileException if it cannot be read or is empty
	 * @throws IOException if its size cannot be found
	 */
	static Path find(@Nullable Path named) throws IOException {
		boolean chosen = named != null && !named.toString().isEmpty();
		Path file = chosen ? named : Path.of(System.getProperty("java.home"), "lib", "modules");
		if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
			throw new DemoFileException(chosen ? "The file '" + file + "' does not exist or cannot be read."
					: "This Java runtime has no file '" + file + "', which the demo moves unless another is named.");
		}
		if (Files.size(file) == 0) {
			throw new DemoFileException("The file '" + file + "' is empty.");
		}
		return file;
	}

}
