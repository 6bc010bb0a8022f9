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

package io.rdma.demo.blob;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.rdma.core.RdmaOperations;
import io.rdma.demo.support.RemoteProperties;
import io.rdma.demo.support.Sha256;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Files in a region of a peer. The bytes are there; the directory of names is here. Safe
 * for use by several threads: who reads a blob keeps it while it is replaced or deleted.
 */
@Component
@RequiredArgsConstructor
public class BlobStore {

	private final RdmaOperations rdma;

	private final RemoteProperties remote;

	private final BlobProperties properties;

	private final Clock clock = Clock.systemUTC();

	private final ConcurrentMap<String, Blob> directory = new ConcurrentHashMap<>();

	private final Queue<Quarantined> quarantine = new ArrayDeque<>();

	private volatile @Nullable RegionAllocator allocator;

	/**
	 * Store a file.
	 * @param name its name
	 * @param content its bytes
	 * @param length how many there are, or -1 if that is not known
	 * @param expectedSha256 the SHA-256 that the sender says it has, in hexadecimal
	 * digits
	 * @return the blob
	 * @throws IOException if the content could not be read
	 * @throws BlobTooLargeException if the region is smaller than the content
	 * @throws RegionFullException if the region has too little room at the moment
	 * @throws DigestMismatchException if the content has another SHA-256
	 */
	public Blob store(String name, InputStream content, long length, @Nullable String expectedSha256)
			throws IOException {
		MessageDigest digest = Sha256.newDigest();
		try (BlobSpace space = reserve(Math.max(length, 0))) {
			byte[] chunk = new byte[Math.toIntExact(this.properties.chunkSize().toBytes())];
			long position = 0;
			int count = content.readNBytes(chunk, 0, chunk.length);
			while (count > 0) {
				space.extendTo(position + count);
				space.write(position, ByteBuffer.wrap(chunk, 0, count));
				digest.update(chunk, 0, count);
				position += count;
				count = content.readNBytes(chunk, 0, chunk.length);
			}
			String sha256 = Sha256.finish(digest);
			if (expectedSha256 != null && !expectedSha256.equals(sha256)) {
				throw new DigestMismatchException(name, expectedSha256, sha256);
			}
			return publish(name, space, position, sha256);
		}
	}

	/**
	 * Return how many bytes can be reserved now.
	 * @return the number of bytes
	 */
	public long free() {
		return allocator().free();
	}

	/**
	 * Reserve room to write to.
	 * @param bytes how much, in bytes
	 * @return the room, to be closed
	 * @throws BlobTooLargeException if the region is smaller than that
	 * @throws RegionFullException if the region has too little room at the moment
	 */
	public BlobSpace reserve(long bytes) {
		BlobSpace space = new BlobSpace(this, this.rdma, this.remote);
		space.extendTo(bytes);
		return space;
	}

	/**
	 * Give what was written to some room a name, in place of the blob that has it.
	 * @param name the name
	 * @param space the room
	 * @param length how many bytes of it belong to the blob
	 * @param sha256 the SHA-256 of these bytes in hexadecimal digits
	 * @return the blob
	 */
	public Blob publish(String name, BlobSpace space, long length, String sha256) {
		space.retain();
		Blob blob = new Blob(name, length, sha256, this.clock.instant(), space);
		Blob replaced = this.directory.put(name, blob);
		if (replaced != null) {
			replaced.space().close();
		}
		return blob;
	}

	/**
	 * List all blobs.
	 * @return the blobs, ordered by name
	 */
	public List<Blob> list() {
		return this.directory.values().stream().sorted(Comparator.comparing(Blob::name)).toList();
	}

	/**
	 * Delete a blob.
	 * @param name its name
	 * @throws BlobNotFoundException if there is none of this name
	 */
	public void delete(String name) {
		Blob blob = this.directory.remove(name);
		if (blob == null) {
			throw new BlobNotFoundException(name);
		}
		blob.space().close();
	}

	/**
	 * Find a blob and keep it, also while it is replaced or deleted, until its space is
	 * closed.
	 */
	Blob acquire(String name) {
		Blob blob = this.directory.get(name);
		while (blob != null && !blob.space().retain()) {
			blob = this.directory.get(name);
		}
		if (blob == null) {
			throw new BlobNotFoundException(name);
		}
		return blob;
	}

	List<Extent> allocate(long allocated, long missing) {
		RegionAllocator allocator = allocator();
		releaseQuarantined(allocator);
		if (allocated + missing > allocator.capacity()) {
			throw new BlobTooLargeException(this.remote.blobs(), allocated + missing, allocator.capacity());
		}
		return allocator.allocate(missing);
	}

	/**
	 * Take back what {@link #allocate} gave. If a write failed and may still arrive, it
	 * must not hit the next one to use the place.
	 */
	void release(List<Extent> extents, boolean outcomeUnknown) {
		if (extents.isEmpty()) {
			return;
		}
		if (!outcomeUnknown) {
			allocator().release(extents);
			return;
		}
		synchronized (this.quarantine) {
			this.quarantine.add(new Quarantined(this.clock.instant().plus(this.properties.quarantine()), extents));
		}
	}

	private void releaseQuarantined(RegionAllocator allocator) {
		synchronized (this.quarantine) {
			Quarantined oldest = this.quarantine.peek();
			while (oldest != null && oldest.until().isBefore(this.clock.instant())) {
				allocator.release(oldest.extents());
				this.quarantine.remove();
				oldest = this.quarantine.peek();
			}
		}
	}

	private RegionAllocator allocator() {
		RegionAllocator allocator = this.allocator;
		return (allocator != null) ? allocator : createAllocator();
	}

	private synchronized RegionAllocator createAllocator() {
		RegionAllocator allocator = this.allocator;
		if (allocator == null) {
			long size = this.rdma.execute(this.remote.peer(),
					(connection) -> connection.region(this.remote.blobs()).length());
			allocator = new RegionAllocator(size, Math.toIntExact(this.properties.blockSize().toBytes()));
			this.allocator = allocator;
		}
		return allocator;
	}

	private record Quarantined(Instant until, List<Extent> extents) {

	}

}
