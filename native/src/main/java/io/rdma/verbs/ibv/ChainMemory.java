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

import io.rdma.verbs.SendFlag;
import io.rdma.verbs.StructLayouts.RecvWr;
import io.rdma.verbs.StructLayouts.SendWr;
import io.rdma.verbs.WorkRequestOpcode;

/**
 * What the device needs to know of a chain of work requests beyond its memory.
 */
final class ChainMemory {

	private static final int INLINE = SendFlag.INLINE.bit();

	private ChainMemory() {
	}

	/**
	 * Return the address of a chain, which stands in the chain itself: the first request
	 * points to its scatter/gather entries, whose place is known.
	 */
	static long sendBase(ByteBuffer memory, int sgeOffset) {
		return memory.getLong(SendWr.SG_LIST) - sgeOffset;
	}

	static long receiveBase(ByteBuffer memory, int sgeOffset) {
		return memory.getLong(RecvWr.SG_LIST) - sgeOffset;
	}

	/**
	 * Return how many requests come before the first that asks to copy while posting what
	 * is only to arrive later. Providers take such a READ or atomic, and then the device
	 * takes the copied bytes for the place to put the answer.
	 */
	static int leadingValidSends(ByteBuffer memory, int count) {
		for (int i = 0; i < count; i++) {
			if ((memory.getInt(i * SendWr.SIZE + SendWr.SEND_FLAGS) & INLINE) != 0
					&& isAnswered(memory.getInt(i * SendWr.SIZE + SendWr.OPCODE))) {
				return i;
			}
		}
		return count;
	}

	private static boolean isAnswered(int opcode) {
		return opcode == WorkRequestOpcode.RDMA_READ.code() || opcode == WorkRequestOpcode.ATOMIC_CMP_AND_SWP.code()
				|| opcode == WorkRequestOpcode.ATOMIC_FETCH_AND_ADD.code();
	}

	/**
	 * End a chain early.
	 * @param memory the memory of the chain
	 * @param count how many requests to leave in it, at least 1
	 * @return the link that was cut, for {@link #linkSends}
	 */
	static long cutSends(ByteBuffer memory, int count) {
		int field = (count - 1) * SendWr.SIZE + SendWr.NEXT;
		long link = memory.getLong(field);
		memory.putLong(field, 0);
		return link;
	}

	static void linkSends(ByteBuffer memory, int count, long link) {
		memory.putLong((count - 1) * SendWr.SIZE + SendWr.NEXT, link);
	}

}
