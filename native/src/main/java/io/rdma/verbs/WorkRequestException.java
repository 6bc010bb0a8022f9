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
 * A work request of a chain was refused when it was posted. The ones before it were
 * posted, the ones from it on were not.
 */
@Getter
@Accessors(fluent = true)
public class WorkRequestException extends VerbsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Index in the chain of the first work request that was not posted, from 0.
	 */
	private final int index;

	/**
	 * Create an exception.
	 * @param verb the name of the C function
	 * @param errno the error number
	 * @param index the index of the first work request that was not posted
	 * @param detail what was wrong, as a sentence
	 */
	public WorkRequestException(String verb, Errno errno, int index, String detail) {
		super(verb, errno, detail);
		this.index = index;
	}

}
