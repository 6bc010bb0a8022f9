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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

import io.rdma.verbs.Errno;
import io.rdma.verbs.VerbsException;

/**
 * The limit on memory that a process may pin ({@code RLIMIT_MEMLOCK}). Registration pins
 * pages, and a device refuses what exceeds the limit with no word on why.
 */
public final class MemoryLock {

	private static final int CAP_IPC_LOCK = 14;

	private static final Pattern INITIAL_NAMESPACE = Pattern.compile("0\\s+0\\s+4294967295");

	/** How the limit is raised, as a sentence for messages. */
	static final String REMEDY = "Raise it: in a shell with ulimit -l unlimited, in a systemd unit with "
			+ "LimitMEMLOCK=infinity, with Docker by --ulimit memlock=-1, on Kubernetes in the container runtime's "
			+ "unit or with the capability IPC_LOCK for a container that runs as root";

	private final Path proc;

	MemoryLock(Path proc) {
		this.proc = proc;
	}

	/**
	 * Return the limit of this process.
	 * @return the limit
	 */
	public static MemoryLock ofThisProcess() {
		return new MemoryLock(Path.of("/proc/self"));
	}

	/**
	 * Return how many bytes the process may pin.
	 * @return the bytes, {@link Long#MAX_VALUE} if there is no limit or it is not known
	 */
	public long limit() {
		if (mayExceed()) {
			return Long.MAX_VALUE;
		}
		for (String line : read("limits").split("\n", -1)) {
			if (line.startsWith("Max locked memory")) {
				String soft = line.substring("Max locked memory".length()).strip().split("\\s+", -1)[0];
				return "unlimited".equals(soft) ? Long.MAX_VALUE : Long.parseLong(soft);
			}
		}
		return Long.MAX_VALUE;
	}

	/**
	 * Return how many bytes the process has pinned.
	 * @return the bytes
	 */
	public long pinned() {
		String[] fields = status("VmPin").split("\\s+", -1);
		return fields[0].isEmpty() ? 0 : Long.parseLong(fields[0]) * 1024;
	}

	/**
	 * Return how many bytes the process may still pin.
	 * @return the bytes, {@link Long#MAX_VALUE} if there is no limit or it is not known
	 */
	public long available() {
		long limit = limit();
		return (limit == Long.MAX_VALUE) ? limit : Math.max(0, limit - pinned());
	}

	private boolean mayExceed() {
		// the kernel asks for the capability in the first user namespace, and a process
		// that is root in another only sees it; a kernel without them has no such file
		String map = read("uid_map").strip();
		if (!map.isEmpty() && !INITIAL_NAMESPACE.matcher(map).matches()) {
			return false;
		}
		String capabilities = status("CapEff");
		return !capabilities.isEmpty() && (Long.parseUnsignedLong(capabilities, 16) & (1L << CAP_IPC_LOCK)) != 0;
	}

	/**
	 * Check that memory can be pinned.
	 * @param length how many bytes
	 * @throws VerbsException with {@link Errno#ENOMEM} if that exceeds the limit; the
	 * message says how to raise it
	 */
	public void check(long length) {
		long limit = limit();
		if (limit == Long.MAX_VALUE) {
			return;
		}
		long pinned = pinned();
		if (length > limit - pinned) {
			throw new VerbsException("ibv_reg_mr", Errno.ENOMEM,
					"Registering " + length + " bytes, with " + pinned + " pinned already, exceeds the limit of "
							+ limit + " bytes on locked memory (RLIMIT_MEMLOCK). " + REMEDY);
		}
	}

	private String status(String key) {
		for (String line : read("status").split("\n", -1)) {
			if (line.startsWith(key + ":")) {
				return line.substring(key.length() + 1).strip();
			}
		}
		return "";
	}

	private String read(String file) {
		try {
			return Files.readString(this.proc.resolve(file), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			return "";
		}
	}

}
