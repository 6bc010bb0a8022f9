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

package io.rdma.demo.job;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

import io.rdma.demo.blob.BlobSpace;
import io.rdma.demo.blob.BlobStore;
import io.rdma.demo.support.Sha256;

/**
 * Moves a file into the region and back. What does not fit at once goes in windows, each
 * one read back before the next takes its place. Only the time inside of the template is
 * measured. For one thread, once.
 */
final class FileTransfer {

	private final BlobStore blobs;

	private final ProgressBar writing;

	private final ProgressBar reading;

	private final ByteBuffer chunk;

	private final MessageDigest sent = Sha256.newDigest();

	private final MessageDigest received = Sha256.newDigest();

	private long calls;

	private long writeNanos;

	private long readNanos;

	FileTransfer(BlobStore blobs, ProgressBar writing, ProgressBar reading, int chunkSize) {
		this.blobs = blobs;
		this.writing = writing;
		this.reading = reading;
		this.chunk = ByteBuffer.allocateDirect(chunkSize);
	}

	/**
	 * Move a file.
	 * @param file the file, not empty
	 * @param name the name of the blob that the file becomes if it fits at once
	 * @return how it went
	 * @throws IOException if the file could not be read
	 */
	Result move(Path file, String name) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
			long size = channel.size();
			long window = Math.max(1, Math.min(size, this.blobs.free()));
			for (long start = 0; start < size; start += window) {
				long end = Math.min(start + window, size);
				try (BlobSpace space = this.blobs.reserve(end - start)) {
					write(channel, start, end, space);
					read(start, end, space);
					if (window == size) {
						String sha256 = verify();
						this.blobs.publish(name, space, size, sha256);
						return result(size, sha256, true);
					}
				}
			}
			return result(size, verify(), false);
		}
	}

	private void write(FileChannel channel, long start, long end, BlobSpace space) throws IOException {
		long position = start;
		while (position < end) {
			fill(channel, position, end);
			this.sent.update(this.chunk.duplicate());
			int size = this.chunk.remaining();
			long before = System.nanoTime();
			space.write(position - start, this.chunk);
			this.writeNanos += System.nanoTime() - before;
			this.calls++;
			position += size;
			this.writing.update(position);
		}
	}

	private void read(long start, long end, BlobSpace space) {
		long position = start;
		while (position < end) {
			this.chunk.clear().limit((int) Math.min(this.chunk.capacity(), end - position));
			long before = System.nanoTime();
			space.read(position - start, this.chunk);
			this.readNanos += System.nanoTime() - before;
			position += this.chunk.position();
			this.received.update(this.chunk.flip());
			this.reading.update(position);
		}
	}

	private void fill(FileChannel channel, long position, long end) throws IOException {
		this.chunk.clear().limit((int) Math.min(this.chunk.capacity(), end - position));
		while (this.chunk.hasRemaining()) {
			if (channel.read(this.chunk, position + this.chunk.position()) < 0) {
				throw new EOFException("The file became shorter while it was moved");
			}
		}
		this.chunk.flip();
	}

	private String verify() {
		String expected = Sha256.finish(this.sent);
		String actual = Sha256.finish(this.received);
		if (!actual.equals(expected)) {
			throw new IllegalStateException(
					"The file has SHA-256 " + expected + ", but what came back from the region has " + actual);
		}
		return expected;
	}

	private Result result(long size, String sha256, boolean stored) {
		return new Result(size, this.calls, this.writeNanos, this.readNanos, sha256, stored);
	}

	/**
	 * How a transfer went.
	 *
	 * @param bytes the size of the file
	 * @param calls the number of calls in one direction
	 * @param writeNanos the time that writing took
	 * @param readNanos the time that reading took
	 * @param sha256 the SHA-256 of the file, and of what came back
	 * @param stored whether the file fitted at once and is a blob now
	 */
	record Result(long bytes, long calls, long writeNanos, long readNanos, String sha256, boolean stored) {

	}

}
