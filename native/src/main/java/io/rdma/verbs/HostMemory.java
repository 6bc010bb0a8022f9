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

package io.rdma.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A run of memory outside the Java heap with {@code long} offsets, made of as many direct
 * buffers as its length needs. Offsets are checked; the memory lives as long as it or a
 * view of it is reachable. Thread-safe as plain memory is.
 */
public final class HostMemory {

	/**
	 * Size of all buffers but the last. A power of two, so that an offset splits by
	 * shift.
	 */
	static final int CHUNK_SHIFT = 30;

	private static final long CHUNK_SIZE = 1L << CHUNK_SHIFT;

	private static final long CHUNK_MASK = CHUNK_SIZE - 1;

	private static final int PAGE = 4096;

	private final ByteBuffer[] chunks;

	private final long length;

	private final @Nullable Object origin;

	private HostMemory(ByteBuffer[] chunks, long length, @Nullable Object origin) {
		this.chunks = chunks;
		this.length = length;
		this.origin = origin;
	}

	/**
	 * Allocate zeroed memory that starts at a page.
	 * @param length how many bytes, at least 1
	 * @return the memory
	 * @throws OutOfMemoryError if there is not enough direct memory
	 */
	public static HostMemory allocate(long length) {
		if (length < 1) {
			throw new IllegalArgumentException("Memory of " + length + " bytes cannot be allocated");
		}
		int count = Math.toIntExact((length + CHUNK_SIZE - 1) >>> CHUNK_SHIFT);
		ByteBuffer[] chunks = new ByteBuffer[count];
		for (int i = 0; i < count; i++) {
			int size = (int) Math.min(CHUNK_SIZE, length - i * CHUNK_SIZE);
			ByteBuffer whole = ByteBuffer.allocateDirect(size + PAGE);
			int skip = (PAGE - whole.alignmentOffset(0, PAGE)) % PAGE;
			chunks[i] = whole.slice(skip, size).order(ByteOrder.nativeOrder());
		}
		return new HostMemory(chunks, length, null);
	}

	/**
	 * Wrap what remains of a direct buffer.
	 * @param buffer the buffer; its position and limit are not changed
	 * @return the memory
	 * @throws IllegalArgumentException if the buffer is on the heap
	 */
	public static HostMemory of(ByteBuffer buffer) {
		if (!buffer.isDirect()) {
			throw new IllegalArgumentException(
					"Only a direct buffer can be registered; allocate it with ByteBuffer.allocateDirect");
		}
		return new HostMemory(new ByteBuffer[] { buffer.slice().order(ByteOrder.nativeOrder()) }, buffer.remaining(),
				null);
	}

	/**
	 * Use memory that was allocated elsewhere.
	 * @param chunks direct buffers, one after the other: all but the last of 1 GiB, none
	 * empty
	 * @return the memory, which keeps the buffers reachable
	 * @throws IllegalArgumentException if the buffers are not of these sizes
	 */
	public static HostMemory ofChunks(List<? extends ByteBuffer> chunks) {
		return ofChunks(chunks, null);
	}

	/**
	 * Use memory that was allocated elsewhere and is known there by something.
	 * @param chunks direct buffers, one after the other: all but the last of 1 GiB, none
	 * empty
	 * @param origin what {@link #origin()} returns
	 * @return the memory, which keeps the buffers reachable
	 * @throws IllegalArgumentException if the buffers are not of these sizes
	 */
	public static HostMemory ofChunks(List<? extends ByteBuffer> chunks, @Nullable Object origin) {
		ByteBuffer[] buffers = new ByteBuffer[chunks.size()];
		long length = 0;
		for (int i = 0; i < buffers.length; i++) {
			ByteBuffer chunk = chunks.get(i);
			boolean last = (i == buffers.length - 1);
			if (!chunk.isDirect() || chunk.capacity() == 0 || (!last && chunk.capacity() != CHUNK_SIZE)) {
				throw new IllegalArgumentException(
						"Memory is made of direct buffers of 1 GiB, only the last may be smaller, but number " + i
								+ " of " + buffers.length + " has " + chunk.capacity() + " bytes");
			}
			buffers[i] = chunk.duplicate().clear().order(ByteOrder.nativeOrder());
			length += chunk.capacity();
		}
		if (length == 0) {
			throw new IllegalArgumentException("Memory of 0 bytes cannot be used");
		}
		return new HostMemory(buffers, length, origin);
	}

	/**
	 * Return the length.
	 * @return how many bytes
	 */
	public long length() {
		return this.length;
	}

	/**
	 * Return what the memory is known by to who allocated it.
	 * @return the object, {@code null} if there is none
	 */
	public @Nullable Object origin() {
		return this.origin;
	}

	/**
	 * Return whether the memory can be written.
	 * @return whether it is read-only
	 */
	public boolean isReadOnly() {
		return this.chunks[0].isReadOnly();
	}

	/**
	 * Return how far an offset is past a multiple of a power of two, in true addresses.
	 * @param offset the offset
	 * @param unit the power of two
	 * @return 0 to {@code unit - 1}
	 */
	public int alignmentOffset(long offset, int unit) {
		return chunk(offset).alignmentOffset((int) (offset & CHUNK_MASK), unit);
	}

	private ByteBuffer chunk(long offset) {
		return this.chunks[(int) (offset >>> CHUNK_SHIFT)];
	}

	/**
	 * Return a view of a part.
	 * @param offset where it starts
	 * @param length how many bytes
	 * @return a new buffer in big-endian order
	 * @throws IndexOutOfBoundsException if that is not within the memory
	 * @throws IllegalArgumentException if it spans two of the buffers the memory is made
	 * of, which meet at multiples of 1 GiB
	 */
	public ByteBuffer slice(long offset, int length) {
		Objects.checkFromIndexSize(offset, length, this.length);
		if (length == 0) {
			return ByteBuffer.allocateDirect(0);
		}
		int start = (int) (offset & CHUNK_MASK);
		if (start + (long) length > CHUNK_SIZE) {
			throw new IllegalArgumentException("A view of " + length + " bytes at offset " + offset
					+ " crosses a multiple of 1 GiB; take two views that meet there");
		}
		return chunk(offset).slice(start, length);
	}

	/**
	 * Copy bytes out.
	 * @param offset where from
	 * @param destination where to
	 * @param index where in the destination
	 * @param length how many bytes
	 * @throws IndexOutOfBoundsException if either range is outside
	 */
	public void get(long offset, ByteBuffer destination, int index, int length) {
		Objects.checkFromIndexSize(offset, length, this.length);
		int done = 0;
		while (done < length) {
			long at = offset + done;
			int start = (int) (at & CHUNK_MASK);
			int count = (int) Math.min(length - done, CHUNK_SIZE - start);
			destination.put(index + done, chunk(at), start, count);
			done += count;
		}
	}

	/**
	 * Copy bytes in.
	 * @param offset where to
	 * @param source where from
	 * @param index where in the source
	 * @param length how many bytes
	 * @throws IndexOutOfBoundsException if either range is outside
	 */
	public void put(long offset, ByteBuffer source, int index, int length) {
		Objects.checkFromIndexSize(offset, length, this.length);
		int done = 0;
		while (done < length) {
			long at = offset + done;
			int start = (int) (at & CHUNK_MASK);
			int count = (int) Math.min(length - done, CHUNK_SIZE - start);
			chunk(at).put(start, source, index + done, count);
			done += count;
		}
	}

	/**
	 * Copy bytes to other memory, or within this one if the ranges do not overlap.
	 * @param offset where from
	 * @param target the other
	 * @param targetOffset where to
	 * @param length how many bytes
	 * @throws IndexOutOfBoundsException if either range is outside
	 */
	public void copyTo(long offset, HostMemory target, long targetOffset, long length) {
		if (this.chunks.length == 1 && target.chunks.length == 1
				&& (offset | targetOffset | length) >>> (Integer.SIZE - 1) == 0) {
			// the usual case, and all numbers are those of a buffer, which checks them
			target.chunks[0].put((int) targetOffset, this.chunks[0], (int) offset, (int) length);
			return;
		}
		Objects.checkFromIndexSize(offset, length, this.length);
		Objects.checkFromIndexSize(targetOffset, length, target.length);
		long done = 0;
		while (done < length) {
			long from = offset + done;
			int start = (int) (from & CHUNK_MASK);
			int count = (int) Math.min(length - done, CHUNK_SIZE - start);
			target.put(targetOffset + done, chunk(from), start, count);
			done += count;
		}
	}

	/**
	 * Read 8 bytes in the byte order of the machine, as an acquiring load.
	 * @param offset where, at a true address that is a multiple of 8
	 * @return the value
	 */
	public long getLongAcquire(long offset) {
		Objects.checkFromIndexSize(offset, Long.BYTES, this.length);
		return (long) StructLayouts.LONG.getAcquire(chunk(offset), (int) (offset & CHUNK_MASK));
	}

	/**
	 * Write 8 bytes in the byte order of the machine, as a releasing store.
	 * @param offset where, at a true address that is a multiple of 8
	 * @param value the value
	 */
	public void putLongRelease(long offset, long value) {
		Objects.checkFromIndexSize(offset, Long.BYTES, this.length);
		StructLayouts.LONG.setRelease(chunk(offset), (int) (offset & CHUNK_MASK), value);
	}

	/**
	 * Compare and swap 8 bytes.
	 * @param offset where, at a true address that is a multiple of 8
	 * @param expected what must be found for the swap to happen
	 * @param newValue what is put in its place
	 * @return the value found
	 */
	public long compareAndExchangeLong(long offset, long expected, long newValue) {
		Objects.checkFromIndexSize(offset, Long.BYTES, this.length);
		return (long) StructLayouts.LONG.compareAndExchange(chunk(offset), (int) (offset & CHUNK_MASK), expected,
				newValue);
	}

	/**
	 * Add to 8 bytes.
	 * @param offset where, at a true address that is a multiple of 8
	 * @param delta what is added
	 * @return the value found
	 */
	public long getAndAddLong(long offset, long delta) {
		Objects.checkFromIndexSize(offset, Long.BYTES, this.length);
		return (long) StructLayouts.LONG.getAndAdd(chunk(offset), (int) (offset & CHUNK_MASK), delta);
	}

}
