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

import java.io.IOException;
import java.nio.MappedByteBuffer;

import org.jspecify.annotations.Nullable;

/**
 * Files that exist in memory only, by their descriptors. Thread-safe.
 */
public final class SharedMemoryCalls {

	private static final int MFD_CLOEXEC = 1;

	private static final int MFD_ALLOW_SEALING = 2;

	/** Not before Linux 6.3, which can be told to refuse files without it. */
	private static final int MFD_NOEXEC_SEAL = 8;

	private static final int F_SEAL_SEAL = 1;

	private static final int F_SEAL_SHRINK = 2;

	private static final int F_SEAL_GROW = 4;

	private static final int FIXED_LENGTH = F_SEAL_SHRINK | F_SEAL_GROW;

	private static final int PAGE = 4096;

	private SharedMemoryCalls() {
	}

	/**
	 * Return why there are none. The native library is loaded for that. A kernel that has
	 * no such files is found out by creating one.
	 * @return the reason, {@code null} if there are
	 */
	public static @Nullable NativeLibraryException unavailabilityCause() {
		return SharedLibrary.load();
	}

	/**
	 * Create a file of zeros whose length nobody can change: it is sealed against
	 * shrinking, growing and other seals. It has no name; this process finds it as
	 * {@code /proc/self/fd/N} and another of the same user as {@code /proc/PID/fd/N}. It
	 * lives until its descriptor is closed and nobody has it open or mapped.
	 * @param length its length in bytes, at least 1
	 * @return its descriptor, which programs that are started do not inherit and which
	 * the caller closes
	 * @throws IOException if it cannot be created; the message says what the system
	 * refused
	 * @throws NativeLibraryException if the native library cannot be used
	 */
	public static int createMemoryFile(long length) throws IOException {
		if (length < 1) {
			throw new IllegalArgumentException("A file in memory of " + length + " bytes cannot be created");
		}
		SharedLibrary.require();
		int created = SystemCalls.createMemoryFile(MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
		if (created == -LinuxError.EINVAL) {
			created = SystemCalls.createMemoryFile(MFD_CLOEXEC | MFD_ALLOW_SEALING);
		}
		int descriptor = SystemCallException.check(created, "memfd_create");
		try {
			SystemCallException.check(SystemCalls.truncate(descriptor, length), "ftruncate to " + length + " bytes");
			SystemCallException.check(SystemCalls.addSeals(descriptor, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL),
					"fcntl F_ADD_SEALS");
			return descriptor;
		}
		catch (IOException ex) {
			SystemCalls.close(descriptor);
			throw ex;
		}
	}

	/**
	 * Open a file that another process created with {@link #createMemoryFile}.
	 * @param process the number of the process, as this one sees it
	 * @param descriptor its descriptor of the file
	 * @return our descriptor of it, which the caller closes
	 * @throws IOException if it cannot be opened, or if its length can be changed
	 * @throws NativeLibraryException if the native library cannot be used
	 */
	public static int openMemoryFile(long process, int descriptor) throws IOException {
		SharedLibrary.require();
		int opened = SystemCallException.check(SystemCalls.openFileOf(process, descriptor),
				"open /proc/" + process + "/fd/" + descriptor);
		try {
			int seals = SystemCallException.check(SystemCalls.sealsOf(opened), "fcntl F_GET_SEALS");
			if ((seals & FIXED_LENGTH) != FIXED_LENGTH) {
				throw new IOException("File " + descriptor + " of process " + process + " can be truncated");
			}
			return opened;
		}
		catch (IOException ex) {
			SystemCalls.close(opened);
			throw ex;
		}
	}

	/**
	 * Let go of the pages of a mapped file before the buffer is unmapped: zeros take
	 * their place, which who still uses the buffer sees from then on.
	 * @param mapped the whole of what was mapped, from the start of a page
	 * @throws IOException if the system refuses
	 * @throws NativeLibraryException if the native library cannot be used
	 */
	public static void releasePages(MappedByteBuffer mapped) throws IOException {
		SharedLibrary.require();
		if (mapped.alignmentOffset(0, PAGE) != 0) {
			throw new IllegalArgumentException("The buffer is a part of what was mapped");
		}
		SystemCallException.check(SystemCalls.replacePages(mapped, mapped.capacity()), "mmap");
	}

	/**
	 * Close a descriptor. Once only: another file can have its number at once.
	 * @param descriptor what {@link #createMemoryFile} or {@link #openMemoryFile}
	 * returned
	 * @throws IOException if it was not open
	 */
	public static void close(int descriptor) throws IOException {
		SharedLibrary.require();
		SystemCallException.check(SystemCalls.close(descriptor), "close");
	}

}
