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

package io.rdma.verbs.soft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What this process has mapped.
 */
final class MappedFiles {

	private MappedFiles() {
	}

	/**
	 * Return how many bytes of large shared files are mapped.
	 * @return the number of bytes
	 */
	static long largeOnes() throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
			return lines.filter((line) -> line.contains("/memfd:rdma") || line.contains("/memory-"))
				.mapToLong(MappedFiles::size)
				.filter((size) -> size >= ProcessEnd.MEMORY)
				.sum();
		}
	}

	private static long size(String line) {
		String[] range = line.substring(0, line.indexOf(' ')).split("-");
		return Long.parseUnsignedLong(range[1], 16) - Long.parseUnsignedLong(range[0], 16);
	}

}
