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
 * How full a completion queue is.
 *
 * @param name the name of the queue, for example {@code group-1-send}
 * @param group the name of its group, for example {@code group-1}
 * @param kind what completes in it
 * @param capacity how many completions it holds
 * @param reserved how many completions its connections can have at most, by their depths
 * @param outstanding how many work requests can still complete in it
 * @param depth how many completions the last poll that emptied it found waiting
 * @param highWater the largest depth seen
 * @param connections how many connections use it
 */
public record QueueStatistics(String name, String group, CompletionQueueKind kind, int capacity, int reserved,
		int outstanding, int depth, int highWater, int connections) {
}
