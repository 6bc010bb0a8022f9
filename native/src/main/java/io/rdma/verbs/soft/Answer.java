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
 * What a requester hears of a request.
 */
enum Answer {

	/** It was carried out. */
	ACKNOWLEDGED,

	/** The peer's queue pair does not allow it, or it does not fit the receive. */
	INVALID_REQUEST,

	/** The peer's memory may not be used so. */
	ACCESS_REFUSED,

	/** The peer failed by its own fault. */
	OPERATION_FAILED,

	/** The peer carried it out, but what it returned cannot be put where it should go. */
	NOWHERE_TO_LAND,

	/** The peer has no receive posted. */
	NOT_READY,

	/** Nothing. */
	NONE

}
