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
 * What a successful work completion tells of ({@code ibv_wc_opcode}).
 */
public enum CompletionOpcode {

	/** A SEND in any form. */
	SEND(0),

	/** An RDMA WRITE in any form. */
	RDMA_WRITE(1),

	/** An RDMA READ. */
	RDMA_READ(2),

	/** An atomic compare and swap. */
	COMP_SWAP(3),

	/** An atomic fetch and add. */
	FETCH_ADD(4),

	/** A memory window was bound. */
	BIND_MW(5),

	/** A local memory window was invalidated. */
	LOCAL_INV(6),

	/** A message arrived. */
	RECV(128),

	/** An RDMA WRITE with immediate data arrived. */
	RECV_RDMA_WITH_IMM(129);

	private final int code;

	CompletionOpcode(int code) {
		this.code = code;
	}

	/**
	 * Return the number of this opcode in {@code ibv_wc_opcode}.
	 * @return the number
	 */
	public int code() {
		return this.code;
	}

	/**
	 * Return whether the completion belongs to a receive.
	 * @return whether it is a receive completion
	 */
	public boolean isReceive() {
		return this.code >= RECV.code;
	}

	/**
	 * Return the opcode of a number.
	 * @param code the number in {@code ibv_wc_opcode}
	 * @return the opcode
	 * @throws IllegalArgumentException if there is none
	 */
	public static CompletionOpcode of(int code) {
		return switch (code) {
			case 0 -> SEND;
			case 1 -> RDMA_WRITE;
			case 2 -> RDMA_READ;
			case 3 -> COMP_SWAP;
			case 4 -> FETCH_ADD;
			case 5 -> BIND_MW;
			case 6 -> LOCAL_INV;
			case 128 -> RECV;
			case 129 -> RECV_RDMA_WITH_IMM;
			default -> throw new IllegalArgumentException("No completion opcode has the number " + code);
		};
	}

}
