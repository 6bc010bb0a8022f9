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

/**
 * Who uses a connection. Called by the one thread of the device context that watches over
 * shared memory, one call at a time.
 */
public interface ConnectionUser {

	/**
	 * Serve some of the requests of the peer and take some of its answers.
	 * @return whether there was anything to do
	 */
	boolean work();

	/**
	 * The peer is gone: nothing comes from it any more. Called once at most.
	 * @param orderly whether it said so, and has not died
	 */
	void lost(boolean orderly);

}
