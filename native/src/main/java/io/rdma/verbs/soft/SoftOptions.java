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

import java.net.InetAddress;
import java.util.Set;

import io.rdma.verbs.PathKind;
import io.rdma.verbs.jni.LibrarySettings;
import io.rdma.verbs.soft.net.Impairment;
import io.rdma.verbs.soft.shm.SharedMemoryOptions;
import org.jspecify.annotations.Nullable;

/**
 * How a software device is made.
 *
 * @param address its address
 * @param port its UDP port, {@code null} for the standard one or, if that is taken, any
 * @param paths by which of the paths it may reach a peer
 * @param nativeSockets whether it may use the native library for its socket
 * @param impairment what is between it and its socket
 * @param sharedMemory how it shares memory with other processes
 * @param library where the native library is, {@code null} to go by system properties
 */
record SoftOptions(InetAddress address, @Nullable Integer port, Set<PathKind> paths, boolean nativeSockets,
		Impairment impairment, SharedMemoryOptions sharedMemory, @Nullable LibrarySettings library) {

	/** The UDP port of RoCEv2. */
	static final int STANDARD_PORT = 4791;

	boolean allows(PathKind path) {
		return this.paths.contains(path);
	}

}
