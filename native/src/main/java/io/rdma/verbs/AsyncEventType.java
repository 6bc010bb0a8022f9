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

package io.rdma.verbs;

/**
 * Kinds of asynchronous events of a device ({@code ibv_event_type}).
 */
public enum AsyncEventType {

	/** A completion queue overran or failed. */
	CQ_ERR,

	/** A queue pair failed with no work request to report it on. */
	QP_FATAL,

	/** A queue pair as responder refused an invalid request. */
	QP_REQ_ERR,

	/** A queue pair as responder refused an access. */
	QP_ACCESS_ERR,

	/** The first message arrived on a queue pair in RTR. */
	COMM_EST,

	/** The send queue of a queue pair in SQD is drained. */
	SQ_DRAINED,

	/** A path migrated. */
	PATH_MIG,

	/** A path failed to migrate. */
	PATH_MIG_ERR,

	/** The device failed. */
	DEVICE_FATAL,

	/** A port became ACTIVE. */
	PORT_ACTIVE,

	/** A port went down. */
	PORT_ERR,

	/** The LID of a port changed. */
	LID_CHANGE,

	/** The P_Key table of a port changed. */
	PKEY_CHANGE,

	/** The subnet manager changed. */
	SM_CHANGE,

	/** A shared receive queue failed. */
	SRQ_ERR,

	/** A shared receive queue fell below its limit. */
	SRQ_LIMIT_REACHED,

	/** A queue pair in ERR takes nothing more from its shared receive queue. */
	QP_LAST_WQE_REACHED,

	/** The subnet manager asks clients to register again. */
	CLIENT_REREGISTER,

	/** The GID table of a port changed. */
	GID_CHANGE;

	private static final AsyncEventType[] VALUES = values();

	/**
	 * Return the number of this type in {@code ibv_event_type}.
	 * @return the number
	 */
	public int code() {
		return ordinal();
	}

	/**
	 * Return the type of a number.
	 * @param code the number in {@code ibv_event_type}
	 * @return the type
	 * @throws IllegalArgumentException if there is none
	 */
	public static AsyncEventType of(int code) {
		if (code < 0 || code >= VALUES.length) {
			throw new IllegalArgumentException("No asynchronous event has the number " + code);
		}
		return VALUES[code];
	}

}
