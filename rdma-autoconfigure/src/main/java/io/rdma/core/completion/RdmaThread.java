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

package io.rdma.core.completion;

/**
 * A thread of this library: one that polls, does network I/O or keeps time. User code
 * never runs on it, and it must never wait for an operation, since it may be the one that
 * would complete it. Always a platform daemon thread.
 *
 * @see RdmaThreads#checkMayBlock()
 */
public class RdmaThread extends Thread {

	/**
	 * Create a daemon thread that is not started yet.
	 * @param task what it runs
	 * @param name its name, which starts with {@code rdma-}
	 */
	@SuppressWarnings("this-escape")
	public RdmaThread(Runnable task, String name) {
		super(null, task, name, 0, false);
		setDaemon(true);
	}

	/**
	 * Create a daemon thread that is not started yet and runs its own {@link #run()}.
	 * @param name its name, which starts with {@code rdma-}
	 */
	@SuppressWarnings("this-escape")
	protected RdmaThread(String name) {
		super(null, null, name, 0, false);
		setDaemon(true);
	}

}
