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
package io.rdma.verbs.jni;

import java.nio.ByteBuffer;

/**
 * System calls for sockets and files. A result below 0 is a negative error number. They
 * take descriptors and buffers as they are given: whoever calls them has checked both.
 */
final class SystemCalls {

	/** {@link #await}: the socket is ready, or has an error to tell. */
	static final int READY = 1;

	/** {@link #await}: the wake-up was used. */
	static final int WOKEN = 2;

	private SystemCalls() {
	}

	// socket.c

	static native int openSocket(boolean v6);

	static native int setOption(int fd, int level, int option, int value);

	static native int bind(int fd, byte[] address, int scope, int port);

	static native int localPort(int fd);

	static native int receive(int fd, ByteBuffer block, int slots, int slotSize);

	static native int send(int fd, ByteBuffer block, int slots, int slotSize, int from, int to);

	static native int await(int fd, boolean writable, int wakeup, long nanos);

	static native int drain(int wakeup);

	// memfile.c

	static native int createMemoryFile(int flags);

	static native int truncate(int fd, long length);

	static native int addSeals(int fd, int seals);

	static native int sealsOf(int fd);

	static native int openFileOf(long process, int descriptor);

	static native int replacePages(ByteBuffer buffer, long length);

	// descriptor.c

	static native int createWakeup();

	static native int wakeup(int fd);

	static native int close(int fd);

}
