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

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.util.ArrayList;
import java.util.List;

import io.rdma.verbs.HostMemory;
import io.rdma.verbs.jni.SharedMemoryCalls;
import lombok.extern.slf4j.Slf4j;

/**
 * A shared file as it is mapped here. It is mapped for as long as a view of it is
 * reachable, or until it is released.
 */
@Slf4j
final class FileMapping {

	/** Size of all pieces that memory is made of but the last. */
	private static final long CHUNK = 1L << 30;

	/** Never written. */
	private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(256 << 10).asReadOnlyBuffer();

	private final MappedByteBuffer header;

	private final List<MappedByteBuffer> chunks;

	private final HostMemory memory;

	private FileMapping(MappedByteBuffer header, List<MappedByteBuffer> chunks, HostMemory memory) {
		this.header = header;
		this.chunks = chunks;
		this.memory = memory;
	}

	/**
	 * Map a file.
	 * @param channel the file
	 * @param length how many bytes behind the header
	 * @return the mapping
	 * @throws IOException if it cannot be mapped
	 */
	static FileMapping of(FileChannel channel, long length) throws IOException {
		if (channel.size() < FileHeader.SIZE + length) {
			throw new EOFException("A shared file has " + channel.size() + " bytes where " + (FileHeader.SIZE + length)
					+ " were expected");
		}
		try {
			MappedByteBuffer header = channel.map(MapMode.READ_WRITE, 0, FileHeader.USED);
			header.order(ByteOrder.nativeOrder());
			List<MappedByteBuffer> chunks = new ArrayList<>();
			for (long at = 0; at < length; at += CHUNK) {
				chunks.add(channel.map(MapMode.READ_WRITE, FileHeader.SIZE + at, Math.min(CHUNK, length - at)));
			}
			return new FileMapping(header, chunks, HostMemory.ofChunks(chunks));
		}
		catch (OutOfMemoryError ex) {
			throw new IOException("There is no room to map a shared file of " + length + " bytes", ex);
		}
	}

	/**
	 * Write every page, so that it is there when it is used: a file system that is full
	 * says so now and not by killing who touches the page.
	 * @param channel the file
	 * @param length how many bytes behind the header
	 * @throws IOException if there is no space
	 */
	static void fill(FileChannel channel, long length) throws IOException {
		ByteBuffer zeros = ZEROS.duplicate();
		write(channel, zeros, 0, FileHeader.USED);
		long end = FileHeader.SIZE + length;
		for (long at = FileHeader.SIZE; at < end; at += zeros.capacity()) {
			write(channel, zeros, at, (int) Math.min(zeros.capacity(), end - at));
		}
	}

	private static void write(FileChannel channel, ByteBuffer zeros, long start, int count) throws IOException {
		zeros.position(0).limit(count);
		while (zeros.hasRemaining()) {
			channel.write(zeros, start + zeros.position());
		}
	}

	/**
	 * Return whether memory can be let go before no view of it is left.
	 * @return whether the native library is there, which does it
	 */
	static boolean isReleasable() {
		return SharedMemoryCalls.unavailabilityCause() == null;
	}

	/**
	 * Let go of the file: its pages are given back at once where the native library can
	 * do that, and when no view is left where it cannot. Who still looks at the memory,
	 * or at the header, sees zeros.
	 * @return whether it is let go
	 */
	boolean release() {
		if (!isReleasable()) {
			return false;
		}
		try {
			for (MappedByteBuffer chunk : this.chunks) {
				SharedMemoryCalls.releasePages(chunk);
			}
			SharedMemoryCalls.releasePages(this.header);
			return true;
		}
		catch (IOException ex) {
			logger.debug("A shared file stays mapped until it is collected", ex);
			return false;
		}
	}

	MappedByteBuffer header() {
		return this.header;
	}

	HostMemory memory() {
		return this.memory;
	}

	/** The buffers that the memory is made of. */
	List<MappedByteBuffer> chunks() {
		return this.chunks;
	}

}
