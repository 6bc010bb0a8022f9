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
 * State of a queue pair ({@code ibv_qp_state}).
 */
public enum QueuePairState {

	/** Fresh, or emptied: nothing can be posted. */
	RESET,

	/** Receives can be posted, nothing is processed. */
	INIT,

	/** Ready to receive: requests of the peer are answered. */
	RTR,

	/** Ready to send: everything works. */
	RTS,

	/** Send queue drained or draining: sends are queued, not started. */
	SQD,

	/** Send queue error: not for reliable connections. */
	SQE,

	/** Error: everything posted is flushed. */
	ERR;

	private static final QueuePairState[] VALUES = values();

	/**
	 * Return the number in {@code ibv_qp_state}.
	 * @return the number
	 */
	public int code() {
		return ordinal();
	}

	/**
	 * Return whether the device takes send work requests in this state. In SQD they are
	 * queued, in SQE and ERR flushed.
	 * @return whether a send may be posted
	 */
	public boolean acceptsSends() {
		return this.ordinal() >= RTS.ordinal();
	}

	/**
	 * Return whether the device takes receive work requests in this state. In ERR they
	 * are flushed.
	 * @return whether a receive may be posted
	 */
	public boolean acceptsReceives() {
		return this != RESET;
	}

	/**
	 * Return whether requests of the peer are answered in this state.
	 * @return whether the responder works
	 */
	public boolean respondsToRequests() {
		return this == RTR || this == RTS || this == SQD || this == SQE;
	}

	/**
	 * Return the state of a number.
	 * @param code the number in {@code ibv_qp_state}
	 * @return the state
	 * @throws IllegalArgumentException if there is none
	 */
	public static QueuePairState of(int code) {
		if (code < 0 || code >= VALUES.length) {
			throw new IllegalArgumentException("No queue pair state has the number " + code);
		}
		return VALUES[code];
	}

}
