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
		super(HostMemory.allocate(length), Set.of(AccessFlag.LOCAL_WRITE), context);
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
