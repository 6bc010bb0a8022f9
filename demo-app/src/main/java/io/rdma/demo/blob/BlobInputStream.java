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
import java.util.Objects;

import io.rdma.demo.support.Sha256;

/**
 * Reads a blob from the region, one chunk at a time. If all of it is read, its SHA-256 is
 * compared before the last chunk is handed out, so a corrupted blob never looks complete.
 * The caller keeps the blob while this is in use. For one thread.
 */
final class BlobInputStream extends InputStream {

	private final Blob blob;

	private final ByteBuffer chunk;

	private final MessageDigest digest = Sha256.newDigest();

	private long position;

	private boolean skipped;

	BlobInputStream(Blob blob, int chunkSize) {
		this.blob = blob;
		this.chunk = ByteBuffer.allocate((int) Math.min(chunkSize, blob.length())).limit(0);
	}

	@Override
	public int read() throws IOException {
		return fill() ? Byte.toUnsignedInt(this.chunk.get()) : -1;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		Objects.checkFromIndexSize(offset, length, target.length);
		if (length == 0) {
			return 0;
		}
		if (!fill()) {
			return -1;
		}
		int count = Math.min(length, this.chunk.remaining());
		this.chunk.get(target, offset, count);
		return count;
	}

	@Override
	public long skip(long count) {
		int buffered = (int) Math.max(0, Math.min(count, this.chunk.remaining()));
		this.chunk.position(this.chunk.position() + buffered);
		long jumped = Math.max(0, Math.min(count - buffered, this.blob.length() - this.position));
		if (jumped > 0) {
			this.position += jumped;
			this.skipped = true;
		}
		return buffered + jumped;
	}

	@Override
	public int available() {
		return this.chunk.remaining();
	}

	private boolean fill() {
		if (this.chunk.hasRemaining()) {
			return true;
		}
		int size = (int) Math.min(this.blob.length() - this.position, this.chunk.capacity());
		if (size == 0) {
			return false;
		}
		this.blob.space().read(this.position, this.chunk.clear().limit(size));
		this.chunk.flip();
		this.position += size;
		if (!this.skipped) {
			verify();
		}
		return true;
	}

	private void verify() {
		this.digest.update(this.chunk.duplicate());
		if (this.position == this.blob.length()) {
			String actual = Sha256.finish(this.digest);
			if (!actual.equals(this.blob.sha256())) {
				this.chunk.limit(0);
				throw new BlobCorruptedException(this.blob.name(), this.blob.sha256(), actual);
			}
		}
	}

}
