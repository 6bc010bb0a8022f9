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

package io.rdma.core.exception;

import lombok.Getter;
import lombok.experimental.Accessors;

/**
 * An operation would have gone outside its local or remote memory. Nothing was posted.
 */
@Getter
@Accessors(fluent = true)
public class RdmaBoundsException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Name of the memory, for example {@code region 'blobs'}.
	 */
	private final String memory;

	/**
	 * Where the operation would have started, in bytes from the start of the memory.
	 */
	private final long offset;

	/**
	 * How many bytes it asked for.
	 */
	private final long length;

	/**
	 * How many bytes the memory has.
	 */
	private final long memoryLength;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param memory the name of the memory, for example {@code region 'blobs'}
	 * @param offset where the operation would have started
	 * @param length how many bytes it asked for
	 * @param memoryLength how many bytes the memory has
	 */
	public RdmaBoundsException(RdmaErrorContext context, String memory, long offset, long length, long memoryLength) {
		super(context,
				"%d bytes at offset %d are not within the %d bytes of %s".formatted(length, offset, memoryLength,
						memory),
				"Use an offset from 0 and a length so that their sum is at most %d, or make it larger."
					.formatted(memoryLength));
		this.memory = memory;
		this.offset = offset;
		this.length = length;
		this.memoryLength = memoryLength;
	}

	/**
	 * Check that a range is within some memory.
	 * @param context what is known about the operation
	 * @param memory the name of the memory, for example {@code region 'blobs'}
	 * @param offset where the operation starts
	 * @param length how many bytes it asks for
	 * @param memoryLength how many bytes the memory has
	 * @throws RdmaBoundsException if the range is not within the memory
	 */
	public static void check(RdmaErrorContext context, String memory, long offset, long length, long memoryLength) {
		if (offset < 0 || length < 0 || offset > memoryLength - length) {
			throw new RdmaBoundsException(context, memory, offset, length, memoryLength);
		}
	}

}
