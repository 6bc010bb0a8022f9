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
import java.nio.channels.ClosedByInterruptException;

/**
 * Works with channels on threads that may be interrupted. A channel closes itself then,
 * and who registers memory has not asked for that.
 */
final class Uninterrupted {

	private Uninterrupted() {
	}

	/**
	 * Do something from its start again as often as the thread is interrupted, which it
	 * still is afterwards.
	 * @param action what opens a channel, uses and closes it
	 * @param <T> what it returns
	 * @return the result
	 * @throws IOException if it fails for another reason
	 */
	static <T> T call(Action<T> action) throws IOException {
		boolean interrupted = false;
		try {
			while (true) {
				interrupted |= Thread.interrupted();
				try {
					return action.call();
				}
				catch (ClosedByInterruptException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * What is done.
	 *
	 * @param <T> what it returns
	 */
	interface Action<T> {

		T call() throws IOException;

	}

}
