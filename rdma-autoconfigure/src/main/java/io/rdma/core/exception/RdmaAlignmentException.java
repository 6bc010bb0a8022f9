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
 * An atomic operation was asked for at an address that is not a multiple of 8. Nothing
 * was posted.
 */
@Getter
@Accessors(fluent = true)
public class RdmaAlignmentException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Name of the memory, for example {@code region 'counters'}.
	 */
	private final String memory;

	/**
	 * Offset that was asked for.
	 */
	private final long offset;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param memory the name of the memory, for example {@code region 'counters'}
	 * @param offset the offset that was asked for
	 */
	public RdmaAlignmentException(RdmaErrorContext context, String memory, long offset) {
		super(context, "offset %d of %s is not the address of a word of 8 bytes".formatted(offset, memory),
				"Atomic operations need an address that is a multiple of 8: use an offset such as %d."
					.formatted(offset & -8L));
		this.memory = memory;
		this.offset = offset;
	}

}
