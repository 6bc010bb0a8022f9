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

/**
 * Makes files that peers can map. Thread-safe.
 */
interface FileStore {

	/**
	 * Make a file, with all its memory there.
	 * @param id its number
	 * @param length how many bytes behind the header
	 * @param use what it is for
	 * @return the file
	 * @throws IOException if there is no space, or not the right for it
	 */
	SharedFile create(long id, long length, SharedFiles.Use use) throws IOException;

	/**
	 * Return whether nobody can truncate its files.
	 * @return whether they are sealed
	 */
	boolean isSealed();

}
