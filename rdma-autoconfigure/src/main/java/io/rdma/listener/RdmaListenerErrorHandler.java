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

package io.rdma.listener;

import io.rdma.core.RdmaMessage;

/**
 * Is told what a listener method threw. Runs on the application's executor; the next
 * message of the peer waits for it.
 */
@FunctionalInterface
public interface RdmaListenerErrorHandler {

	/**
	 * Handle an exception of a listener method. What this throws is logged and goes no
	 * further.
	 * @param listener the id of the listener
	 * @param message the message that it was called with
	 * @param exception what it threw, or why the message could not be converted
	 */
	void handle(String listener, RdmaMessage message, Throwable exception);

}
