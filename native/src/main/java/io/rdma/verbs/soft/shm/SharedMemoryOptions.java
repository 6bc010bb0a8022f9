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

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * How memory is shared.
 *
 * @param memoryFiles whether to use files that exist in memory only, where the native
 * library can make them
 * @param parent where the directory with the socket, and with the files if they do not
 * exist in memory only, is made; {@code null} for the usual places
 * @param maxBytes how many bytes at most are shared by this process; what is beyond is
 * ordinary memory; 0 for as many as the JVM allows direct buffers
 */
public record SharedMemoryOptions(boolean memoryFiles, @Nullable Path parent, long maxBytes) {

	/**
	 * Return the usual options: all that the machine can do.
	 * @return the options
	 */
	public static SharedMemoryOptions defaults() {
		return new SharedMemoryOptions(true, null, 0);
	}

}
