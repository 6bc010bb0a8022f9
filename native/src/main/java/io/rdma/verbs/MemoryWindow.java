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

/**
 * A memory window of type 2 ({@code struct ibv_mw}): a right to a part of a memory region
 * that is given by {@link QueuePair#postBind} and taken back by
 * {@link SendWorkRequest#localInvalidate} or the peer's
 * {@link SendWorkRequest#sendWithInvalidate}. Thread-safe.
 */
public interface MemoryWindow extends AutoCloseable {

	/**
	 * Return the key of the latest binding, or the key it was allocated with.
	 * @return the rkey
	 */
	int rkey();

	/**
	 * Return whether the window is open.
	 * @return whether it can be used
	 */
	boolean isOpen();

	@Override
	void close();

}
