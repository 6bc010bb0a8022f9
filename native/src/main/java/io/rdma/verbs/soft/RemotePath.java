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

/**
 * A path whose answers come later, on another thread.
 */
interface RemotePath extends Path {

	/**
	 * Make what sends the requests of a queue pair along this path.
	 * @param requester the requester of the queue pair
	 * @return the sender
	 */
	RemoteSender newSender(Requester requester);

	/**
	 * Let go of what the path holds. Called once, when the queue pair forgets its peer;
	 * no lock of the queue pair is held.
	 */
	void close();

}
