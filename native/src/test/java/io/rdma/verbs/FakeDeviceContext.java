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
