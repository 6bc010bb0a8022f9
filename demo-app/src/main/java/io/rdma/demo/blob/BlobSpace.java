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

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.rdma.core.RdmaOperations;
import io.rdma.demo.support.RemoteProperties;

import org.springframework.util.Assert;

/**
 * Room in the region, addressed from 0 although it may lie in several places. It goes
 * back to the store when nobody retains it any more. Reading is safe for use by several
 * threads; writing is for the one that reserved it.
 */
public final class BlobSpace implements AutoCloseable {

	private final BlobStore store;

	private final RdmaOperations rdma;

	private final RemoteProperties remote;

	private final List<Extent> extents = new ArrayList<>();

	private long size;

	private boolean outcomeUnknown;

	private int references = 1;

	BlobSpace(BlobStore store, RdmaOperations rdma, RemoteProperties remote) {
		this.store = store;
		this.rdma = rdma;
		this.remote = remote;
	}

	/**
	 * Make sure that there is room.
	 * @param bytes the size that is needed in bytes
	 * @throws BlobTooLargeException if the region is smaller than that
	 * @throws RegionFullException if the region has too little room at the moment
	 */
	public void extendTo(long bytes) {
		if (bytes > this.size) {
			for (Extent extent : this.store.allocate(this.size, bytes - this.size)) {
				this.extents.add(extent);
				this.size += extent.length();
			}
		}
	}

	/**
	 * Write with RDMA WRITE.
	 * @param position where to write, in bytes from the start of this space
	 * @param source what to write, consumed up to its limit
	 */
	public void write(long position, ByteBuffer source) {
		for (Extent piece : pieces(position, source.remaining())) {
			int length = Math.toIntExact(piece.length());
			this.outcomeUnknown = true;
			this.rdma.write(this.remote.peer(), this.remote.blobs(), piece.offset(),
					source.slice(source.position(), length));
			this.outcomeUnknown = false;
			source.position(source.position() + length);
		}
	}

	/**
	 * Read with RDMA READ.
	 * @param position where to read, in bytes from the start of this space
	 * @param target is filled up to its limit
	 */
	public void read(long position, ByteBuffer target) {
		for (Extent piece : pieces(position, target.remaining())) {
			int length = Math.toIntExact(piece.length());
			this.rdma.read(this.remote.peer(), this.remote.blobs(), piece.offset(),
					target.slice(target.position(), length));
			target.position(target.position() + length);
		}
	}

	/**
	 * Keep this space until one more {@link #close()}.
	 * @return whether it was still there
	 */
	synchronized boolean retain() {
		if (this.references == 0) {
			return false;
		}
		this.references++;
		return true;
	}

	@Override
	public void close() {
		boolean last;
		synchronized (this) {
			Assert.state(this.references > 0, "the space was closed too often");
			this.references--;
			last = this.references == 0;
		}
		if (last) {
			this.store.release(this.extents, this.outcomeUnknown);
		}
	}

	private List<Extent> pieces(long position, long length) {
		List<Extent> pieces = new ArrayList<>();
		long skipped = position;
		long missing = length;
		for (Extent extent : this.extents) {
			if (missing == 0) {
				break;
			}
			if (skipped >= extent.length()) {
				skipped -= extent.length();
				continue;
			}
			long piece = Math.min(missing, extent.length() - skipped);
			pieces.add(new Extent(extent.offset() + skipped, piece));
			skipped = 0;
			missing -= piece;
		}
		Assert.state(missing == 0,
				() -> "%d bytes at %d are outside of a space of %d bytes".formatted(length, position, this.size));
		return pieces;
	}

}
