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
 * A message is larger than the peer or the settings allow. Nothing was posted.
 */
@Getter
@Accessors(fluent = true)
public class RdmaMessageTooLargeException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * How many bytes the message has.
	 */
	private final long length;

	/**
	 * How many bytes are allowed.
	 */
	private final long maximum;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param length how many bytes the message has
	 * @param maximum how many bytes are allowed
	 * @param remedy what to do about it, one or more sentences
	 */
	public RdmaMessageTooLargeException(RdmaErrorContext context, long length, long maximum, String remedy) {
		super(context, "a message of %d bytes is larger than the %d bytes allowed".formatted(length, maximum), remedy);
		this.length = length;
		this.maximum = maximum;
	}

}
