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

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LibraryLoader} and {@link Machine}.
 */
class LibraryLoaderTests {

	private final List<Path> loaded = new ArrayList<>();

	private final List<String> bound = new ArrayList<>();

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path root;

	@SuppressWarnings("NullAway.Init")
	private Path directory;

	@BeforeEach
	void prepare() throws IOException {
		this.directory = this.root.resolve("work");
		write("proc/self/maps", "7f00-7f01 r-xp 00000000 08:01 1 /usr/lib/x86_64-linux-gnu/libc.so.6\n");
		write("proc/self/mounts", "/dev/sda1 / ext4 rw,relatime 0 0\n");
	}

	@Test
	void whenInTheLibraryPathThenTheJarIsNotAsked() {
		List<String> names = new ArrayList<>();
		new LibraryLoader(linux("amd64"), settings(null), names::add, this.loaded::add, (resource) -> {
			throw new AssertionError(resource);
		}, this.bound::add).load();
		assertThat(names).containsExactly("rdma_verbs");
		assertThat(this.bound).singleElement().asString().contains("librdma_verbs.so");
		assertThat(this.loaded).isEmpty();
	}

	@Test
	void whenAFileIsNamedThenOnlyItIsLoaded() {
		Path file = this.root.resolve("librdma_verbs.so");
		new LibraryLoader(linux("amd64"), settings(file), (name) -> {
			throw new AssertionError(name);
		}, this.loaded::add, (resource) -> null, this.bound::add).load();
		assertThat(this.loaded).containsExactly(file);
		assertThat(this.bound).containsExactly(file.toString());
	}

	@Test
	void whenTheOneInTheLibraryPathIsOfAnotherReleaseThenTheOneInTheJarIsLoaded() {
		List<String> asked = new ArrayList<>();
		new LibraryLoader(linux("amd64"), settings(null), asked::add, this.loaded::add, LibraryLoaderTests::stream,
				(library) -> {
					this.bound.add(library);
					if (this.bound.size() == 1) {
						throw new NativeLibraryException("The native library " + library + " has version 1");
					}
				})
			.load();
		assertThat(asked).hasSize(1);
		assertThat(this.bound).hasSize(2).last().isEqualTo(this.loaded.get(0).toString());
	}

	@Test
	void whenTheOneInTheLibraryPathDoesNotFitThenTheOneInTheJarIsLoaded() {
		new LibraryLoader(linux("amd64"), settings(null), (name) -> {
			throw new NoSuchMethodError("gone");
		}, this.loaded::add, LibraryLoaderTests::stream, this.bound::add).load();
		assertThat(this.bound).containsExactly(this.loaded.get(0).toString());
	}

	@Test
	void whenTheNamedFileDoesNotFitThenItIsNamed() {
		Path file = this.root.resolve("stale.so");
		LibraryLoader loader = new LibraryLoader(linux("amd64"), settings(file), this.bound::add, (path) -> {
			throw new NoSuchMethodError("gone");
		}, LibraryLoaderTests::stream, this.bound::add);
		assertThatExceptionOfType(NativeLibraryException.class).isThrownBy(loader::load)
			.withMessageContaining("The native library " + file + " does not fit these classes")
			.withMessageContaining("another release")
			.withCauseInstanceOf(NoSuchMethodError.class);
		assertThat(this.bound).isEmpty();
	}

	@Test
	void shouldWriteTheOneInTheJarToTheDirectoryAndDeleteItAfterLoading() {
		List<String> content = new ArrayList<>();
		new LibraryLoader(linux("aarch64"), settings(null), LibraryLoaderTests::notInPath, (path) -> {
			assertThat(path).hasParent(this.directory);
			content.add(text(path));
		}, LibraryLoaderTests::stream, this.bound::add).load();
		assertThat(content).containsExactly("META-INF/native/librdma_verbs_aarch64.so");
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void shouldWriteAFileThatOnlyItsOwnerCanReadAndWrite() {
		List<String> permissions = new ArrayList<>();
		new LibraryLoader(linux("amd64"), settings(null), LibraryLoaderTests::notInPath,
				(path) -> permissions.add(permissions(path)), LibraryLoaderTests::stream, this.bound::add)
			.load();
		assertThat(permissions).containsExactly("rw-------");
	}

	private static String permissions(Path path) {
		try {
			return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void whenNotLinuxThenItSaysSo() {
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(() -> loader(new Machine("Mac OS X", "aarch64", this.root), "").load())
			.withMessageContaining("exists for Linux only, as libibverbs does, and this is Mac OS X");
	}

	@Test
	void whenTheJarHasNoneForTheArchitectureThenItSaysSo() {
		LibraryLoader loader = new LibraryLoader(linux("riscv64"), settings(null), LibraryLoaderTests::notInPath,
				this.loaded::add, (resource) -> null, this.bound::add);
		assertThatExceptionOfType(NativeLibraryException.class).isThrownBy(loader::load)
			.withMessageContaining("no native library for Linux on riscv64")
			.withMessageContaining("rdma.native.library-path");
	}

	@Test
	void whenMountedNoexecThenTheDirectoryAndTheSettingAreNamed() throws IOException {
		Files.createDirectories(this.directory);
		write("proc/self/mounts",
				"/dev/sda1 / ext4 rw 0 0\ntmpfs " + this.root.toRealPath() + " tmpfs rw,nosuid,nodev,noexec 0 0\n");
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(() -> loader(linux("amd64"), "failed to map segment from shared object").load())
			.withMessageContaining("the file system of " + this.directory + " is mounted with noexec")
			.withMessageContaining("rdma.native.work-directory")
			.havingCause()
			.satisfies((cause) -> assertThat(cause.getSuppressed()).singleElement()
				.asString()
				.contains("no rdma_verbs in java.library.path"));
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void whenMuslThenItIsNamed() throws IOException {
		write("proc/self/maps", "7f00-7f01 r-xp 00000000 08:01 1 /lib/ld-musl-x86_64.so.1\n");
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(() -> loader(linux("amd64"), "Error loading shared library libdl.so.2").load())
			.withMessageContaining("is musl");
	}

	@Test
	void whenOfAnotherArchitectureThenItSaysSo() {
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(() -> loader(linux("amd64"),
					"x.so: cannot open shared object file: No such file or directory (Possible cause: can't load "
							+ "AARCH64 .so on a AMD64 platform)")
				.load())
			.withMessageContaining("built for another architecture than amd64");
	}

	@Test
	void whenLoadedByAnotherClassLoaderThenTheSettingIsNamed() {
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(
					() -> loader(linux("amd64"), "Native Library x.so already loaded in another classloader").load())
			.withMessageContaining("rdma.native.library-path");
	}

	@Test
	void whenGlibcIsTooOldThenItSaysSo() {
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(() -> loader(linux("amd64"), "version `GLIBC_2.17' not found").load())
			.withMessageContaining("newer glibc, at least 2.17");
	}

	@Test
	void whenTheDirectoryCannotBeWrittenThenTheSettingIsNamed() throws IOException {
		Files.writeString(this.directory, "a file");
		assertThatExceptionOfType(NativeLibraryException.class).isThrownBy(() -> loader(linux("amd64"), "").load())
			.withMessageContaining("cannot be written to " + this.directory)
			.withMessageContaining("rdma.native.work-directory");
	}

	private static void notInPath(String name) {
		throw new UnsatisfiedLinkError("no " + name + " in java.library.path");
	}

	private LibraryLoader loader(Machine machine, String refusal) {
		Function<String, @Nullable InputStream> resources = LibraryLoaderTests::stream;
		return new LibraryLoader(machine, settings(null), LibraryLoaderTests::notInPath, (path) -> {
			throw new UnsatisfiedLinkError(refusal);
		}, resources, this.bound::add);
	}

	private LibrarySettings settings(@Nullable Path library) {
		return new LibrarySettings(library, this.directory);
	}

	private Machine linux(String architecture) {
		return new Machine("Linux", architecture, this.root);
	}

	private static InputStream stream(String resource) {
		return new ByteArrayInputStream(resource.getBytes(StandardCharsets.UTF_8));
	}

	private static String text(Path path) {
		try {
			return Files.readString(path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void write(String file, String text) throws IOException {
		Path path = this.root.resolve(file);
		Files.createDirectories(path.resolveSibling(""));
		Files.writeString(path, text);
	}

}
