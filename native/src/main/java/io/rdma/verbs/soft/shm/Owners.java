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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Who owns a file or a process, which has the files of its directory in {@code /proc}.
 * Memory is shared among processes of one user only.
 */
final class Owners {

	private static final String USER = "unix:uid";

	private Owners() {
	}

	/**
	 * Return the user that owns a file.
	 * @param file the file, followed if it is a link
	 * @return the number of the user
	 * @throws IOException if the file cannot be looked at
	 */
	static int of(Path file, LinkOption... options) throws IOException {
		try {
			return (Integer) Files.getAttribute(file, USER, options);
		}
		catch (UnsupportedOperationException | IllegalArgumentException ex) {
			throw new IOException("This system does not tell who owns a file", ex);
		}
	}

}
