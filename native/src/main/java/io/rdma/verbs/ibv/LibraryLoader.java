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
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Finds the native library and loads it: the file that the settings name, else one in
 * {@code java.library.path}, else the one in the jar. That one is written to a new file
 * for each class loader, since the JVM lets only one of them load a file, and the file is
 * deleted as soon as it is loaded.
 */
final class LibraryLoader {

	private static final String NAME = "rdma_verbs";

	private final Machine machine;

	private final NativeSettings settings;

	private final Consumer<String> byName;

	private final Consumer<Path> byPath;

	private final Function<String, @Nullable InputStream> resources;

	LibraryLoader(Machine machine, NativeSettings settings) {
		// loaded from here, since the library belongs to the class loader of the caller
		this(machine, settings, (name) -> System.loadLibrary(name), (path) -> System.load(path.toString()),
				LibraryLoader.class.getClassLoader()::getResourceAsStream);
	}

	LibraryLoader(Machine machine, NativeSettings settings, Consumer<String> byName, Consumer<Path> byPath,
			Function<String, @Nullable InputStream> resources) {
		this.machine = machine;
		this.settings = settings;
		this.byName = byName;
		this.byPath = byPath;
		this.resources = resources;
	}

	/**
	 * Load the library.
	 * @throws NativeLibraryException if that is not possible; the message says why
	 */
	void load() {
		if (!this.machine.isLinux()) {
			throw new NativeLibraryException("libibverbs exists on Linux only, and this is " + this.machine.os()
					+ "; use the software device here");
		}
		Path library = this.settings.library();
		if (library != null) {
			loadFile(library.toAbsolutePath(), null);
			return;
		}
		UnsatisfiedLinkError notInPath = loadFromPath();
		if (notInPath != null) {
			loadFromJar(notInPath);
		}
	}

	private @Nullable UnsatisfiedLinkError loadFromPath() {
		try {
			this.byName.accept(NAME);
			return null;
		}
		catch (UnsatisfiedLinkError ex) {
			return ex;
		}
	}

	private void loadFromJar(UnsatisfiedLinkError notInPath) {
		String resource = "META-INF/native/lib" + NAME + "_" + this.machine.compilerArchitecture() + ".so";
		Path file = null;
		try (InputStream library = this.resources.apply(resource)) {
			if (library == null) {
				throw new NativeLibraryException("There is no native library for Linux on "
						+ this.machine.architecture() + " in the jar, which has those for x86_64 and aarch64 if it "
						+ "was built with their compilers; build " + resource + " for this machine or give its path as "
						+ "system property " + NativeSettings.LIBRARY_PROPERTY, notInPath);
			}
			file = write(library);
			loadFile(file, notInPath);
		}
		catch (IOException ex) {
			throw new NativeLibraryException("The native library cannot be written to " + directory() + " (" + ex
					+ "); name another directory as system property " + NativeSettings.DIRECTORY_PROPERTY, ex);
		}
		finally {
			delete(file);
		}
	}

	private Path directory() {
		Path directory = this.settings.directory();
		return (directory != null) ? directory : Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
	}

	private Path write(InputStream library) throws IOException {
		Files.createDirectories(directory());
		// a new file that only its owner can write
		Path file = Files.createTempFile(directory(), "lib" + NAME, ".so");
		try {
			Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
		}
		catch (IOException ex) {
			delete(file);
			throw ex;
		}
		return file;
	}

	private static void delete(@Nullable Path file) {
		if (file != null) {
			try {
				Files.deleteIfExists(file);
			}
			catch (IOException ex) {
				file.toFile().deleteOnExit();
			}
		}
	}

	private void loadFile(Path file, @Nullable UnsatisfiedLinkError notInPath) {
		try {
			this.byPath.accept(file);
		}
		catch (UnsatisfiedLinkError ex) {
			if (notInPath != null) {
				ex.addSuppressed(notInPath);
			}
			throw new NativeLibraryException(reason(file, String.valueOf(ex.getMessage())), ex);
		}
	}

	private String reason(Path file, String message) {
		Path directory = file.toAbsolutePath().getParent();
		String start = "The native library " + file + " cannot be loaded: ";
		if (this.machine.isMusl()) {
			return start + "the C library of this system is musl (as on Alpine), and it was built for glibc; use an "
					+ "image with glibc (" + message + ")";
		}
		if (directory != null && this.machine.isNoexec(directory)) {
			return start + "the file system of " + directory + " is mounted with noexec; name a directory without it "
					+ "as system property " + NativeSettings.DIRECTORY_PROPERTY + " (" + message + ")";
		}
		if (message.contains("wrong ELF class") || message.contains("wrong-architecture")
				|| (message.contains("cannot open shared object file") && message.contains("Possible cause"))
				|| message.contains("architecture word width mismatch")) {
			return start + "it was built for another architecture than " + this.machine.architecture() + " (" + message
					+ ")";
		}
		if (message.contains("already loaded in another classloader")) {
			return start + "another class loader has loaded this file; leave system property "
					+ NativeSettings.LIBRARY_PROPERTY + " empty, so that each takes its own copy from the jar ("
					+ message + ")";
		}
		if (message.contains("GLIBC_")) {
			return start + "it needs a newer glibc, at least 2.17 (" + message + ")";
		}
		return start + message;
	}

}
