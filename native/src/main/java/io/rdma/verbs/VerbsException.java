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

import lombok.Getter;
import lombok.experimental.Accessors;

/**
 * A verb was refused, by this layer or by the device. The message names the verb, the
 * error number and what to do where that is known.
 */
@Getter
@Accessors(fluent = true)
public class VerbsException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Name of the C function, for example {@code ibv_reg_mr}.
	 */
	private final String verb;

	/**
	 * Error number.
	 */
	private final Errno errno;

	/**
	 * Create an exception.
	 * @param verb the name of the C function
	 * @param errno the error number
	 * @param detail what was wrong, as a sentence
	 */
	public VerbsException(String verb, Errno errno, String detail) {
		super(detail + " (" + verb + ": " + errno + ", " + errno.meaning() + ")");
		this.verb = verb;
		this.errno = errno;
	}

}
