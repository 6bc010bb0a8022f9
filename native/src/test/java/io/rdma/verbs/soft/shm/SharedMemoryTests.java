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

package io.rdma.verbs.soft.shm;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.rdma.verbs.HostMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Memory that can be shared, from its allocation to its end.
 */
class SharedMemoryTests {

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path parent;

	private SharedMemory memory = new SharedMemory(SharedMemoryOptions.defaults());

	@AfterEach
	void close() {
		this.memory.close();
	}

	private void useNamedFiles() {
		this.memory = new SharedMemory(new SharedMemoryOptions(false, this.parent, 0));
	}

	private HostMemory allocate(long length) {
		return Objects.requireNonNull(this.memory.allocate(length, false));
	}

	private static SharedPiece piece(HostMemory memory) {
		return Objects.requireNonNull(SharedPiece.of(memory));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whenAllocatedThenMemoryIsZeroAndStartsAtAPage(boolean named) {
		if (named) {
			useNamedFiles();
		}
		for (int length : new int[] { 1, 4095, 4097, 128 << 10, (128 << 10) + 1, 3 << 20 }) {
			HostMemory allocated = allocate(length);
			assertThat(allocated.length()).isEqualTo(length);
			assertThat(allocated.alignmentOffset(0, 4096)).isZero();
			ByteBuffer bytes = allocated.slice(0, length);
			assertThat(bytes.mismatch(ByteBuffer.allocate(length))).isEqualTo(-1);
			bytes.put(length - 1, (byte) 1);
		}
	}

	@Test
	void whenPiecesAreSmallThenTheyShareAFileAndAreNeverHandedOutAgain() {
		HostMemory first = allocate(100);
		HostMemory second = allocate(5000);
		assertThat(piece(first).fileId()).isEqualTo(piece(second).fileId());
		assertThat(piece(second).offset()).isEqualTo(4096);
		this.memory.release(second);
		HostMemory third = allocate(100);
		assertThat(piece(third).offset()).isEqualTo(3 * 4096);
		assertThat(piece(allocate(1 << 20)).fileId()).isNotEqualTo(piece(first).fileId());
	}

	@Test
	void whenAllPiecesOfAFullFileAreReleasedThenTheFileGoes() throws IOException {
		useNamedFiles();
		List<HostMemory> pieces = Stream.generate(() -> allocate(128 << 10)).limit(9).toList();
		assertThat(piece(pieces.get(8)).fileId()).isNotEqualTo(piece(pieces.get(0)).fileId());
		assertThat(files()).hasSize(2);
		pieces.subList(0, 7).forEach(this.memory::release);
		assertThat(files()).hasSize(2);
		this.memory.release(pieces.get(7));
		assertThat(files()).hasSize(1);
		assertThat(pieces.get(0).slice(0, 1).put(0, (byte) 1).get(0)).isEqualTo((byte) 1);
	}

	private List<Path> files() throws IOException {
		try (Stream<Path> files = Files.walk(this.parent)) {
			return files.filter((file) -> file.getFileName().toString().startsWith("memory-")).toList();
		}
	}

	@Test
	void whenFilesHaveNamesThenOnlyTheirUserCanOpenThem() throws IOException {
		useNamedFiles();
		allocate(1 << 20);
		Path file = files().get(0);
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
		assertThat(
				PosixFilePermissions.toString(Files.getPosixFilePermissions(Objects.requireNonNull(file.getParent()))))
			.isEqualTo("rwx------");
	}

	@Test
	void whenFilesCanBeTruncatedThenMemoryForAtomicsIsNotShared() {
		useNamedFiles();
		assertThat(this.memory.allocate(8, true)).isNull();
		assertThat(this.memory.allocate(8, false)).isNotNull();
	}

	@Test
	@EnabledIf("io.rdma.verbs.jni.NativeBuild#isThere")
	void whenFilesCannotBeTruncatedThenMemoryForAtomicsIsShared() {
		assertThat(this.memory.allocate(8, true)).isNotNull();
	}

	@Test
	void whenMoreThanMayBeSharedIsWantedThenOrdinaryMemoryHasToDo() throws IOException {
		this.memory = new SharedMemory(new SharedMemoryOptions(true, null, 1));
		assertThat(this.memory.allocate(4096, false)).isNull();
		assertThat(this.memory.allocate(1 << 20, false)).isNull();
		assertThatIOException().isThrownBy(() -> this.memory.createFile(4096))
			.withMessageContaining("MaxDirectMemorySize");
		// rings are small and always there
		this.memory.newConnection(1, 16, new Idle()).close();
	}

	@Test
	void whenFileWouldLeaveNoSpaceForOthersThenItIsNotMade() throws IOException {
		this.memory = new SharedMemory(new SharedMemoryOptions(false, this.parent, Long.MAX_VALUE));
		FileStore place = Files.getFileStore(this.parent);
		long tooMuch = place.getUsableSpace() - Math.min(place.getTotalSpace() / 32, 500 << 20);
		assertThatIOException().isThrownBy(() -> this.memory.createFile(tooMuch)).withMessageContaining("for others");
		assertThat(files()).isEmpty();
		assertThat(this.memory.allocate(tooMuch, false)).isNull();
	}

	@Test
	void whenThereIsNoPlaceForFilesThenOrdinaryMemoryHasToDo() {
		this.memory = new SharedMemory(new SharedMemoryOptions(false, Path.of("/proc"), 0));
		assertThat(this.memory.allocate(4096, false)).isNull();
		assertThatIOException().isThrownBy(() -> this.memory.newConnection(1, 16, new Idle()));
	}

	@Test
	void whenThreadIsInterruptedThenMemoryIsSharedAndItStaysInterrupted() {
		Thread.currentThread().interrupt();
		try {
			allocate(1 << 20);
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		}
		finally {
			// for the sake of the tests that this thread runs after this one
			Thread.interrupted();
		}
	}

	@Test
	void whenClosedThenNoFileIsLeftAndNoneIsMade() throws IOException {
		useNamedFiles();
		HostMemory last = allocate(1 << 20);
		SharedConnection connection = this.memory.newConnection(1, 16, new Idle());
		assertThat(files()).hasSize(2);
		connection.close();
		this.memory.close();
		assertThat(this.parent).isEmptyDirectory();
		this.memory.release(last);
		assertThat(this.memory.allocate(4096, false)).isNull();
	}

	@Test
	void whenAProcessWasKilledThenWhatItLeftIsRemovedByTheNext() throws IOException {
		Path left = Files.createDirectory(this.parent.resolve("rdma-shm-1"));
		Path alive = Files.createDirectory(this.parent.resolve("rdma-shm-2"));
		Path starting = Files.createDirectory(this.parent.resolve("rdma-shm-3"));
		Path binding = Files.createDirectory(this.parent.resolve("rdma-shm-4"));
		Path other = Files.createDirectory(this.parent.resolve("else"));
		for (Path directory : List.of(left, alive, starting, binding, other)) {
			Files.createFile(directory.resolve("memory-1"));
		}
		listen(left).close();
		listen(other).close();
		listen(binding).close();
		Files.move(binding.resolve("socket"), binding.resolve("socket-new"));
		try (ServerSocketChannel server = listen(alive)) {
			assertThat(server.isOpen()).isTrue();
			useNamedFiles();
			allocate(100);
			assertThat(left).doesNotExist();
			assertThat(alive.resolve("memory-1")).exists();
			assertThat(starting.resolve("memory-1")).exists();
			assertThat(binding.resolve("memory-1")).exists();
			assertThat(other.resolve("memory-1")).exists();
		}
	}

	private static ServerSocketChannel listen(Path directory) throws IOException {
		ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
		return server.bind(UnixDomainSocketAddress.of(directory.resolve("socket")));
	}

	private static final class Idle implements ConnectionUser {

		@Override
		public boolean work() {
			return false;
		}

		@Override
		public void lost(boolean orderly) {
		}

	}

}
