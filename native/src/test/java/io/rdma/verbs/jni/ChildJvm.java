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

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs a class in a JVM of its own, for what one can be told only when it starts.
 */
public final class ChildJvm {

	private ChildJvm() {
	}

	/**
	 * Run a class.
	 * @param main what to run
	 * @param options the options of the JVM
	 * @return what it wrote, line by line
	 */
	public static List<String> run(Class<?> main, List<String> options) throws Exception {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		return output(command);
	}

	/**
	 * Run a program that must succeed.
	 * @param command what to run
	 * @return what it wrote, line by line
	 */
	public static List<String> output(List<String> command) throws Exception {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		return output.lines().toList();
	}

}
