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
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;

import io.rdma.verbs.HostMemory;
import io.rdma.verbs.jni.SharedMemoryCalls;
import lombok.Getter;
import lombok.RequiredArgsConstructor;
import lombok.experimental.Accessors;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * The files of one peer that are mapped here. Used by the thread that watches over shared
 * memory, but for counting who needs them.
 */
@Slf4j
@RequiredArgsConstructor
final class PeerFiles {

	private static final long MAX_LENGTH = 1L << 40;

	/** More than any process shares. */
	private static final int MAX_FILES = 1024;

	@Getter
	@Accessors(fluent = true)
	private final Key key;

	private final Map<Long, FileMapping> mappings = new HashMap<>();

	/** How often something was let go. */
	private int generation;

	/** Guarded by who hands this out. */
	private int users;

	void acquire() {
		this.users++;
	}

	/**
	 * Be done with one use.
	 * @return whether that was the last
	 */
	boolean release() {
		return --this.users == 0;
	}

	/**
	 * Find the memory of a file.
	 * @param id the number of the file
	 * @param descriptor its descriptor in the process of the peer
	 * @return the memory, {@code null} if the file cannot be mapped
	 */
	@Nullable HostMemory find(long id, int descriptor) {
		FileMapping known = this.mappings.get(id);
		if (known == null) {
			known = (this.mappings.size() < MAX_FILES) ? open(id, descriptor) : null;
			if (known == null) {
				return null;
			}
			this.mappings.put(id, known);
		}
		return known.memory();
	}

	private @Nullable FileMapping open(long id, int descriptor) {
		try {
			Opened opened = open(this.key.place(), id, descriptor);
			if (this.key.owner().equals(FileHeader.owner(opened.mapping().header()))) {
				return opened.mapping();
			}
			opened.mapping().release();
			logger.debug("File {} of process {} is no file of that peer", id, this.key.place().processNumber());
		}
		catch (IOException | RuntimeException ex) {
			// the peer closed it, or has no right to be trusted; it is told
			logger.debug("File {} of process {} cannot be mapped", id, this.key.place().processNumber(), ex);
		}
		return null;
	}

	/**
	 * Map a file of a peer and look at its header.
	 * @param place where the files of the peer are
	 * @param id the number of the file
	 * @param descriptor its descriptor in the process of the peer
	 * @return the file
	 * @throws IOException if it cannot be mapped or is another file
	 */
	static Opened open(Place place, long id, int descriptor) throws IOException {
		return Uninterrupted.call(() -> {
			if (!place.sealed()) {
				Path file = NamedFileStore.file(Path.of(place.directory()), id);
				check(file, place.user(), LinkOption.NOFOLLOW_LINKS);
				return new Opened(map(file, id, LinkOption.NOFOLLOW_LINKS), false);
			}
			if (SharedMemoryCalls.unavailabilityCause() != null) {
				Path file = Path.of("/proc", Long.toString(place.processNumber()), "fd", Integer.toString(descriptor));
				check(file, place.user());
				return new Opened(map(file, id), false);
			}
			int own = SharedMemoryCalls.openMemoryFile(place.processNumber(), descriptor);
			try {
				Path file = Path.of("/proc/self/fd", Integer.toString(own));
				check(file, place.user());
				return new Opened(map(file, id), true);
			}
			finally {
				SharedMemoryCalls.close(own);
			}
		});
	}

	private static void check(Path file, int user, LinkOption... options) throws IOException {
		int owner = Owners.of(file, options);
		if (owner != user) {
			throw new IOException(file + " is of user " + owner + " and not of user " + user);
		}
		if (!Files.readAttributes(file, BasicFileAttributes.class, options).isRegularFile()) {
			throw new IOException(file + " is no file that can be mapped");
		}
	}

	private static FileMapping map(Path file, long id, LinkOption... options) throws IOException {
		FileMapping mapping;
		try (FileChannel channel = (options.length == 0)
				? FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)
				: FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, options[0])) {
			long length = channel.size() - FileHeader.SIZE;
			if (length < 1 || length > MAX_LENGTH) {
				throw new IOException(file + " has " + channel.size() + " bytes, which no shared file has");
			}
			mapping = FileMapping.of(channel, length);
		}
		try {
			boolean right = FileHeader.isOf(mapping.header(), id);
			MemoryFaults.settle();
			if (right) {
				return mapping;
			}
		}
		catch (InternalError ex) {
			mapping.release();
			throw new IOException(file + " was truncated", ex);
		}
		mapping.release();
		throw new IOException(file + " is not the shared file " + id);
	}

	/**
	 * Let go of the files that the peer is done with.
	 */
	void sweep() {
		Iterator<FileMapping> iterator = this.mappings.values().iterator();
		while (iterator.hasNext()) {
			FileMapping mapping = iterator.next();
			if (isDone(mapping)) {
				iterator.remove();
				this.generation++;
				mapping.release();
			}
		}
	}

	private static boolean isDone(FileMapping mapping) {
		try {
			boolean done = FileHeader.isDone(mapping.header());
			MemoryFaults.settle();
			return done;
		}
		catch (InternalError ex) {
			return true;
		}
	}

	/**
	 * Let go of everything.
	 */
	void clear() {
		this.mappings.values().forEach(FileMapping::release);
		this.mappings.clear();
	}

	int generation() {
		return this.generation;
	}

	/**
	 * Where the files of a peer are.
	 *
	 * @param sealed whether they are found by descriptor
	 * @param processNumber the number of its process
	 * @param directory its directory
	 * @param user the user that must own them
	 */
	record Place(boolean sealed, long processNumber, String directory, int user) {
	}

	/**
	 * What a peer is known by.
	 *
	 * @param place where its files are
	 * @param owner what its files say
	 */
	record Key(Place place, UUID owner) {
	}

	/**
	 * A file that was mapped.
	 *
	 * @param mapping the mapping
	 * @param sealed whether nobody can truncate it
	 */
	record Opened(FileMapping mapping, boolean sealed) {
	}

}
