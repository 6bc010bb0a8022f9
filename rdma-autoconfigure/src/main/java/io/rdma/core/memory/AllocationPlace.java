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

package io.rdma.core.memory;

import java.util.Arrays;

/**
 * Where a buffer was taken. Never thrown: it stands in reports for its stack trace.
 */
final class AllocationPlace extends Exception {

	private static final long serialVersionUID = 1L;

	AllocationPlace(int capacity) {
		super("A buffer of " + capacity + " bytes was taken here by thread '" + Thread.currentThread().getName() + "'");
	}

	/**
	 * Return the line of code that asked for the buffer.
	 * @return for example {@code com.example.Snapshots.publish(Snapshots.java:42)}
	 */
	String caller() {
		return Arrays.stream(getStackTrace())
			.filter((frame) -> !frame.getClassName().equals(RdmaMemoryPool.class.getName()))
			.findFirst()
			.map(StackTraceElement::toString)
			.orElse("an unknown place");
	}

}
