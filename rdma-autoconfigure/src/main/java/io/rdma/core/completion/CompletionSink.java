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

import io.rdma.verbs.WorkCompletion;

/**
 * Takes the completions of one queue pair.
 */
@FunctionalInterface
public interface CompletionSink {

	/**
	 * Take a completion. Called on a poller thread or on a thread that assists, for the
	 * send and the receive queue possibly at the same time; must be short, must not wait
	 * and must not run user code. What it throws is logged and counted, and goes no
	 * further.
	 * @param completion the completion, valid during the call only; its queue pair number
	 * is the one that the sink is registered for
	 * @return whether it belonged to a work request that is outstanding; if not, it is
	 * counted and reported as a stray
	 */
	boolean completed(WorkCompletion completion);

}
