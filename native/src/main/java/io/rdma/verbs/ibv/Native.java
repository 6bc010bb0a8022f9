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

import org.jspecify.annotations.Nullable;

/**
 * The functions of the native library that need libibverbs, and those around them, bound
 * by {@link NativeLibrary}. A result below 0 is a negative error number, a {@code long}
 * above 0 a pointer. A parameter named {@code cell} is the {@linkplain Handle#cell()
 * cell} of a handle that other threads may close; {@link #CLOSED} is returned when it is.
 */
final class Native {

	/** The handle was closed. */
	static final int CLOSED = -108;

	/** The wait was ended by a wake-up. */
	static final int WOKEN = -125;

	private Native() {
	}

	// verbs.c

	static native @Nullable String openLibrary(String name);

	// system.c

	static native int pageSize();

	static native int registerBarrier();

	static native int barrier();

	static native long map(long length, boolean huge);

	static native int replace(long start, long length);

	static native int unmap(long start, long length);

	static native int keepFromChildren(long start, long length);

	static native @Nullable ByteBuffer view(long start, long length);

	static native long addressOf(ByteBuffer buffer);

	static native @Nullable String interfaceName(int index);

	// descriptor.c

	static native int createWakeup();

	static native int wakeup(int fd);

	static native int close(int fd);

	// device.c

	static native String @Nullable [] devices();

	static native long openDevice(String name);

	static native int closeDevice(long context);

	static native int queryDevice(long cell, long[] values, byte[] firmware);

	static native int queryOnDemand(long cell);

	static native int queryPort(long cell, int port, long[] values);

	static native int queryGidTable(long cell, long[] values);

	static native int awaitEvent(long cell, int wakeup, int millis, long[] values);

	static native long allocateProtectionDomain(long context);

	static native int deallocateProtectionDomain(long pd);

	// memory.c

	static native long registerMemory(long pd, long start, long length, int access, int[] keys);

	static native int deregisterMemory(long mr);

	static native long allocateWindow(long pd, int[] keys);

	static native int deallocateWindow(long mw);

	// completion.c

	static native long createCompletionChannel(long context);

	static native int destroyCompletionChannel(long channel);

	static native long awaitCompletion(long cell, int wakeup, int millis);

	static native long createCompletionQueue(long context, int capacity, long channel, long number, int[] granted);

	static native int destroyCompletionQueue(long cq);

	static native int arm(long cell, boolean solicitedOnly);

	// queue.c

	static native long createQueuePair(long pd, long sendCq, long receiveCq, long srq, boolean signalAll, long number,
			int[] sizes);

	static native int modifyQueuePair(long cell, long[] values, int mask);

	static native int queryQueuePair(long cell, long[] values, int mask);

	static native int destroyQueuePair(long qp);

	static native long createSharedReceiveQueue(long pd, long number, int[] sizes);

	static native int querySharedReceiveQueue(long srq);

	static native int armLimit(long cell, int limit);

	static native int destroySharedReceiveQueue(long srq);

	// data.c

	static native long postSend(long cell, long chain);

	static native long postReceive(long cell, long chain);

	static native long postSharedReceive(long cell, long chain);

	static native int poll(long cell, long completions, int max);

	static native int postBind(long cell, long wrId, long window, long region, long start, long length, int access,
			int flags, int[] key);

}
