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
		return SecretFile.in(this.home.resolve("rdma"));
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

	private Path given(int size, String permissions) throws IOException {
		Path file = this.home.resolve("given");
		Files.write(file, new byte[size]);
		return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
	}

	@Test
	void whenPathIsGivenThenItHasToBeThere() {
		SecretFile given = SecretFile.at(this.home.resolve("given"));
		assertThatIOException().isThrownBy(given::read).withMessageContaining("umask 077");
		assertThat(given.path()).doesNotExist();
	}

	@Test
	void whenFileIsGivenThenItsSizeIsFreeWithinLimits() throws IOException {
		assertThat(SecretFile.at(given(32, "rw-------")).read()).hasSize(32);
		assertThat(SecretFile.at(given(4096, "r--------")).read()).hasSize(4096);
		for (int size : new int[] { 0, 31, 4097 }) {
			Path file = given(size, "rw-------");
			assertThatIOException().isThrownBy(() -> SecretFile.at(file).read()).withMessageContaining("32 to 4096");
		}
	}

	@Test
	void whenOthersCanReadTheFileThatIsGivenThenItIsNotUsed() throws IOException {
		Path file = given(32, "rw-r-----");
		assertThatIOException().isThrownBy(() -> SecretFile.at(file).read())
			.withMessageContaining("r-----")
			.withMessageContaining("chmod 600");
	}

	@Test
	void whenALinkIsGivenThenTheFileBehindItCounts() throws IOException {
		Path link = Files.createSymbolicLink(this.home.resolve("link"), given(32, "rw-------"));
		assertThat(SecretFile.at(link).read()).hasSize(32);
		given(32, "rw----r--");
		assertThatIOException().isThrownBy(() -> SecretFile.at(link).read());
	}

}
