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

package io.rdma.core.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Which process on which host a side is.
 *
 * @param hostId a text that is the same for all processes since the host was booted
 * @param pid the number of the process
 * @param processId drawn at random by the process
 */
record HostIdentity(String hostId, long pid, UUID processId) {

	private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

	private static final HostIdentity CURRENT = new HostIdentity(readHostId(), ProcessHandle.current().pid(),
			UUID.randomUUID());

	static HostIdentity current() {
		return CURRENT;
	}

	private static String readHostId() {
		try {
			return Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip();
		}
		catch (IOException ex) {
			// not Linux: the processes of this host cannot be told from those of others
			return "unknown-" + UUID.randomUUID();
		}
	}

}
