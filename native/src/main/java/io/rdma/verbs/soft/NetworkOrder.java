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

import java.nio.ByteOrder;

/**
 * Immediate data stand in work requests and completions in network order, whatever the
 * order of the machine is.
 */
final class NetworkOrder {

	private static final boolean IS_NATIVE = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

	private NetworkOrder() {
	}

	/**
	 * Return the number that four bytes in network order stand for.
	 * @param bytes the bytes, loaded in the order of the machine
	 * @return the number
	 */
	static int toNumber(int bytes) {
		return IS_NATIVE ? bytes : Integer.reverseBytes(bytes);
	}

	/**
	 * Return four bytes in network order.
	 * @param number the number they stand for
	 * @return the bytes, to be stored in the order of the machine
	 */
	static int fromNumber(int number) {
		return toNumber(number);
	}

}
