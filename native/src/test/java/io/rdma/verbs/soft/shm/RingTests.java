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
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

import io.rdma.verbs.jni.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Ring}.
 */
class RingTests {

	private static final int SLOTS = 8;

	@Test
	void whenSealedThenARequestIsTakenOrWithdrawnAndNotBoth(@TempDir Path directory) throws IOException {
		Ring ring = create(directory.resolve("ring"));
		ring.sealed(true);
		int at = ring.request(0);
		ring.publish(at, 0);
		assertThat(ring.claim(at, 0)).isTrue();
		assertThat(ring.withdraw(at, 0)).isFalse();
		at = ring.request(1);
		ring.publish(at, 1);
		assertThat(ring.withdraw(at, 1)).isTrue();
		assertThat(ring.claim(at, 1)).isFalse();
		assertThat(ring.isThere(at, 1)).isFalse();
	}

	/**
	 * Interpreted too, which is when the JVM survives least.
	 */
	@Test
	void whenTruncatedThenTheJvmLives() throws Exception {
		assertThat(ChildJvm.run(Truncated.class, List.of("-Xint"))).contains("done");
		assertThat(ChildJvm.run(Truncated.class, List.of())).contains("done");
	}

	private static Ring create(Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			FileMapping.fill(channel, RingLayout.size(SLOTS));
			return new Ring(FileMapping.of(channel, RingLayout.size(SLOTS)), SLOTS);
		}
	}

	/**
	 * Uses a ring that was truncated in every way.
	 */
	static final class Truncated {

		private Truncated() {
		}

		public static void main(String[] arguments) throws IOException {
			Path file = Files.createTempFile("ring", null);
			Ring ring = create(file);
			try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
				channel.truncate(0);
			}
			Files.delete(file);
			int at = ring.request(0);
			for (Runnable use : List.<Runnable>of(() -> ring.isThere(at, 0), () -> ring.claim(at, 0),
					() -> ring.withdraw(at, 0), () -> ring.publish(at, 0), ring::isArmed, () -> ring.arm(true),
					ring::isDone, ring::proof)) {
				try {
					use.run();
					MemoryFaults.settle();
				}
				catch (InternalError ex) {
					System.out.println(ex.getMessage());
				}
			}
			System.out.println("done");
		}

	}

}
