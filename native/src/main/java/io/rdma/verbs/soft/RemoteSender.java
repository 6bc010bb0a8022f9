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

package io.rdma.verbs.soft;

import io.rdma.verbs.QueuePairAttributes;

/**
 * Sends the requests that stand in a send queue along a path whose answers come later.
 * Every method is called with the lock of the requester held.
 */
abstract class RemoteSender {

	/**
	 * Go on by another path to the same peer.
	 * @param path the path
	 * @return whether it is one of the same kind; nothing has changed otherwise
	 */
	boolean takeOver(RemotePath path) {
		return false;
	}

	/**
	 * Take over attributes that were changed.
	 * @param attributes the attributes
	 */
	abstract void configure(QueuePairAttributes attributes);

	/**
	 * Start as many requests as may be under way now.
	 */
	abstract void progress();

	/**
	 * Forget what was sent and not answered: the next to send is the oldest request.
	 */
	abstract void restart();

	/**
	 * Forget everything, since the queue pair goes to ERR or RESET.
	 */
	abstract void stop();

	/**
	 * Return whether nothing is under way.
	 * @return whether everything that was sent is answered
	 */
	abstract boolean isIdle();

	/**
	 * Let go of all memory that was ever found.
	 */
	abstract void forget();

	/**
	 * Return the PSN of the next request that is sent for the first time.
	 * @return the PSN
	 */
	abstract int psn();

}
