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

import io.rdma.verbs.HostMemory;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Where some memory stands in the file that it is made of. Thread-safe.
 */
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
public final class SharedPiece {

	private final SharedFile file;

	private final long offset;

	/**
	 * Return where memory stands.
	 * @param memory the memory
	 * @return the piece, {@code null} if the memory is not shared
	 */
	public static @Nullable SharedPiece of(HostMemory memory) {
		return (memory.origin() instanceof SharedPiece piece) ? piece : null;
	}

	SharedFile file() {
		return this.file;
	}

	/**
	 * Return which file it is.
	 * @return its number among those of this process
	 */
	public long fileId() {
		return this.file.id();
	}

	/**
	 * Return how the peer finds the file.
	 * @return its descriptor, -1 if it has a name
	 */
	public int descriptor() {
		return this.file.descriptor();
	}

	/**
	 * Return where the piece starts.
	 * @return the offset in the memory of the file
	 */
	public long offset() {
		return this.offset;
	}

	/**
	 * Note that a peer is told of the file, and that it has to be told when this process
	 * is done with it.
	 */
	public void tell() {
		this.file.tell();
	}

}
