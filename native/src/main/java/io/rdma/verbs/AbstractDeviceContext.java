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

/**
 * Base of device contexts: makes the memory that the fast path works in.
 */
public abstract class AbstractDeviceContext extends VerbsResource implements DeviceContext {

	/**
	 * Return what the device calls the address of a direct buffer's first byte.
	 * @param buffer the buffer
	 * @return the true address on a real device, an invented one elsewhere
	 */
	protected abstract long addressOf(ByteBuffer buffer);

	@Override
	public final SendWorkRequests allocateSendWorkRequests(int capacity, int maxScatterGather) {
		checkOpen();
		ByteBuffer memory = ArenaMemory.allocate(StructLayouts.SendWr.SIZE, capacity, maxScatterGather);
		return new SendWorkRequests(this, memory, addressOf(memory), capacity, maxScatterGather);
	}

	@Override
	public final ReceiveWorkRequests allocateReceiveWorkRequests(int capacity, int maxScatterGather) {
		checkOpen();
		ByteBuffer memory = ArenaMemory.allocate(StructLayouts.RecvWr.SIZE, capacity, maxScatterGather);
		return new ReceiveWorkRequests(this, memory, addressOf(memory), capacity, maxScatterGather);
	}

	@Override
	public final WorkCompletions allocateWorkCompletions(int capacity) {
		checkOpen();
		return new WorkCompletions(this, capacity);
	}

	@Override
	protected String describe() {
		return "device context " + device().name();
	}

	@Override
	protected String destroyVerb() {
		return "ibv_close_device";
	}

}
