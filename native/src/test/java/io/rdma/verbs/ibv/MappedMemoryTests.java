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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Errno;
import io.rdma.verbs.MemoryOptions;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the memory of regions.
 */
@EnabledIf("io.rdma.verbs.ibv.Standin#isBuilt")
class MappedMemoryTests {

	private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

	private final DeviceContext context = Standin.open();

	private final ProtectionDomain domain = this.context.allocateProtectionDomain();

	@AfterEach
	void close() {
		this.domain.close();
		this.context.close();
	}

	@Test
	void shouldBeAlignedZeroedAndWritable() {
		try (MemoryRegion region = this.domain.allocateMemory(10_000, ACCESS)) {
			assertThat(region.address() % 4096).isZero();
			assertThat(region.length()).isEqualTo(10_000);
			ByteBuffer view = region.buffer(0, 10_000);
			while (view.hasRemaining()) {
				assertThat(view.get()).isZero();
			}
			region.putLongRelease(9992, 42);
			assertThat(region.getLongAcquire(9992)).isEqualTo(42);
		}
	}

	@Test
	void whenReleasedThenViewsReadZerosAndCanBeWritten() {
		ByteBuffer view;
		ByteBuffer part;
		try (MemoryRegion region = this.domain.allocateMemory(1 << 20, ACCESS)) {
			view = region.buffer(0, 1 << 20);
			part = region.buffer(4096, 8).slice();
			view.putLong(4096, -1L).putLong((1 << 20) - 8, -1L);
			assertThat(part.getLong(0)).isEqualTo(-1);
		}
		assertThat(part.getLong(0)).isZero();
		assertThat(view.getLong((1 << 20) - 8)).isZero();
		view.putLong(4096, 7);
		assertThat(part.getLong(0)).isEqualTo(7);
	}

	@Test
	void whenReleasedThenTheMemoryIsFreeThoughViewsRemain() throws IOException {
		long size = 64L << 20;
		ByteBuffer view;
		long address;
		try (MemoryRegion region = this.domain.allocateMemory(size, ACCESS)) {
			address = region.address();
			view = region.buffer(0, (int) size);
			for (int i = 0; i < size; i += 4096) {
				view.put(i, (byte) 1);
			}
			assertThat(pagesInUse(address, size)).isEqualTo(size / 4096);
		}
		assertThat(pagesInUse(address, size)).isZero();
		assertThat(view.get(4096)).isZero();
	}

	@Test
	void whenNoViewIsLeftThenItIsUnmapped() throws IOException {
		long before = mappedBytes();
		for (int i = 0; i < 8; i++) {
			MappedMemory.allocate(1L << 30, false);
		}
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			System.gc();
			assertThat(mappedBytes() - before).isLessThan(1L << 30);
		});
	}

	@Test
	void shouldHoldMoreThan2GiB() {
		long size = (3L << 30) + 12_345;
		try (MemoryRegion region = this.domain.allocateMemory(size, ACCESS)) {
			assertThat(region.length()).isEqualTo(size);
			long last = (size - 8) & -8L;
			region.putLongRelease(last, 99);
			assertThat(region.getLongAcquire(last)).isEqualTo(99);
			assertThat(region.buffer(last, 8).order(ByteOrder.nativeOrder()).getLong()).isEqualTo(99);
		}
	}

	@Test
	void shouldRegisterWhatRemainsOfABuffer() {
		ByteBuffer buffer = ByteBuffer.allocateDirect(64).position(8).limit(40);
		try (MemoryRegion region = this.domain.registerMemory(buffer, ACCESS)) {
			assertThat(region.length()).isEqualTo(32);
			assertThat(region.address()).isEqualTo(Native.addressOf(buffer) + 8);
			region.put(0, ByteBuffer.wrap(new byte[] { 5 }));
		}
		assertThat(buffer.get(8)).isEqualTo((byte) 5);
	}

	/** The API for that is newer than the release that this is compiled for. */
	@Test
	@Tag("jdk-22")
	void whenTheMemoryOfABufferIsFreedThenItIsNotRegistered() throws ReflectiveOperationException {
		Class<?> type = Class.forName("java.lang.foreign.Arena");
		AutoCloseable arena = (AutoCloseable) type.getMethod("ofShared").invoke(null);
		Object segment = type.getMethod("allocate", long.class).invoke(arena, 64L);
		ByteBuffer buffer = (ByteBuffer) Class.forName("java.lang.foreign.MemorySegment")
			.getMethod("asByteBuffer")
			.invoke(segment);
		this.domain.registerMemory(buffer, ACCESS).close();
		type.getMethod("close").invoke(arena);
		assertThatIllegalStateException().isThrownBy(() -> this.domain.registerMemory(buffer, ACCESS))
			.withMessageContaining("closed");
	}

	@Test
	void whenClosedThenTheRegionIsRefused() {
		MemoryRegion region = this.domain.allocateMemory(4096, ACCESS);
		region.close();
		region.close();
		assertThatExceptionOfType(ResourceClosedException.class).isThrownBy(() -> region.buffer(0, 1));
	}

	@Test
	void whenOnDemandPagingIsMissingThenItSaysSo() {
		assertThatExceptionOfType(VerbsException.class)
			.isThrownBy(() -> this.domain.allocateMemory(4096, ACCESS, new MemoryOptions(false, true)))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EOPNOTSUPP))
			.withMessageContaining("no on-demand paging");
	}

	@Test
	void whenMoreThanThereIsThenEnomem() {
		for (long length : new long[] { 1L << 60, Long.MAX_VALUE }) {
			assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> this.domain.allocateMemory(length, ACCESS))
				.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.ENOMEM));
		}
		assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> this.domain.allocateMemory(0, ACCESS))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EINVAL));
	}

	@Test
	void whenTheDeviceHasNoMemoryToRegisterThenMessageSaysHowToRaiseTheLimit() {
		assertThatExceptionOfType(VerbsException.class)
			.isThrownBy(() -> this.domain.allocateMemory(Standin.FAILS_TO_REGISTER + Errno.ENOMEM.number(), ACCESS))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.ENOMEM))
			.withMessageContaining("RLIMIT_MEMLOCK")
			.withMessageContaining("ulimit -l");
		assertThatExceptionOfType(VerbsException.class)
			.isThrownBy(() -> this.domain.allocateMemory(Standin.FAILS_TO_REGISTER + Errno.EIO.number(), ACCESS))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EIO))
			.withMessageNotContaining("ulimit");
	}

	@Test
	void whenThereAreNoHugePagesThenMessageSaysHowToReserveThem() {
		assertThatExceptionOfType(VerbsException.class)
			.isThrownBy(() -> this.domain.allocateMemory(1L << 50, ACCESS, new MemoryOptions(true, false)))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.ENOMEM))
			.withMessageContaining("vm.nr_hugepages")
			.withMessageContaining("hugepagesz=2M");
	}

	/**
	 * Counts the pages of a range that are in memory or swapped out. What the whole
	 * process has would depend on what else it does.
	 */
	private static long pagesInUse(long address, long length) throws IOException {
		ByteBuffer entries = ByteBuffer.allocate((int) (length / 4096) * Long.BYTES).order(ByteOrder.nativeOrder());
		try (FileChannel pages = FileChannel.open(Path.of("/proc/self/pagemap"))) {
			pages.position(address / 4096 * Long.BYTES);
			while (entries.hasRemaining()) {
				assertThat(pages.read(entries)).isPositive();
			}
		}
		entries.flip();
		long count = 0;
		while (entries.hasRemaining()) {
			count += (entries.getLong() >>> 62 != 0) ? 1 : 0;
		}
		return count;
	}

	private static long mappedBytes() throws IOException {
		return status("VmSize");
	}

	private static long status(String key) throws IOException {
		for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
			if (line.startsWith(key + ":")) {
				return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
			}
		}
		throw new AssertionError(key);
	}

}
