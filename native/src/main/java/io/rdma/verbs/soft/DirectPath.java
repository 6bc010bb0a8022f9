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
 * A path whose answers come at once.
 */
interface DirectPath extends Path {

	/**
	 * Carry a request to the responder and bring back what it answers.
	 * @param request the request
	 * @return the answer
	 */
	Answer carryOut(SendRequest request);

	/**
	 * Return the code of the time that the responder asked to wait when it last was not
	 * ready.
	 * @return 0 to 31
	 */
	int rnrTimer();

}
