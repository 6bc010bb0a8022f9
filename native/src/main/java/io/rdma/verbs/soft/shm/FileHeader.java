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

import java.nio.ByteBuffer;
import java.util.UUID;

import io.rdma.verbs.StructLayouts;

/**
 * The start of every shared file: which file it is, whose, and whether its owner still
 * has a use for it. The memory that is shared begins at {@value #SIZE}, so that it starts
 * at a page on every machine; what lies between is a hole that takes no memory.
 *
 * <pre>
 *  0  magic number and version, 8 bytes
 *  8  number of the file, 8 bytes
 * 16  what tells its owner from all others, 16 bytes
 * 32  whether the owner is done with it, 4 bytes
 * </pre>
 */
final class FileHeader {

	static final int SIZE = 65_536;

	/** How much of it is used. */
	static final int USED = 4096;

	/** "rdma-shm" and the byte order, by the way it is written. */
	private static final long MAGIC = 0x7264_6d61_2d73_6801L;

	private static final int ID = 8;

	private static final int OWNER = 16;

	private static final int DONE = 32;

	private FileHeader() {
	}

	static void write(ByteBuffer header, long id, UUID owner) {
		StructLayouts.LONG.set(header, ID, id);
		StructLayouts.LONG.set(header, OWNER, owner.getMostSignificantBits());
		StructLayouts.LONG.set(header, OWNER + Long.BYTES, owner.getLeastSignificantBits());
		StructLayouts.LONG.setRelease(header, 0, MAGIC);
	}

	static boolean isOf(ByteBuffer header, long id) {
		return (long) StructLayouts.LONG.getAcquire(header, 0) == MAGIC
				&& (long) StructLayouts.LONG.get(header, ID) == id;
	}

	static UUID owner(ByteBuffer header) {
		return new UUID((long) StructLayouts.LONG.get(header, OWNER),
				(long) StructLayouts.LONG.get(header, OWNER + Long.BYTES));
	}

	static void markDone(ByteBuffer header) {
		StructLayouts.INT.setRelease(header, DONE, 1);
	}

	static boolean isDone(ByteBuffer header) {
		return (int) StructLayouts.INT.getAcquire(header, DONE) != 0;
	}

}
