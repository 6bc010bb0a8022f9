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

package io.rdma.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.jni.SharedLibrary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The settings of the native library, in a JVM that has not loaded it yet.
 */
class NativeLibrarySettingsTests {

	@Test
	void whenLibraryPathIsSetThenTheSoftwareDeviceUsesIt(@TempDir Path directory) throws Exception {
		Path library = directory.resolve("none.so");
		Path output = directory.resolve("output");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), Application.class.getName(), library.toString())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("whether it has ended").isTrue();
		}
		finally {
			process.destroyForcibly();
		}
		assertThat(process.exitValue()).as(Files.readString(output)).isZero();
		assertThat(Files.readAllLines(output))
			.anyMatch((line) -> line.startsWith("cause ") && line.contains(library.toString()));
	}

	/**
	 * Tells why the library cannot be used once the software device is there.
	 */
	static final class Application {

		private Application() {
		}

		public static void main(String[] arguments) {
			new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RdmaAutoConfiguration.class))
				.withPropertyValues("rdma.provider=soft", "rdma.native.library-path=" + arguments[0])
				.run((context) -> {
					assertThat(context).hasNotFailed();
					System.out.println("cause " + Objects.requireNonNull(SharedLibrary.load()).getMessage());
				});
		}

	}

}
