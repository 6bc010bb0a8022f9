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

package io.rdma.verbs.ibv;

import java.nio.ByteBuffer;

import io.rdma.verbs.StructLayouts.RecvWr;
import io.rdma.verbs.StructLayouts.SendWr;

/**
 * Finds the address of a chain of work requests, which stands in the chain itself: the
 * first request points to its scatter/gather entries, whose place is known.
 */
final class ChainMemory {

	private ChainMemory() {
	}

	static long sendBase(ByteBuffer memory, int sgeOffset) {
		return memory.getLong(SendWr.SG_LIST) - sgeOffset;
	}

	static long receiveBase(ByteBuffer memory, int sgeOffset) {
		return memory.getLong(RecvWr.SG_LIST) - sgeOffset;
	}

}
