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
 * Flags of a send work request ({@code ibv_send_flags}).
 */
public enum SendFlag implements BitFlag {

	/**
	 * Start only when all earlier READ and atomic requests of this queue pair are done.
	 */
	FENCE(1),

	/**
	 * Report success with a work completion. Failure is always reported.
	 */
	SIGNALED(1 << 1),

	/**
	 * Mark the peer's receive completion as solicited.
	 */
	SOLICITED(1 << 2),

	/**
	 * Copy the payload while posting: the memory may be reused at once and its lkey is
	 * not looked at. SEND and RDMA WRITE only.
	 */
	INLINE(1 << 3);

	private final int bit;

	SendFlag(int bit) {
		this.bit = bit;
	}

	@Override
	public int bit() {
		return this.bit;
	}

}
