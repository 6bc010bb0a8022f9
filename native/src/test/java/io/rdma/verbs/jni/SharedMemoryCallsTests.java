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
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SharedMemoryCalls}.
 */
@EnabledIf("io.rdma.verbs.jni.NativeBuild#isThere")
class SharedMemoryCallsTests {

	@Test
	void shouldBeAvailable() {
		assertThat(SharedMemoryCalls.unavailabilityCause()).isNull();
	}

	@Test
	void shouldCreateAFileThatTwoMappingsShare() throws IOException {
		int descriptor = SharedMemoryCalls.createMemoryFile(10_000);
		MappedByteBuffer first;
		MappedByteBuffer second;
		try (FileChannel one = open(descriptor); FileChannel two = open(descriptor)) {
			assertThat(one.size()).isEqualTo(10_000);
			first = one.map(MapMode.READ_WRITE, 0, 10_000);
			second = two.map(MapMode.READ_WRITE, 0, 10_000);
		}
		SharedMemoryCalls.close(descriptor);
		assertThat(first.getInt(9_000)).isZero();
		first.putInt(9_000, 42);
		assertThat(second.getInt(9_000)).isEqualTo(42);
	}

	@Test
	void shouldNotChangeItsLength() throws IOException {
		int descriptor = SharedMemoryCalls.createMemoryFile(8_192);
		try (FileChannel channel = open(descriptor)) {
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> channel.truncate(4_096));
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> channel.write(ByteBuffer.allocate(1), 8_192));
			assertThat(SystemCalls.addSeals(descriptor, 8)).as("another seal").isEqualTo(-1);
			assertThat(channel.size()).isEqualTo(8_192);
		}
		finally {
			SharedMemoryCalls.close(descriptor);
		}
	}

	@Test
	void shouldHoldMoreThanFourGigabytesWhenSparse() throws IOException {
		long length = 5L << 30;
		int descriptor = SharedMemoryCalls.createMemoryFile(length);
		try (FileChannel channel = open(descriptor)) {
			MappedByteBuffer end = channel.map(MapMode.READ_WRITE, length - 8, 8);
			end.putLong(0, 7);
			assertThat(end.getLong(0)).isEqualTo(7);
		}
		finally {
			SharedMemoryCalls.close(descriptor);
		}
	}

	@Test
	void shouldOpenAFileOfAnotherProcess() throws IOException {
		int descriptor = SharedMemoryCalls.createMemoryFile(4_096);
		int opened = SharedMemoryCalls.openMemoryFile(ProcessHandle.current().pid(), descriptor);
		assertThat(opened).isNotEqualTo(descriptor);
		try (FileChannel one = open(descriptor); FileChannel two = open(opened)) {
			one.write(ByteBuffer.wrap(new byte[] { 42 }), 7);
			ByteBuffer read = ByteBuffer.allocate(1);
			two.read(read, 7);
			assertThat(read.get(0)).isEqualTo((byte) 42);
		}
		finally {
			SharedMemoryCalls.close(descriptor);
			SharedMemoryCalls.close(opened);
		}
	}

	@Test
	void whenAFileOfAnotherProcessCanBeTruncatedThenItIsRefused(@TempDir Path directory) throws IOException {
		long process = ProcessHandle.current().pid();
		Path file = directory.resolve("file");
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			assertThat(channel.isOpen()).isTrue();
			assertThatExceptionOfType(IOException.class)
				.isThrownBy(() -> SharedMemoryCalls.openMemoryFile(process, descriptorOf(file)));
		}
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> SharedMemoryCalls.openMemoryFile(process, Integer.MAX_VALUE));
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> SharedMemoryCalls.openMemoryFile(Integer.MAX_VALUE, 0));
	}

	private static int descriptorOf(Path file) throws IOException {
		try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
			return descriptors.filter((descriptor) -> file.equals(target(descriptor)))
				.mapToInt((descriptor) -> Integer.parseInt(descriptor.getFileName().toString()))
				.findFirst()
				.orElseThrow();
		}
	}

	private static @Nullable Path target(Path descriptor) {
		try {
			return Files.readSymbolicLink(descriptor);
		}
		catch (IOException ex) {
			// it was the one that the directory was read by
			return null;
		}
	}

	@Test
	void whenPagesAreReleasedThenZerosTakeTheirPlace() throws IOException {
		int descriptor = SharedMemoryCalls.createMemoryFile(10_000);
		try (FileChannel channel = open(descriptor)) {
			MappedByteBuffer mapped = channel.map(MapMode.READ_WRITE, 0, 10_000);
			mapped.put(9_999, (byte) 1);
			SharedMemoryCalls.releasePages(mapped);
			assertThat(mapped.get(9_999)).isZero();
			mapped.put(9_999, (byte) 2);
			ByteBuffer read = ByteBuffer.allocate(1);
			channel.read(read, 9_999);
			assertThat(read.get(0)).isEqualTo((byte) 1);
			MappedByteBuffer part = mapped.slice(1, 8);
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> SharedMemoryCalls.releasePages(part));
		}
		finally {
			SharedMemoryCalls.close(descriptor);
		}
	}

	@Test
	void whenTheLengthIsNoneThenItIsRefused() {
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> SharedMemoryCalls.createMemoryFile(0));
	}

	@Test
	void whenTheDescriptorIsNotOpenThenItIsRefused() {
		assertThatExceptionOfType(SystemCallException.class).isThrownBy(() -> SharedMemoryCalls.close(1_000_000))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(LinuxError.EBADF))
			.withMessageContaining("close: the descriptor is not open");
	}

	private static FileChannel open(int descriptor) throws IOException {
		return FileChannel.open(Path.of("/proc/self/fd/" + descriptor), StandardOpenOption.READ,
				StandardOpenOption.WRITE);
	}

}
