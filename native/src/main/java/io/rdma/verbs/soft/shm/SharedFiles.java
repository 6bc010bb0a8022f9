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
import java.lang.ref.Cleaner;
import java.lang.ref.Cleaner.Cleanable;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.rdma.verbs.jni.SharedMemoryCalls;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * The files that a device context shares, and the directory it is found by. How they are
 * made is found out when the first one is. Thread-safe.
 */
@Slf4j
final class SharedFiles {

	private static final int PAGE = 4096;

	/** A fraction of the files that a process can usually have open. */
	private static final int MAX_FILES = 512;

	/** Memory that is handed out leaves one in so many bytes. */
	private static final int PART_FOR_MESSAGES = 4;

	/** How long the memory of messages may take to be collected. */
	private static final long COLLECTION_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long COLLECTION_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** How many bytes this process shares, of those that count. */
	private static final AtomicLong BYTES = new AtomicLong();

	/** How many files of this process can be found by others. */
	private static final AtomicLong FILES = new AtomicLong();

	private static final Cleaner CLEANER = Cleaner.create();

	private final SharedMemoryOptions options;

	private final UUID owner = UUID.randomUUID();

	private final Set<SharedFile> files = new HashSet<>();

	private boolean sought;

	private @Nullable FileStore store;

	private @Nullable SharedDirectory directory;

	private long lastId;

	private boolean closed;

	private boolean told;

	SharedFiles(SharedMemoryOptions options) {
		this.options = options;
	}

	/**
	 * Return what makes the files.
	 * @return the store, {@code null} if there can be no files
	 */
	synchronized @Nullable FileStore store() {
		if (!this.sought && !this.closed) {
			this.sought = true;
			this.store = seek();
		}
		return this.store;
	}

	private @Nullable FileStore seek() {
		if (this.options.memoryFiles() && SharedMemoryCalls.unavailabilityCause() == null) {
			FileStore candidate = new MemoryFileStore();
			try {
				candidate.create(++this.lastId, PAGE, Use.RINGS).hide();
				return candidate;
			}
			catch (IOException | RuntimeException ex) {
				logger.debug("This machine has no files in memory", ex);
			}
		}
		try {
			return new NamedFileStore(directory(true).path());
		}
		catch (IOException ex) {
			tellThatThereIsNone(ex);
			return null;
		}
	}

	/**
	 * Tell, once, that no memory can be shared.
	 * @param cause why
	 */
	synchronized void tellThatThereIsNone(IOException cause) {
		if (!this.told) {
			this.told = true;
			logger.info("No memory can be shared with other processes on this host, which are reached by its network "
					+ "instead: {}", cause.getMessage());
			logger.debug("No memory can be shared", cause);
		}
	}

	/**
	 * Return the directory, which is made when it is first needed.
	 * @return the directory
	 * @throws IOException if there can be none
	 */
	SharedDirectory directory() throws IOException {
		return directory(false);
	}

	private synchronized SharedDirectory directory(boolean inMemory) throws IOException {
		SharedDirectory made = this.directory;
		if (made == null) {
			made = SharedDirectory.create(this.options.parent(), inMemory);
			this.directory = made;
		}
		return made;
	}

	/**
	 * Make a file. Large ones take a while, so no lock is held meanwhile.
	 * @param length how many bytes behind its header
	 * @param use what it is for
	 * @return the file
	 * @throws IOException if there can be none
	 */
	SharedFile create(long length, Use use) throws IOException {
		FileStore making = store();
		if (making == null) {
			throw new IOException("No memory can be shared with other processes");
		}
		boolean counts = use != Use.RINGS;
		long counted = counts ? length : 0;
		long limit = maxBytes(use);
		if (!add(BYTES, counted, limit) && (use != Use.MESSAGES || !addOnceCollected(counted, limit))) {
			throw tooMuch(BYTES, limit, "bytes; -XX:MaxDirectMemorySize raises the limit");
		}
		boolean taken = false;
		try {
			if (!add(FILES, 1, MAX_FILES)) {
				throw tooMuch(FILES, MAX_FILES, "files; larger memory regions need fewer");
			}
			taken = true;
			SharedFile file = create(making, length, use);
			if (counts) {
				file.countedBy(file.mapping().chunks().stream().map(SharedFiles::countUntilUnmapped).toList());
			}
			return file;
		}
		catch (IOException | RuntimeException | Error ex) {
			FILES.addAndGet(taken ? -1 : 0);
			BYTES.addAndGet(-counted);
			throw ex;
		}
	}

	private SharedFile create(FileStore making, long length, Use use) throws IOException {
		long id;
		synchronized (this) {
			id = ++this.lastId;
		}
		SharedFile file = making.create(id, length, use);
		FileHeader.write(file.mapping().header(), id, this.owner);
		synchronized (this) {
			if (!this.closed) {
				this.files.add(file);
				return file;
			}
		}
		file.hide();
		throw new IOException("The device context is closed");
	}

	private long maxBytes(Use use) {
		long limit = (this.options.maxBytes() != 0) ? this.options.maxBytes() : UsualLimit.BYTES;
		return (use == Use.REGIONS) ? limit - limit / PART_FOR_MESSAGES : limit;
	}

	private static Cleanable countUntilUnmapped(ByteBuffer chunk) {
		long size = chunk.capacity();
		// views keep the buffer they were made from reachable, so none is left then
		return CLEANER.register(chunk, () -> BYTES.addAndGet(-size));
	}

	private static boolean add(AtomicLong counter, long amount, long limit) {
		long used = counter.get();
		while (amount == 0 || amount <= limit - used) {
			if (counter.compareAndSet(used, used + amount)) {
				return true;
			}
			used = counter.get();
		}
		return false;
	}

	/**
	 * Add once what nobody reaches is collected: the JVM does the same before it refuses
	 * a direct buffer.
	 */
	private static boolean addOnceCollected(long amount, long limit) {
		System.gc();
		long deadline = System.nanoTime() + COLLECTION_NANOS;
		while (!add(BYTES, amount, limit)) {
			if (System.nanoTime() - deadline >= 0) {
				return false;
			}
			LockSupport.parkNanos(COLLECTION_STEP_NANOS);
		}
		return true;
	}

	private static IOException tooMuch(AtomicLong counter, long limit, String what) {
		return new IOException("This process shares " + counter.get() + " and may share " + limit + " " + what);
	}

	/**
	 * Return how much this process shares, of what counts.
	 * @return the number of bytes
	 */
	static long countedBytes() {
		return BYTES.get();
	}

	/**
	 * Let nobody else find a file any more.
	 * @param file the file
	 */
	void hide(SharedFile file) {
		if (file.hide()) {
			FILES.decrementAndGet();
		}
	}

	/**
	 * Be done with a file.
	 * @param file the file
	 * @return whether peers have to be told
	 */
	boolean close(SharedFile file) {
		if (!file.close()) {
			return false;
		}
		hide(file);
		synchronized (this) {
			this.files.remove(file);
		}
		return file.isTold();
	}

	/**
	 * Be done with all files, and make no more.
	 */
	void closeAll() {
		List<SharedFile> open;
		synchronized (this) {
			this.closed = true;
			this.store = null;
			open = List.copyOf(this.files);
		}
		open.forEach(this::close);
	}

	/**
	 * Remove the directory.
	 */
	synchronized void removeDirectory() {
		if (this.directory != null) {
			this.directory.remove();
		}
	}

	/**
	 * What a file is for.
	 */
	enum Use {

		/**
		 * Memory that is handed out. Where it cannot be shared, ordinary memory does, so
		 * it leaves a part of what may be shared to messages.
		 */
		REGIONS,

		/** Messages that are copied, which cannot be sent otherwise. */
		MESSAGES,

		/** Requests and answers. They are small and do not count. */
		RINGS

	}

	/**
	 * The limit that is asked for when the first file is made.
	 */
	private static final class UsualLimit {

		static final long BYTES = DirectMemoryLimit.bytes();

		private UsualLimit() {
		}

	}

}
