package io.rdma.verbs;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A device context that only makes chains and batches. It invents addresses.
 */
class FakeDeviceContext extends AbstractDeviceContext {

	static final long BASE = 0x7000_0000_0000L;

	@Override
	protected long addressOf(ByteBuffer buffer) {
		return BASE;
	}

	@Override
	protected void destroy() {
	}

	@Override
	public DeviceInfo device() {
		return new DeviceInfo("fake0", 1, TransportType.INFINIBAND, null, -1);
	}

	@Override
	public DeviceAttributes queryDevice() {
		throw new UnsupportedOperationException();
	}

	@Override
	public PortAttributes queryPort(int port) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<GidEntry> queryGidTable(int port) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ProtectionDomain allocateProtectionDomain() {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionChannel createCompletionChannel() {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionQueue createCompletionQueue(int minimumCapacity, @Nullable CompletionChannel channel) {
		throw new UnsupportedOperationException();
	}

	@Override
	public @Nullable AsyncEvent awaitAsyncEvent(Duration timeout) {
		return null;
	}

}
