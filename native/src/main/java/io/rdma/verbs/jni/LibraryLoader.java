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

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import java.util.function.Function;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Finds the native library and loads it: the file that the settings name, else one in
 * {@code java.library.path} that is of the same release, else the one in the jar. That
 * one is written to a new file for each class loader, since the JVM lets only one of them
 * load a file, and the file is deleted as soon as it is loaded.
 */
@Slf4j
final class LibraryLoader {

	private static final String NAME = "rdma_verbs";

	private final Machine machine;

	private final LibrarySettings settings;

	private final Consumer<String> byName;

	private final Consumer<Path> byPath;

	private final Function<String, @Nullable InputStream> resources;

	private final Consumer<String> bind;

	LibraryLoader(Machine machine, LibrarySettings settings) {
		// loaded from here, since the library belongs to the class loader of the caller
		this(machine, settings, (name) -> System.loadLibrary(name), (path) -> System.load(path.toString()),
				LibraryLoader.class.getClassLoader()::getResourceAsStream, LibraryLoader::bind);
	}

	LibraryLoader(Machine machine, LibrarySettings settings, Consumer<String> byName, Consumer<Path> byPath,
			Function<String, @Nullable InputStream> resources, Consumer<String> bind) {
		this.machine = machine;
		this.settings = settings;
		this.byName = byName;
		this.byPath = byPath;
		this.resources = resources;
		this.bind = bind;
	}

	private static void bind(String library) {
		StructCheck.check(library, LibraryCalls.version(), LibraryCalls.layout());
		LibraryCalls.bindSystem(SystemCalls.class);
	}

	/**
	 * Load the library, check that it is of the release of these classes and bind its
	 * functions.
	 * @throws NativeLibraryException if that is not possible; the message says why
	 */
	void load() {
		if (!this.machine.isLinux()) {
			throw new NativeLibraryException(
					"The native library exists for Linux only, as libibverbs does, and this is " + this.machine.os());
		}
		Path library = this.settings.library();
		if (library != null) {
			loadFile(library.toAbsolutePath(), null);
			return;
		}
		Throwable notFromPath = loadFromPath();
		if (notFromPath != null) {
			loadFromJar(notFromPath);
		}
	}

	private @Nullable Throwable loadFromPath() {
		try {
			this.byName.accept(NAME);
		}
		catch (UnsatisfiedLinkError ex) {
			// there is none, which is usual
			return ex;
		}
		catch (LinkageError ex) {
			return passOver(unfit(inPath(), ex));
		}
		try {
			bindTo(inPath());
			return null;
		}
		catch (NativeLibraryException ex) {
			return passOver(ex);
		}
	}

	/** What it has bound by then is bound anew by the next library, before it is used. */
	private static NativeLibraryException passOver(NativeLibraryException reason) {
		logger.warn("{}. The library in the jar is used instead", reason.getMessage());
		return reason;
	}

	private static String inPath() {
		String file = System.mapLibraryName(NAME);
		String path = System.getProperty("java.library.path", "");
		for (String directory : path.split(File.pathSeparator, -1)) {
			Path library = Path.of(directory.isEmpty() ? "." : directory, file);
			if (Files.exists(library)) {
				return library.toString();
			}
		}
		return file + " in java.library.path (" + path + ")";
	}

	private void bindTo(String library) {
		try {
			this.bind.accept(library);
		}
		catch (LinkageError ex) {
			throw unfit(library, ex);
		}
	}

	private static NativeLibraryException unfit(String library, LinkageError ex) {
		return new NativeLibraryException(
				"The native library " + library + " does not fit these classes (" + ex + "): " + StructCheck.REMEDY,
				ex);
	}

	private void loadFromJar(Throwable notFromPath) {
		String resource = "META-INF/native/lib" + NAME + "_" + this.machine.compilerArchitecture() + ".so";
		Path file = null;
		try (InputStream library = this.resources.apply(resource)) {
			if (library == null) {
				throw new NativeLibraryException("There is no native library for Linux on "
						+ this.machine.architecture() + " in the jar, which has those for x86_64 and aarch64 if it "
						+ "was built with their compilers; build " + resource + " for this machine or give its path as "
						+ "system property " + LibrarySettings.LIBRARY_PROPERTY, notFromPath);
			}
			file = write(library);
			loadFile(file, notFromPath);
		}
		catch (IOException ex) {
			throw new NativeLibraryException("The native library cannot be written to " + directory() + " (" + ex
					+ "); name another directory as system property " + LibrarySettings.DIRECTORY_PROPERTY, ex);
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
		// written into, since replacing it would give it the permissions of any new file
		try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
			library.transferTo(out);
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

	private void loadFile(Path file, @Nullable Throwable notFromPath) {
		try {
			this.byPath.accept(file);
		}
		catch (UnsatisfiedLinkError ex) {
			if (notFromPath != null) {
				ex.addSuppressed(notFromPath);
			}
			throw new NativeLibraryException(reason(file, String.valueOf(ex.getMessage())), ex);
		}
		catch (LinkageError ex) {
			throw unfit(file.toString(), ex);
		}
		bindTo(file.toString());
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
					+ "as system property " + LibrarySettings.DIRECTORY_PROPERTY + " (" + message + ")";
		}
		if (message.contains("wrong ELF class") || message.contains("wrong-architecture")
				|| (message.contains("cannot open shared object file") && message.contains("Possible cause"))
				|| message.contains("architecture word width mismatch")) {
			return start + "it was built for another architecture than " + this.machine.architecture() + " (" + message
					+ ")";
		}
		if (message.contains("already loaded in another classloader")) {
			return start + "another class loader has loaded this file; leave system property "
					+ LibrarySettings.LIBRARY_PROPERTY + " empty, so that each takes its own copy from the jar ("
					+ message + ")";
		}
		if (message.contains("GLIBC_")) {
			return start + "it needs a newer glibc, at least 2.17 (" + message + ")";
		}
		return start + message;
	}

}
