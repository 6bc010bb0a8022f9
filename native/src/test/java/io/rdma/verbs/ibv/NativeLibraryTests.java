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

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.jni.ChildJvm;
import io.rdma.verbs.jni.NativeBuild;
import io.rdma.verbs.jni.SharedLibrary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for the native library itself: what it needs of a system, and that class loaders
 * do not get into each other's way.
 */
@EnabledIf("io.rdma.verbs.ibv.Standin#isBuilt")
class NativeLibraryTests {

	private static final Pattern GLIBC = Pattern.compile("GLIBC_(\\d+)\\.(\\d+)");

	@ParameterizedTest
	@ValueSource(strings = { "x86_64", "aarch64" })
	void shouldNeedNothingNewerThanGlibc217(String architecture, @TempDir Path directory) throws Exception {
		Path library = library(architecture, directory);
		String objdump = objdump(architecture);
		List<String> needed = run(objdump, "-T", library.toString());
		assertThat(needed).filteredOn((line) -> line.contains("*UND*")).isNotEmpty();
		GLIBC.matcher(String.join("\n", needed)).results().forEach((version) -> {
			int minor = Integer.parseInt(version.group(2));
			assertThat(minor).as(version.group()).isLessThanOrEqualTo(17);
			assertThat(version.group(1)).isEqualTo("2");
		});
		assertThat(needed).as("exported functions")
			.filteredOn((line) -> line.contains(" g ") && !line.contains("*UND*"))
			.singleElement()
			.asString()
			.endsWith(" JNI_OnLoad");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x86_64", "aarch64" })
	void shouldListLibdlAndNotLibibverbs(String architecture, @TempDir Path directory) throws Exception {
		Path library = library(architecture, directory);
		List<String> needed = run(objdump(architecture), "-p", library.toString()).stream()
			.filter((line) -> line.contains("NEEDED"))
			.toList();
		assertThat(needed).anyMatch((line) -> line.endsWith(" libdl.so.2"))
			.noneMatch((line) -> line.contains("libibverbs") || line.contains("librdmacm"));
	}

	@Test
	void whenAnotherClassLoaderLoadsItTooThenBothWork() throws Exception {
		assertThat(Standin.provider().devices()).extracting(DeviceInfo::name).contains(Standin.DEVICE);
		try (URLClassLoader other = otherClassLoader()) {
			VerbsProvider provider = provider(other, Standin.settings().libibverbs());
			assertThat(provider.unavailabilityCause()).isNull();
			assertThat(provider.devices()).extracting(DeviceInfo::name).contains(Standin.DEVICE);
		}
		assertThat(Standin.provider().devices()).extracting(DeviceInfo::name).contains(Standin.DEVICE);
	}

	@Test
	void whenLibibverbsIsMissingThenTheRemedyIsNamed() throws Exception {
		try (URLClassLoader other = otherClassLoader()) {
			VerbsProvider provider = provider(other, "libibverbs-that-is-not-there.so.1");
			assertThat(provider.isAvailable()).isFalse();
			assertThat(provider.unavailabilityCause()).hasMessageContaining("libibverbs-that-is-not-there.so.1")
				.hasMessageContaining("apt-get install libibverbs1 ibverbs-providers")
				.hasMessageContaining("dnf install");
			assertThat(provider.devices()).isEmpty();
		}
	}

	@Test
	void whenLibibverbsLacksAFunctionThenItIsNamed() throws Exception {
		try (URLClassLoader other = otherClassLoader()) {
			assertThat(provider(other, "libdl.so.2").unavailabilityCause()).hasMessageContaining("ibv_get_device_list");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "libstale_version.so", "libstale_methods.so", "libstale_class.so" })
	void whenTheLibraryIsOfAnotherReleaseThenItIsNamedEachTime(String name, @TempDir Path directory) throws Exception {
		Path stale = Files.copy(Standin.resource(name), directory.resolve("stale.so"));
		try (URLClassLoader other = otherClassLoader()) {
			VerbsProvider provider = provider(other, stale, Standin.settings().libibverbs());
			for (int i = 0; i < 2; i++) {
				assertThat(provider.unavailabilityCause()).isNotNull()
					.hasMessageContaining(stale.toString())
					.hasMessageContaining("another release");
				assertThat(provider.devices()).isEmpty();
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "libstale_version.so", "libstale_methods.so", "libstale_class.so" })
	void whenOneOfAnotherReleaseIsInTheLibraryPathThenTheOneInTheJarIsUsed(String name, @TempDir Path directory)
			throws Exception {
		Path stale = Files.copy(Standin.resource(name), directory.resolve("librdma_verbs.so"));
		assertThat(ChildJvm.run(DeviceList.class, List.of("-Djava.library.path=" + directory)))
			.contains("available true", "device standin0")
			.anyMatch((line) -> line.contains(stale + " ") && line.contains("The library in the jar is used instead"));
	}

	private static VerbsProvider provider(ClassLoader loader, String libibverbs) throws Exception {
		return provider(loader, null, libibverbs);
	}

	private static VerbsProvider provider(ClassLoader loader, @Nullable Path library, String libibverbs)
			throws Exception {
		Class<?> settings = loader.loadClass(NativeSettings.class.getName());
		Object values = settings.getConstructor(Path.class, Path.class, String.class)
			.newInstance(library, null, libibverbs);
		return (VerbsProvider) loader.loadClass(IbvProvider.class.getName())
			.getConstructor(settings)
			.newInstance(values);
	}

	/** A class loader that has the device, but not the interfaces, to itself. */
	private static URLClassLoader otherClassLoader() throws IOException {
		URL[] urls = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
			.map(NativeLibraryTests::url)
			.toArray(URL[]::new);
		List<String> own = List.of(IbvProvider.class.getPackageName() + ".",
				SharedLibrary.class.getPackageName() + ".");
		return new URLClassLoader(urls, NativeLibraryTests.class.getClassLoader()) {
			@Override
			protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
				if (own.stream().noneMatch(name::startsWith)) {
					return super.loadClass(name, resolve);
				}
				synchronized (getClassLoadingLock(name)) {
					Class<?> loaded = findLoadedClass(name);
					return (loaded != null) ? loaded : findClass(name);
				}
			}
		};
	}

	private static URL url(String path) {
		try {
			return Path.of(path).toUri().toURL();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Path library(String architecture, Path directory) throws IOException {
		String resource = "META-INF/native/librdma_verbs_" + architecture + ".so";
		URL url = IbvProvider.class.getClassLoader().getResource(resource);
		assumeThat(url).as("%s is built on this machine", resource).isNotNull();
		Path file = directory.resolve("library.so");
		try (var in = url.openStream()) {
			Files.copy(in, file);
		}
		return file;
	}

	private static String objdump(String architecture) throws Exception {
		String name = architecture.equals(NativeBuild.architecture()) ? "objdump" : architecture + "-linux-gnu-objdump";
		assumeThat(onPath(name)).as("%s is there", name).isTrue();
		return name;
	}

	private static boolean onPath(String name) {
		return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, name)));
	}

	private static List<String> run(String... command) throws Exception {
		return ChildJvm.output(List.of(command));
	}

	/**
	 * Prints whether there are devices, and which.
	 */
	static final class DeviceList {

		private DeviceList() {
		}

		/**
		 * Run.
		 * @param args not used
		 */
		public static void main(String[] args) {
			IbvProvider provider = Standin.provider();
			System.out.println("available " + provider.isAvailable());
			provider.devices().forEach((device) -> System.out.println("device " + device.name()));
		}

	}

}
