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
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

import io.rdma.verbs.StructLayouts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An access to memory that somebody truncated is an error that comes when it is waited
 * for, whoever compiled the access. Later versions of the JVM are earlier with it.
 */
class MemoryFaultsTests {

	private static final int SIZE = 64 << 10;

	private static final int WARM_UP = 20_000;

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path directory;

	private final ByteBuffer ordinary = ByteBuffer.allocateDirect(SIZE);

	@SuppressWarnings("NullAway.Init")
	private FileChannel channel;

	@SuppressWarnings("NullAway.Init")
	private MappedByteBuffer mapped;

	private long sum;

	@BeforeEach
	void map() throws IOException {
		this.channel = FileChannel.open(this.directory.resolve("file"), StandardOpenOption.CREATE_NEW,
				StandardOpenOption.READ, StandardOpenOption.WRITE);
		this.channel.write(ByteBuffer.allocate(SIZE), 0);
		this.mapped = this.channel.map(MapMode.READ_WRITE, 0, SIZE);
	}

	@Test
	void whenMemoryIsThereThenNothingComes() {
		this.mapped.putLong(8, 1);
		MemoryFaults.settle();
		assertThat(this.mapped.getLong(8)).isEqualTo(1);
	}

	@Test
	void whenMemoryIsGoneThenLoadsFail() throws IOException {
		assertFails((memory) -> this.sum += (long) StructLayouts.LONG.getAcquire(memory, 8));
	}

	@Test
	void whenMemoryIsGoneThenStoresFail() throws IOException {
		assertFails((memory) -> StructLayouts.LONG.setRelease(memory, 8, 5L));
	}

	@Test
	void whenMemoryIsGoneThenCopiesFail() throws IOException {
		assertFails((memory) -> this.ordinary.put(0, memory, 0, 64));
		assertFails((memory) -> this.ordinary.put(0, memory, 0, SIZE));
		assertFails((memory) -> memory.put(0, this.ordinary, 0, 64));
		assertFails((memory) -> memory.put(0, this.ordinary, 0, SIZE));
	}

	private void assertFails(Consumer<MappedByteBuffer> access) throws IOException {
		this.channel.truncate(0);
		assertThat(fails(access)).isTrue();
		this.channel.write(ByteBuffer.allocate(SIZE), 0);
		for (int i = 0; i < WARM_UP; i++) {
			assertThat(fails(access)).isFalse();
		}
		this.channel.truncate(0);
		assertThat(fails(access)).isTrue();
		this.channel.write(ByteBuffer.allocate(SIZE), 0);
		assertThat(fails(access)).isFalse();
	}

	private boolean fails(Consumer<MappedByteBuffer> access) {
		try {
			access.accept(this.mapped);
			MemoryFaults.settle();
			return false;
		}
		catch (InternalError ex) {
			return true;
		}
	}

}
