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

import java.nio.ByteBuffer;

/**
 * Writes into chains what their setters refuse, to see what a device makes of it.
 */
public final class WorkRequestTampering {

	private WorkRequestTampering() {
	}

	/**
	 * Change the lkey of the first scatter/gather entry of the last work request.
	 * @param chain the chain
	 * @param lkey the key
	 */
	public static void lkey(SendWorkRequests chain, int lkey) {
		put(chain.memory(), chain.sgeOffset(chain.size() - 1) + StructLayouts.Sge.LKEY, lkey);
	}

	/**
	 * Change the lkey of the first scatter/gather entry of the last work request.
	 * @param chain the chain
	 * @param lkey the key
	 */
	public static void lkey(ReceiveWorkRequests chain, int lkey) {
		put(chain.memory(), chain.sgeOffset(chain.size() - 1) + StructLayouts.Sge.LKEY, lkey);
	}

	/**
	 * Change the length of the first scatter/gather entry of the last work request.
	 * @param chain the chain
	 * @param length how many bytes
	 */
	public static void length(SendWorkRequests chain, int length) {
		put(chain.memory(), chain.sgeOffset(chain.size() - 1) + StructLayouts.Sge.LENGTH, length);
	}

	/**
	 * Change the length of the first scatter/gather entry of the last work request.
	 * @param chain the chain
	 * @param length how many bytes
	 */
	public static void length(ReceiveWorkRequests chain, int length) {
		put(chain.memory(), chain.sgeOffset(chain.size() - 1) + StructLayouts.Sge.LENGTH, length);
	}

	/**
	 * Change the opcode of the last work request.
	 * @param chain the chain
	 * @param code the number
	 */
	public static void opcode(SendWorkRequests chain, int code) {
		put(chain.memory(), (chain.size() - 1) * StructLayouts.SendWr.SIZE + StructLayouts.SendWr.OPCODE, code);
	}

	private static void put(ByteBuffer memory, int at, int value) {
		StructLayouts.INT.set(memory, at, value);
	}

}
