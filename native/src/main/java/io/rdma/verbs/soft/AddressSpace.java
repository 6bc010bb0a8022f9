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
