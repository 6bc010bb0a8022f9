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
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The shared files that this process has mapped.
 */
final class MappedFiles {

	private static final int INODE = 4;

	private MappedFiles() {
	}

	/**
	 * Return which files are mapped with all of a large region.
	 * @return their inode numbers
	 */
	static Set<String> inodes() throws IOException {
		return inodes(ProcessEnd.MEMORY);
	}

	/**
	 * Return which files are mapped.
	 * @param minimum how many bytes of a file are mapped at least
	 * @return their inode numbers
	 */
	static Set<String> inodes(long minimum) throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
			return lines.filter((line) -> line.contains("/memfd:rdma") || line.contains("/memory-"))
				.map((line) -> line.split(" +"))
				.filter((words) -> size(words[0]) >= minimum)
				.map((words) -> words[INODE])
				.collect(Collectors.toCollection(TreeSet::new));
		}
	}

	private static long size(String range) {
		String[] ends = range.split("-");
		return Long.parseUnsignedLong(ends[1], 16) - Long.parseUnsignedLong(ends[0], 16);
	}

}
