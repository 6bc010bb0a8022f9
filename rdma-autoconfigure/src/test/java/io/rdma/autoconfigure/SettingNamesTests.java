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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rdma.actuate.RdmaMeters;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A message that names a setting sends its reader to look for it: it must exist.
 */
class SettingNamesTests {

	private static final Pattern NAME = Pattern.compile("(?<![\\w./-])rdma(?:\\.[a-z][a-z-]*)+");

	private static final List<String> NAMED_BY_THE_USER = List.of("rdma.peers", "rdma.regions");

	@Test
	void everySettingThatTheSourcesNameExists() throws IOException {
		Set<String> known = ConfigurationMetadataTests.properties()
			.stream()
			.map(ConfigurationMetadataTests::name)
			.collect(Collectors.toCollection(TreeSet::new));
		Stream.of(RdmaMeters.values()).map(RdmaMeters::getName).forEach(known::add);
		Set<String> named = new TreeSet<>();
		try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
			for (Path source : sources.filter((path) -> path.toString().endsWith(".java")).toList()) {
				NAME.matcher(Files.readString(source)).results().forEach((match) -> named.add(match.group()));
			}
		}
		assertThat(named).hasSizeGreaterThan(30)
			.allSatisfy((name) -> assertThat(isKnown(name, known)).as(name).isTrue());
	}

	private static boolean isKnown(String name, Set<String> known) {
		return NAMED_BY_THE_USER.contains(name) || known.contains(name)
				|| known.stream().anyMatch((property) -> property.startsWith(name + "."));
	}

}
