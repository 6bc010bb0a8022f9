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
import java.nio.file.Files;
import java.nio.file.Path;

import io.rdma.verbs.Errno;
import io.rdma.verbs.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link MemoryLock}.
 */
class MemoryLockTests {

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path proc;

	@Test
	void whenTheLimitIsExceededThenNeedLimitAndRemediesAreNamed() throws IOException {
		MemoryLock lock = lock("8388608", "0000000000000000", "1024 kB");
		assertThat(lock.limit()).isEqualTo(8L << 20);
		assertThat(lock.pinned()).isEqualTo(1L << 20);
		assertThatCode(() -> lock.check(7L << 20)).doesNotThrowAnyException();
		assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> lock.check((7L << 20) + 1))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.ENOMEM))
			.withMessageContaining("7340033 bytes, with 1048576 pinned already")
			.withMessageContaining("limit of 8388608 bytes")
			.withMessageContaining("ulimit -l")
			.withMessageContaining("LimitMEMLOCK")
			.withMessageContaining("--ulimit memlock")
			.withMessageContaining("Kubernetes");
	}

	@Test
	void whenUnlimitedThenAnythingGoes() throws IOException {
		assertThatCode(() -> lock("unlimited", "0000000000000000", "0 kB").check(Long.MAX_VALUE))
			.doesNotThrowAnyException();
	}

	@Test
	void whenTheProcessHasTheCapabilityThenThereIsNoLimit() throws IOException {
		assertThat(lock("65536", "000001ffffffffff", "0 kB").limit()).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void whenTheCapabilityIsThatOfTheFirstUserNamespaceThenThereIsNoLimit() throws IOException {
		MemoryLock lock = lock("65536", "000001ffffffffff", "0 kB");
		Files.writeString(this.proc.resolve("uid_map"), "         0          0 4294967295\n");
		assertThat(lock.limit()).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void whenTheCapabilityIsThatOfAnotherUserNamespaceThenTheLimitHolds() throws IOException {
		MemoryLock lock = lock("65536", "000001ffffffffff", "0 kB");
		for (String map : new String[] { "         0     100000      65536\n",
				"         0       1000          1\n         1     100000      65536\n" }) {
			Files.writeString(this.proc.resolve("uid_map"), map);
			assertThat(lock.limit()).isEqualTo(65_536);
		}
	}

	@Test
	void whenThereIsNoProcThenThereIsNoKnownLimit() {
		assertThat(new MemoryLock(this.proc).limit()).isEqualTo(Long.MAX_VALUE);
	}

	private MemoryLock lock(String limit, String capabilities, String pinned) throws IOException {
		Files.writeString(this.proc.resolve("limits"), """
				Limit                     Soft Limit           Hard Limit           Units
				Max cpu time              unlimited            unlimited            seconds
				Max locked memory         %s              %s              bytes
				""".formatted(limit, limit));
		Files.writeString(this.proc.resolve("status"),
				"Name:\tjava\nVmPin:\t    %s\nCapEff:\t%s\n".formatted(pinned, capabilities));
		return new MemoryLock(this.proc);
	}

}
