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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.junit.jupiter.api.Assumptions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A small file system in memory.
 */
final class TemporaryFileSystem implements AutoCloseable {

	private final Path directory;

	private TemporaryFileSystem(Path directory) {
		this.directory = directory;
	}

	/**
	 * Mount a file system, or abort the test if that takes rights that this process does
	 * not have.
	 * @param directory where
	 * @param megabytes its size
	 * @return the file system
	 */
	static TemporaryFileSystem mount(Path directory, int megabytes) throws IOException, InterruptedException {
		Process mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs",
				directory.toString())
			.redirectErrorStream(true)
			.start();
		String output = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		Assumptions.assumeTrue(mount.waitFor() == 0, () -> "A file system can be mounted: " + output);
		return new TemporaryFileSystem(directory);
	}

	/**
	 * Unmount it. What is still mapped stays until it is not.
	 */
	@Override
	public void close() throws IOException, InterruptedException {
		Process unmount = new ProcessBuilder("umount", "--lazy", this.directory.toString()).inheritIO().start();
		assertThat(unmount.waitFor()).isZero();
	}

}
