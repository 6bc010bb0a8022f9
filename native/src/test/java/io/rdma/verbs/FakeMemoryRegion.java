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

import java.util.Set;

/**
 * A memory region with an invented address and keys.
 */
class FakeMemoryRegion extends AbstractMemoryRegion {

	static final long ADDRESS = 0x1234_5678_9000L;

	static final int LKEY = 0x0a0b_0c0d;

	static final int RKEY = 0x0102_0304;

	FakeMemoryRegion(FakeDeviceContext context, long length) {
		this(context, HostMemory.allocate(length));
	}

	FakeMemoryRegion(FakeDeviceContext context, HostMemory memory) {
		super(memory, Set.of(AccessFlag.LOCAL_WRITE), context);
	}

	@Override
	public ProtectionDomain protectionDomain() {
		throw new UnsupportedOperationException();
	}

	@Override
	public long address() {
		return ADDRESS;
	}

	@Override
	public int lkey() {
		return LKEY;
	}

	@Override
	public int rkey() {
		return RKEY;
	}

	@Override
	protected void destroy() {
	}

}
