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

package io.rdma.verbs.ibv;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.rdma.verbs.Errno;
import io.rdma.verbs.HostMemory;
import io.rdma.verbs.VerbsException;

/**
 * Memory of its own, outside the heap and outside the limit of direct buffers. It stays
 * mapped as long as a view of it is reachable; {@link #release()} gives the pages back
 * before that, and views then read zeros.
 */
final class MappedMemory {

	private static final Cleaner CLEANER = Cleaner.create();

	private static final long CHUNK_SIZE = 1L << 30;

	private static final long HUGE_PAGE = 2L << 20;

	/**
	 * Readable bytes behind the end. A provider copies inline data with no check. When
	 * two threads write one chain of work requests against its contract, address and
	 * length can be of different pieces; what is then read too far is still mapped.
	 */
	private static final long TAIL = 64 << 10;

	private final long address;

	private final long mappedLength;

	private final HostMemory memory;

	private MappedMemory(long address, long mappedLength, HostMemory memory) {
		this.address = address;
		this.mappedLength = mappedLength;
		this.memory = memory;
	}

	/**
	 * Allocate zeroed memory that starts at a page.
	 * @param length how many bytes, at least 1
	 * @param hugePages whether to take pages of 2 MiB, which must have been reserved
	 * @return the memory
	 * @throws VerbsException if there is not enough memory
	 */
	static MappedMemory allocate(long length, boolean hugePages) {
		if (length < 1) {
			throw new VerbsException("ibv_reg_mr", Errno.EINVAL, "Memory of " + length + " bytes cannot be allocated");
		}
		long page = hugePages ? HUGE_PAGE : Native.pageSize();
		if (length > Long.MAX_VALUE / 2) {
			throw outOfMemory(length, hugePages);
		}
		long mappedLength = (length + TAIL + page - 1) / page * page;
		long address = Native.map(mappedLength, hugePages);
		if (address < 0) {
			throw outOfMemory(length, hugePages);
		}
		// without this a child process that copies pages would move them from under the
		// device; a kernel that does not know it has no such children to fear
		Native.keepFromChildren(address, mappedLength);
		return new MappedMemory(address, mappedLength, HostMemory.ofChunks(chunks(address, length, mappedLength)));
	}

	private static VerbsException outOfMemory(long length, boolean hugePages) {
		return new VerbsException("mmap", Errno.ENOMEM,
				"There is not enough memory for " + length + " bytes"
						+ (hugePages
								? " in huge pages of 2 MiB; reserve them with sysctl vm.nr_hugepages, or at boot with "
										+ "hugepagesz=2M hugepages=NUMBER if the default size of huge pages is another"
								: ""));
	}

	private static List<ByteBuffer> chunks(long address, long length, long mappedLength) {
		List<ByteBuffer> chunks = new ArrayList<>();
		for (long offset = 0; offset < length; offset += CHUNK_SIZE) {
			long start = address + offset;
			long size = Math.min(CHUNK_SIZE, length - offset);
			long mappedSize = (offset + size == length) ? mappedLength - offset : size;
			ByteBuffer chunk = Native.view(start, size);
			if (chunk == null) {
				throw new OutOfMemoryError("The JVM has no memory for a view of native memory");
			}
			// views keep the buffer they were made from reachable, so none is left then
			CLEANER.register(chunk, () -> Native.unmap(start, mappedSize));
			chunks.add(chunk);
		}
		return chunks;
	}

	long address() {
		return this.address;
	}

	HostMemory memory() {
		return this.memory;
	}

	/**
	 * Give the pages back. The range stays mapped, to zeros.
	 */
	void release() {
		int failed = Native.replace(this.address, this.mappedLength);
		if (failed < 0) {
			throw Results.failure(failed, "mmap", "The memory of " + this.memory.length()
					+ " bytes could not be given back and stays allocated until no view of it is left");
		}
	}

}
