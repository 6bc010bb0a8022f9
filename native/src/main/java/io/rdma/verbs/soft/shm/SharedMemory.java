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
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.rdma.verbs.HostMemory;
import io.rdma.verbs.jni.SharedMemoryCalls;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a device context can let other processes of its user see, and its
 * connections to them. Nothing is made before it is needed. Thread-safe.
 *
 * <p>
 * Small pieces share a file, since a process can have so many files only. Memory is
 * handed out once: when it is released the file goes as soon as all of it is released,
 * and whoever has it mapped never sees another use of it.
 */
@Slf4j
public final class SharedMemory implements AutoCloseable {

	/** Pieces of up to this size share a file. */
	private static final int MAX_SMALL = 128 << 10;

	private static final int SLAB = 1 << 20;

	private static final int PAGE = 4096;

	/** A fraction of the files that a process can usually have open. */
	private static final int MAX_FILES = 512;

	private static final AtomicLong BYTES = new AtomicLong();

	private static final AtomicLong FILES = new AtomicLong();

	private static final Cleaner CLEANER = Cleaner.create();

	private final SharedMemoryOptions options;

	private final UUID owner = UUID.randomUUID();

	private final Map<PeerFiles.Key, PeerFiles> peers = new HashMap<>();

	private final Set<SharedFile> files = new HashSet<>();

	/** How many pieces of each file are in use. */
	private final Map<SharedFile, Integer> uses = new HashMap<>();

	private boolean sought;

	private @Nullable FileStore store;

	private @Nullable SharedDirectory directory;

	private @Nullable SharedMemoryLoop loop;

	private @Nullable SharedFile slab;

	private long slabUsed;

	private long lastId;

	private boolean closed;

	private boolean warned;

	/**
	 * Prepare for sharing memory.
	 * @param options how
	 */
	public SharedMemory(SharedMemoryOptions options) {
		this.options = options;
	}

	/**
	 * Allocate zeroed memory that starts at a page and that peers can map.
	 * @param length how many bytes, at least 1
	 * @param atomics whether it is for atomic operations too. Where files can be
	 * truncated such memory is not shared, since the JVM does not survive an atomic
	 * instruction on memory that is gone
	 * @return the memory, {@code null} if ordinary memory has to do
	 */
	public @Nullable HostMemory allocate(long length, boolean atomics) {
		FileStore files = store();
		if (files == null || (atomics && !files.isSealed())) {
			return null;
		}
		try {
			return (length <= MAX_SMALL) ? small(files, length) : whole(create(files, length));
		}
		catch (IOException | RuntimeException ex) {
			warn(length, ex);
			return null;
		}
	}

	private void warn(long length, Exception cause) {
		boolean first;
		synchronized (this) {
			first = !this.warned;
			this.warned = true;
		}
		if (first) {
			logger
				.warn("Memory of {} bytes cannot be shared with other processes, so messages from and to it are copied "
						+ "once more: {}", length, cause.getMessage(), cause);
		}
	}

	private synchronized HostMemory small(FileStore files, long length) throws IOException {
		long rounded = (length + PAGE - 1) / PAGE * PAGE;
		SharedFile current = this.slab;
		if (current == null || this.slabUsed + rounded > SLAB) {
			this.slab = null;
			if (current != null) {
				closeIfUnused(current);
			}
			current = create(files, SLAB);
			this.uses.put(current, 0);
			this.slab = current;
			this.slabUsed = 0;
		}
		int offset = (int) this.slabUsed;
		this.slabUsed += rounded;
		this.uses.merge(current, 1, Integer::sum);
		ByteBuffer part = current.mapping().chunks().get(0).slice(offset, (int) length);
		return HostMemory.ofChunks(List.of(part), new SharedPiece(current, offset));
	}

	private synchronized HostMemory whole(SharedFile file) {
		this.uses.put(file, 1);
		return HostMemory.ofChunks(file.mapping().chunks(), new SharedPiece(file, 0));
	}

	/**
	 * Be done with memory that was allocated here. Peers that have it mapped are told.
	 * @param memory the memory; nothing happens if it is not shared
	 */
	public void release(HostMemory memory) {
		SharedPiece piece = SharedPiece.of(memory);
		if (piece == null) {
			return;
		}
		synchronized (this) {
			this.uses.merge(piece.file(), -1, Integer::sum);
			closeIfUnused(piece.file());
		}
	}

	private void closeIfUnused(SharedFile file) {
		if (file != this.slab && this.uses.getOrDefault(file, 0) == 0) {
			this.uses.remove(file);
			close(file);
		}
	}

	/**
	 * Make a file.
	 * @param length how many bytes behind its header
	 * @return the file
	 * @throws IOException if there can be none
	 */
	SharedFile createFile(long length) throws IOException {
		FileStore files = store();
		if (files == null) {
			throw new IOException("No memory can be shared with other processes");
		}
		return create(files, length);
	}

	/**
	 * Make a file. Large ones take a while, so no lock is held meanwhile.
	 */
	private SharedFile create(FileStore files, long length) throws IOException {
		long id;
		synchronized (this) {
			id = ++this.lastId;
		}
		take(BYTES, length, maxBytes(), "bytes; -XX:MaxDirectMemorySize raises the limit");
		try {
			take(FILES, 1, MAX_FILES, "files; larger memory regions need fewer");
			try {
				SharedFile file = files.create(id, length);
				FileHeader.write(file.mapping().header(), id, this.owner);
				add(file);
				file.mapping().chunks().forEach(SharedMemory::countUntilUnmapped);
				return file;
			}
			catch (IOException | RuntimeException | Error ex) {
				FILES.decrementAndGet();
				throw ex;
			}
		}
		catch (IOException | RuntimeException | Error ex) {
			BYTES.addAndGet(-length);
			throw ex;
		}
	}

	private void add(SharedFile file) throws IOException {
		synchronized (this) {
			if (!this.closed) {
				this.files.add(file);
				return;
			}
		}
		file.hide();
		throw new IOException("The device context is closed");
	}

	private long maxBytes() {
		long limit = this.options.maxBytes();
		return (limit != 0) ? limit : UsualLimit.BYTES;
	}

	private static void countUntilUnmapped(ByteBuffer chunk) {
		long size = chunk.capacity();
		// views keep the buffer they were made from reachable, so none is left then
		CLEANER.register(chunk, () -> BYTES.addAndGet(-size));
	}

	private static void take(AtomicLong counter, long amount, long limit, String what) throws IOException {
		if (counter.addAndGet(amount) > limit) {
			long used = counter.addAndGet(-amount);
			throw new IOException("This process shares " + used + " and may share " + limit + " " + what);
		}
	}

	void close(SharedFile file) {
		SharedMemoryLoop told;
		synchronized (this) {
			if (!file.close()) {
				return;
			}
			hide(file);
			this.files.remove(file);
			told = file.isTold() ? this.loop : null;
		}
		if (told != null) {
			told.tellPeersOfDoneFiles();
		}
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

	private synchronized @Nullable FileStore store() {
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
				candidate.create(++this.lastId, PAGE).hide();
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
			logger
				.info("No memory can be shared with other processes on this machine, which are reached by its network "
						+ "instead: {}", ex.getMessage());
			logger.debug("No memory can be shared", ex);
			return null;
		}
	}

	private SharedDirectory directory(boolean inMemory) throws IOException {
		SharedDirectory made = this.directory;
		if (made == null) {
			made = SharedDirectory.create(this.options.parent(), inMemory);
			this.directory = made;
		}
		return made;
	}

	/**
	 * Begin a connection.
	 * @param endpoint the number that the user of the connection is known by
	 * @param depth how many requests the user can have under way
	 * @param user the user
	 * @return this end of it
	 * @throws IOException if memory cannot be shared
	 */
	public SharedConnection newConnection(int endpoint, int depth, ConnectionUser user) throws IOException {
		int slots = RingLayout.slotsFor(depth);
		SharedFile ring = createFile(RingLayout.size(slots));
		try {
			synchronized (this) {
				SharedDirectory place = directory(false);
				SharedMemoryLoop running = this.loop;
				if (running == null) {
					running = SharedMemoryLoop.start(place.path().resolve(SharedDirectory.SOCKET), place.owner());
					this.loop = running;
				}
				SharedConnection connection = new SharedConnection(this, running, user, ring, slots,
						new SharedMemoryOffer(ring.descriptor() >= 0, endpoint, ProcessHandle.current().pid(),
								ring.id(), ring.descriptor(), slots, place.path().toString(), SharedDirectory.SOCKET));
				running.add(connection);
				return connection;
			}
		}
		catch (IOException | RuntimeException | Error ex) {
			close(ring);
			throw ex;
		}
	}

	/** The user that this process runs as. */
	int processOwner() throws IOException {
		synchronized (this) {
			return directory(false).owner();
		}
	}

	/**
	 * Return what is known of the files of a peer.
	 * @param key what the peer is known by
	 * @return the files, to be released
	 */
	PeerFiles acquire(PeerFiles.Key key) {
		synchronized (this) {
			PeerFiles found = this.peers.computeIfAbsent(key, PeerFiles::new);
			found.acquire();
			return found;
		}
	}

	/**
	 * Be done with the files of a peer.
	 * @param peerFiles the files
	 * @return whether nobody needs them any more
	 */
	boolean release(PeerFiles peerFiles) {
		synchronized (this) {
			boolean last = peerFiles.release();
			if (last) {
				this.peers.remove(peerFiles.key());
			}
			return last;
		}
	}

	/**
	 * Close everything. Memory that was handed out stays as long as it is reachable, but
	 * no peer finds it any more.
	 */
	@Override
	public void close() {
		SharedMemoryLoop running;
		SharedDirectory made;
		List<SharedFile> open;
		synchronized (this) {
			this.closed = true;
			running = this.loop;
			made = this.directory;
			open = List.copyOf(this.files);
			this.store = null;
		}
		open.forEach(this::close);
		if (running != null) {
			running.close();
		}
		if (made != null) {
			made.remove();
		}
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
