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

import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.SendFlag;
import io.rdma.verbs.StructLayouts.RecvWr;
import io.rdma.verbs.StructLayouts.SendWr;
import io.rdma.verbs.StructLayouts.Sge;
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
	 * Return how many requests come before the first that is not to reach the provider.
	 *
	 * <ul>
	 * <li>One that asks to copy while posting what is only to arrive later: providers
	 * take such a READ or atomic, and then the device takes the copied bytes for the
	 * place to put the answer.</li>
	 * <li>One that exceeds what the queue pair was granted: some providers say ENOMEM to
	 * that, as if the queue were full and it were worth to try again.</li>
	 * </ul>
	 * @param memory the memory of the chain
	 * @param sgeOffset where in it the scatter/gather entries of the first request stand
	 * @param sgeStride the distance in bytes to those of the next request
	 * @param count how many requests
	 * @param limits what the queue pair was granted
	 */
	static int leadingValidSends(ByteBuffer memory, int sgeOffset, int sgeStride, int count,
			QueuePairCapabilities limits) {
		for (int i = 0; i < count; i++) {
			int entries = memory.getInt(i * SendWr.SIZE + SendWr.NUM_SGE);
			if (entries > limits.maxSendScatterGather()) {
				return i;
			}
			if ((memory.getInt(i * SendWr.SIZE + SendWr.SEND_FLAGS) & INLINE) != 0
					&& (isAnswered(memory.getInt(i * SendWr.SIZE + SendWr.OPCODE))
							|| length(memory, sgeOffset + i * sgeStride, entries) > limits.maxInlineData())) {
				return i;
			}
		}
		return count;
	}

	private static long length(ByteBuffer memory, int firstEntry, int entries) {
		long length = 0;
		for (int i = 0; i < entries; i++) {
			length += Integer.toUnsignedLong(memory.getInt(firstEntry + i * Sge.SIZE + Sge.LENGTH));
		}
		return length;
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
