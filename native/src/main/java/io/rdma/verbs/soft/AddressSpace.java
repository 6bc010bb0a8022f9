package io.rdma.verbs.soft;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Invents addresses: every run of memory gets its own, no two overlap, and between two
 * there is a page that belongs to nobody, so that running over an end is always noticed.
 * An address is as far past a page as the memory truly is, so that what is aligned here
 * is aligned for the processor.
 */
final class AddressSpace {

	static final int PAGE = 4096;

	private static final AtomicLong NEXT = new AtomicLong(RandomNumbers.addressBase());

	private AddressSpace() {
	}

	static long reserve(long length, int pageOffset) {
		long pages = (pageOffset + length + PAGE - 1) / PAGE + 1;
		return NEXT.getAndAdd(pages * PAGE) + pageOffset;
	}

}
