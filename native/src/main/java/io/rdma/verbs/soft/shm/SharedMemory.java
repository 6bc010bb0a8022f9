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
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rdma.verbs.HostMemory;
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

	private final SharedFiles files;

	private final Map<PeerFiles.Key, PeerFiles> peers = new HashMap<>();

	/** How many pieces of each file are in use. */
	private final Map<SharedFile, Integer> uses = new HashMap<>();

	private volatile @Nullable SharedMemoryLoop loop;

	private @Nullable SharedFile slab;

	private long slabUsed;

	private boolean warned;

	/**
	 * Prepare for sharing memory.
	 * @param options how
	 */
	public SharedMemory(SharedMemoryOptions options) {
		this.files = new SharedFiles(options);
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
		FileStore store = this.files.store();
		if (store == null || (atomics && !store.isSealed())) {
			return null;
		}
		try {
			return (length <= MAX_SMALL) ? small(length) : whole(this.files.create(length, SharedFiles.Use.REGIONS));
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

	private synchronized HostMemory small(long length) throws IOException {
		long rounded = (length + PAGE - 1) / PAGE * PAGE;
		SharedFile current = this.slab;
		if (current == null || this.slabUsed + rounded > SLAB) {
			this.slab = null;
			if (current != null) {
				closeIfUnused(current);
			}
			current = this.files.create(SLAB, SharedFiles.Use.REGIONS);
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
		if (piece != null) {
			synchronized (this) {
				this.uses.merge(piece.file(), -1, Integer::sum);
				closeIfUnused(piece.file());
			}
		}
	}

	private void closeIfUnused(SharedFile file) {
		if (file != this.slab && this.uses.getOrDefault(file, 0) == 0) {
			this.uses.remove(file);
			close(file);
		}
	}

	/**
	 * Make a file to copy messages to.
	 * @param length how many bytes
	 * @return the file
	 * @throws IOException if there can be none
	 */
	SharedFile createFile(long length) throws IOException {
		return this.files.create(length, SharedFiles.Use.MESSAGES);
	}

	/**
	 * Let nobody else find a file any more.
	 * @param file the file
	 */
	void hide(SharedFile file) {
		this.files.hide(file);
	}

	void close(SharedFile file) {
		SharedMemoryLoop running = this.loop;
		if (this.files.close(file) && running != null) {
			running.tellPeersOfDoneFiles();
		}
	}

	/**
	 * Be done with a file whose memory nobody on this side looks at any more: it is given
	 * back at once, where that can be.
	 * @param file the file
	 */
	void discard(SharedFile file) {
		close(file);
		file.release();
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
		try {
			int slots = RingLayout.slotsFor(depth);
			SharedDirectory directory = this.files.directory();
			SharedMemoryLoop running = loop(directory);
			SharedFile ring = this.files.create(RingLayout.size(slots), SharedFiles.Use.RINGS);
			SharedConnection connection = new SharedConnection(this, running, user, ring, slots,
					new SharedMemoryOffer(ring.descriptor() >= 0, endpoint, ProcessHandle.current().pid(), ring.id(),
							ring.descriptor(), slots, directory.path().toString(), SharedDirectory.SOCKET));
			running.add(connection);
			return connection;
		}
		catch (IOException ex) {
			this.files.tellThatThereIsNone(ex);
			throw ex;
		}
	}

	private synchronized SharedMemoryLoop loop(SharedDirectory directory) throws IOException {
		SharedMemoryLoop running = this.loop;
		if (running != null && !running.isRunning()) {
			throw new IOException("the thread that watches over shared memory has failed");
		}
		if (running == null) {
			running = SharedMemoryLoop.start(directory);
			this.loop = running;
		}
		return running;
	}

	/** The user that this process runs as. */
	int processOwner() throws IOException {
		return this.files.directory().owner();
	}

	/**
	 * Return what is known of the files of a peer.
	 * @param key what the peer is known by
	 * @return the files, to be released
	 */
	synchronized PeerFiles acquire(PeerFiles.Key key) {
		PeerFiles found = this.peers.computeIfAbsent(key, PeerFiles::new);
		found.acquire();
		return found;
	}

	/**
	 * Be done with the files of a peer.
	 * @param peerFiles the files
	 * @return whether nobody needs them any more
	 */
	synchronized boolean release(PeerFiles peerFiles) {
		boolean last = peerFiles.release();
		if (last) {
			this.peers.remove(peerFiles.key());
		}
		return last;
	}

	/**
	 * Close everything. Memory that was handed out stays as long as it is reachable, but
	 * no peer finds it any more.
	 */
	@Override
	public void close() {
		this.files.closeAll();
		SharedMemoryLoop running = this.loop;
		if (running != null) {
			running.close();
		}
		this.files.removeDirectory();
	}

}
