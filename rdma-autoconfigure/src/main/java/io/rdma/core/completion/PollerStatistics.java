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

import java.util.List;
import java.util.Map;

import io.rdma.verbs.CompletionStatus;

/**
 * What the poller did since it was made.
 *
 * @param running whether it is started
 * @param completions how many completions came with each status; every status is present
 * @param strays how many completions fitted no outstanding work request
 * @param sinkFailures how many completions whose receiver threw an exception
 * @param assisted how many completions were found by callers that waited
 * @param threads the threads
 */
public record PollerStatistics(boolean running, Map<CompletionStatus, Long> completions, long strays, long sinkFailures,
		long assisted, List<PollerThreadStatistics> threads) {

	/**
	 * Return how many completions came with a status.
	 * @param status the status
	 * @return the number
	 */
	public long completions(CompletionStatus status) {
		return this.completions.getOrDefault(status, 0L);
	}

	/**
	 * Return whether a thread that should run does not.
	 * @return whether one died
	 */
	public boolean hasDeadThread() {
		return this.running && this.threads.stream().anyMatch((thread) -> !thread.alive());
	}

}
