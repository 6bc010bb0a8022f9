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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link SecretFile}.
 */
@DisabledOnOs(OS.WINDOWS)
class SecretFileTests {

	@TempDir
	private Path home;

	private SecretFile file() {
		return new SecretFile(this.home.resolve("rdma"));
	}

	@Test
	void shouldBeReadableByItsUserOnly() throws IOException {
		file().read();
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().path()))).isEqualTo("rw-------");
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.home.resolve("rdma"))))
			.isEqualTo("rwx------");
	}

	@Test
	void shouldBeTheSameForAll() throws IOException {
		byte[] secret = file().read();
		assertThat(secret).hasSize(32).isNotEqualTo(new byte[32]);
		assertThat(file().read()).isEqualTo(secret);
	}

	@Test
	void whenOthersCanReadItThenItIsNotUsed() throws IOException {
		file().read();
		Files.setPosixFilePermissions(file().path(), PosixFilePermissions.fromString("rw-r--r--"));
		assertThatIOException().isThrownBy(() -> file().read()).withMessageContaining("r--r--");
	}

	@Test
	void whenOthersCanEnterTheDirectoryThenItIsNotUsed() throws IOException {
		file().read();
		Files.setPosixFilePermissions(this.home.resolve("rdma"), PosixFilePermissions.fromString("rwxr-x---"));
		assertThatIOException().isThrownBy(() -> file().read());
	}

	@Test
	void whenItIsALinkThenItIsNotUsed() throws IOException {
		byte[] secret = file().read();
		Path elsewhere = this.home.resolve("elsewhere");
		Files.write(elsewhere, secret);
		Files.delete(file().path());
		Files.createSymbolicLink(file().path(), elsewhere);
		assertThatIOException().isThrownBy(() -> file().read()).withMessageContaining("symbolic link");
	}

	@Test
	void whenItIsCutShortThenItIsNotUsed() throws IOException {
		file().read();
		Files.write(file().path(), new byte[5]);
		assertThatIOException().isThrownBy(() -> file().read()).withMessageContaining("32 bytes");
	}

}
