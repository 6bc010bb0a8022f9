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

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;

/**
 * Makes files in a directory of this process, for its user only.
 */
@Slf4j
@RequiredArgsConstructor
final class NamedFileStore implements FileStore {

	/** How the names of the files start. */
	static final String PREFIX = "memory-";

	/** One in so many bytes of the file system stays free. */
	private static final int PART_FOR_OTHERS = 16;

	/** Memory that is handed out leaves more, since messages have no other way. */
	private static final int PART_FOR_MESSAGES = 4;

	/** But not more than that. */
	private static final long MAX_FREE = 1L << 30;

	private final Path directory;

	@Override
	public SharedFile create(long id, long length, SharedFiles.Use use) throws IOException {
		checkSpace(length, use);
		Path file = file(this.directory, id);
		try {
			return new SharedFile(id, -1, Uninterrupted.call(() -> map(file, length)), () -> delete(file));
		}
		catch (IOException | RuntimeException | Error ex) {
			delete(file);
			throw ex;
		}
	}

	static Path file(Path directory, long id) {
		return directory.resolve(PREFIX + id);
	}

	private static FileMapping map(Path file, long length) throws IOException {
		Files.deleteIfExists(file);
		try (FileChannel channel = FileChannel.open(file,
				Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
			FileMapping.fill(channel, length);
			return FileMapping.of(channel, length);
		}
	}

	/**
	 * Other programs have files there too, and some do not survive it that there is no
	 * space. Two processes that look at once can both take what is left, so this is no
	 * promise.
	 */
	private void checkSpace(long length, SharedFiles.Use use) throws IOException {
		File place = this.directory.toFile();
		long total = place.getTotalSpace();
		long usable = place.getUsableSpace();
		long part = total / ((use == SharedFiles.Use.REGIONS) ? PART_FOR_MESSAGES : PART_FOR_OTHERS);
		long kept = Math.min(part, MAX_FREE);
		// a file system without a limit has no size
		if (total > 0 && usable - length < kept) {
			throw new IOException("A shared file of " + length + " bytes does not fit into " + this.directory
					+ ", which has " + usable + " bytes left, of which " + kept + " are for others");
		}
	}

	private static void delete(Path file) {
		try {
			Files.deleteIfExists(file);
		}
		catch (IOException ex) {
			logger.warn("The file {} that was shared with other processes could not be deleted; delete it by hand",
					file, ex);
		}
	}

	@Override
	public boolean isSealed() {
		return false;
	}

}
