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
