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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The machine that a native library must fit.
 *
 * @param os the name of the operating system, as {@code os.name}
 * @param architecture the architecture, as {@code os.arch}
 * @param root the root of the file system, below which {@code proc} is
 */
record Machine(String os, String architecture, Path root) {

	static Machine current() {
		return new Machine(System.getProperty("os.name", ""), System.getProperty("os.arch", ""), Path.of("/"));
	}

	boolean isLinux() {
		return this.os.toLowerCase(Locale.ROOT).contains("linux");
	}

	/**
	 * Return the architecture as compilers name it.
	 * @return for example {@code x86_64}
	 */
	String compilerArchitecture() {
		return switch (this.architecture.toLowerCase(Locale.ROOT)) {
			case "amd64", "x86_64", "x86-64" -> "x86_64";
			case "aarch64", "arm64" -> "aarch64";
			default -> this.architecture;
		};
	}

	/**
	 * Return whether the C library of this process is musl, which cannot load what was
	 * built for glibc.
	 * @return whether it is musl
	 */
	boolean isMusl() {
		return read("proc/self/maps").contains("/ld-musl-");
	}

	/**
	 * Return whether nothing in a directory can be executed, and so no library be loaded.
	 * @param directory the directory
	 * @return whether its file system is mounted with {@code noexec}
	 */
	boolean isNoexec(Path directory) {
		Path path = directory.toAbsolutePath().normalize();
		try {
			path = path.toRealPath();
		}
		catch (IOException ex) {
			// a directory that is not there has the file system of the nearest that is
		}
		String bestPoint = "";
		boolean noexec = false;
		for (String line : read("proc/self/mounts").split("\n", -1)) {
			String[] fields = line.split(" ", -1);
			if (fields.length < 4) {
				continue;
			}
			String point = fields[1].replace("\\040", " ");
			if (path.startsWith(point) && point.length() >= bestPoint.length()) {
				bestPoint = point;
				noexec = ("," + fields[3] + ",").contains(",noexec,");
			}
		}
		return noexec;
	}

	private String read(String file) {
		try {
			return Files.readString(this.root.resolve(file), StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			return "";
		}
	}

}
