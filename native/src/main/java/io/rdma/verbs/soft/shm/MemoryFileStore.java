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

package io.rdma.verbs.soft.shm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import io.rdma.verbs.jni.SharedMemoryCalls;
import lombok.extern.slf4j.Slf4j;

/**
 * Makes files that exist in memory only and that nobody can make shorter or longer.
 */
@Slf4j
final class MemoryFileStore implements FileStore {

	private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

	@Override
	public SharedFile create(long id, long length, SharedFiles.Use use) throws IOException {
		int descriptor = SharedMemoryCalls.createMemoryFile(FileHeader.SIZE + length);
		try {
			return new SharedFile(id, descriptor, Uninterrupted.call(() -> map(descriptor, length)),
					() -> close(descriptor));
		}
		catch (IOException | RuntimeException | Error ex) {
			close(descriptor);
			throw ex;
		}
	}

	private static FileMapping map(int descriptor, long length) throws IOException {
		try (FileChannel channel = FileChannel.open(DESCRIPTORS.resolve(Integer.toString(descriptor)),
				StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			FileMapping.fill(channel, length);
			return FileMapping.of(channel, length);
		}
	}

	private static void close(int descriptor) {
		try {
			SharedMemoryCalls.close(descriptor);
		}
		catch (IOException ex) {
			logger.warn("A file in memory could not be closed, and its memory may stay in use", ex);
		}
	}

	@Override
	public boolean isSealed() {
		return true;
	}

}
