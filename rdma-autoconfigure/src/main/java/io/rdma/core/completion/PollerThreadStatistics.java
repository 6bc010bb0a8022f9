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
 * What one poller thread did.
 *
 * @param name the name of the thread
 * @param alive whether the thread runs; {@code false} while the poller is started means
 * that it died
 * @param queues how many completion queues it polls
 * @param polls how often it polled a queue
 * @param completions how many completions it found
 * @param waits how often it went to wait for an event
 * @param failures how many exceptions and errors it caught and survived
 */
public record PollerThreadStatistics(String name, boolean alive, int queues, long polls, long completions, long waits,
		long failures) {
}
