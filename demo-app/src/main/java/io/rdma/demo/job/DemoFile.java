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

/**
 * Checks the file to move.
 */
final class DemoFile {

	private DemoFile() {
	}

	/**
	 * Return the size of the file to move.
	 * @param file the file
	 * @return its size in bytes, above 0
	 * @throws DemoFileException if it cannot be read or is empty
	 * @throws IOException if its size cannot be found
	 */
	static long size(Path file) throws IOException {
		if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
			throw new DemoFileException("The file '" + file + "' does not exist or cannot be read.");
		}
		long size = Files.size(file);
		if (size == 0) {
			throw new DemoFileException("The file '" + file + "' is empty.");
		}
		return size;
	}

}
