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
