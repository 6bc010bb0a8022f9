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
 * What code may do on the current thread.
 */
public final class RdmaThreads {

	private static final ThreadLocal<Boolean> IN_COMPLETION = new ThreadLocal<>();

	private RdmaThreads() {
	}

	/**
	 * Check that the current thread may wait for an operation to complete: that it is not
	 * one of this library's and is not inside a completion callback. Such a wait could be
	 * for something that only this thread can bring about.
	 * @throws IllegalStateException if it may not; the message says what to do instead
	 */
	public static void checkMayBlock() {
		Thread thread = Thread.currentThread();
		if (thread instanceof RdmaThread) {
			throw new IllegalStateException("A blocking call on thread '" + thread.getName()
					+ "' would wait for what this thread itself has to bring about. Use the method with the suffix "
					+ "Async, or make the call on another thread, for example the application's task executor");
		}
		if (isInCompletion()) {
			throw new IllegalStateException("A blocking call inside a completion callback would hold up all other "
					+ "completions. Use the method with the suffix Async, or make the call on another thread, for "
					+ "example the application's task executor");
		}
	}

	static boolean isInCompletion() {
		return Boolean.TRUE.equals(IN_COMPLETION.get());
	}

	/**
	 * Note that the current thread hands out completions.
	 * @return whether {@link #exitCompletion()} is to be called afterwards
	 */
	static boolean enterCompletion() {
		if (isInCompletion()) {
			return false;
		}
		IN_COMPLETION.set(Boolean.TRUE);
		return true;
	}

	static void exitCompletion() {
		IN_COMPLETION.set(Boolean.FALSE);
	}

}
