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

import java.util.Collection;
import java.util.Locale;

import io.rdma.verbs.AccessFlag;
import lombok.Getter;
import lombok.experimental.Accessors;

/**
 * A memory region does not allow the operation. Nothing was posted.
 */
@Getter
@Accessors(fluent = true)
public class RdmaAccessDeniedException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Name of the memory, for example {@code region 'blobs'}.
	 */
	private final String memory;

	/**
	 * Access right that is missing.
	 */
	private final AccessFlag missing;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param memory the name of the memory, for example {@code region 'blobs'}
	 * @param missing the access right that is missing
	 * @param granted the access rights that the memory has
	 */
	public RdmaAccessDeniedException(RdmaErrorContext context, String memory, AccessFlag missing,
			Collection<AccessFlag> granted) {
		super(context,
				"%s does not allow %s; it allows %s".formatted(memory, name(missing),
						granted.isEmpty() ? "nothing" : granted.stream().map(RdmaAccessDeniedException::name).toList()),
				"Add %s to the access rights where the memory is defined (rdma.regions.<name>.access of its owner)."
					.formatted(name(missing)));
		this.memory = memory;
		this.missing = missing;
	}

	private static String name(AccessFlag flag) {
		return flag.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
