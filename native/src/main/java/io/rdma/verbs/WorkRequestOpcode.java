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
 * What a send work request asks for ({@code ibv_wr_opcode}). The names are those of
 * libibverbs.
 */
public enum WorkRequestOpcode {

	/** Write to the peer's memory. */
	RDMA_WRITE(0),

	/** Write to the peer's memory and complete one of its receives. */
	RDMA_WRITE_WITH_IMM(1),

	/** Send a message into one of the peer's receives. */
	SEND(2),

	/** Send a message with 32 bits of immediate data. */
	SEND_WITH_IMM(3),

	/** Read from the peer's memory. */
	RDMA_READ(4),

	/** Compare and swap 8 bytes of the peer's memory. */
	ATOMIC_CMP_AND_SWP(5),

	/** Fetch and add 8 bytes of the peer's memory. */
	ATOMIC_FETCH_AND_ADD(6),

	/** Invalidate a local memory window. */
	LOCAL_INV(7),

	/** Bind a memory window. */
	BIND_MW(8),

	/** Send a message and invalidate one of the peer's memory windows. */
	SEND_WITH_INV(9);

	private static final WorkRequestOpcode[] VALUES = values();

	private final int code;

	WorkRequestOpcode(int code) {
		this.code = code;
	}

	/**
	 * Return the number of this opcode in {@code ibv_wr_opcode}.
	 * @return the number
	 */
	public int code() {
		return this.code;
	}

	/**
	 * Return whether the operation puts bytes into one of the peer's receives, or takes
	 * one without filling it.
	 * @return whether a receive is consumed
	 */
	public boolean consumesReceive() {
		return switch (this) {
			case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE_WITH_IMM -> true;
			default -> false;
		};
	}

	/**
	 * Return the opcode of a number.
	 * @param code the number in {@code ibv_wr_opcode}
	 * @return the opcode
	 * @throws IllegalArgumentException if there is none
	 */
	public static WorkRequestOpcode of(int code) {
		if (code < 0 || code >= VALUES.length) {
			throw new IllegalArgumentException("No work request opcode has the number " + code);
		}
		return VALUES[code];
	}

}
