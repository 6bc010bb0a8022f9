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

import io.rdma.verbs.WorkCompletions;

/**
 * Gives each completion to the queue pair that it belongs to. One for each device context,
 * since queue pair numbers are unique on one device only. Thread-safe; the lookup takes no
 * lock and allocates nothing.
 */
public final class CompletionDispatcher {

	/**
	 * Register the sink of a queue pair, before anything is posted to it.
	 * @param qpNumber the number of the local queue pair
	 * @param sink takes its completions
	 * @throws IllegalStateException if another one is registered for the number
	 */
	public void register(int qpNumber, CompletionSink sink) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Remove the sink of a queue pair, after it was drained. Removing what is not
	 * registered does nothing.
	 * @param qpNumber the number of the local queue pair
	 * @param sink the sink that was registered
	 */
	public void unregister(int qpNumber, CompletionSink sink) {
		throw new UnsupportedOperationException();
	}

	void dispatch(WorkCompletions batch) {
		throw new UnsupportedOperationException();
	}

}
