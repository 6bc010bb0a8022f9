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
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.rdma.actuate.RdmaMeters;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documentation names everything that there is to set and to watch.
 */
class DocumentationTests {

	private static final Path DOCS = Path.of("..", "docs");

	@Test
	void everyPropertyIsDocumentedWithItsDefault() throws IOException {
		String page = Files.readString(DOCS.resolve("configuration.md"));
		for (JsonNode property : ConfigurationMetadataTests.properties()) {
			String name = ConfigurationMetadataTests.name(property);
			if (property.path("type").asString().startsWith("java.util.Map")) {
				assertThat(page).contains("| `" + name + ".<name>.");
				continue;
			}
			assertThat(page.lines().filter((line) -> line.startsWith("| `" + name + "` |"))).as(name)
				.singleElement()
				.asString()
				.contains(property.path("description").asString(), property.path("defaultValue").asString());
		}
	}

	@Test
	void noPropertyIsDocumentedThatDoesNotExist() throws IOException {
		String page = Files.readString(DOCS.resolve("configuration.md"));
		assertThat(page.lines().filter((line) -> line.startsWith("| `rdma.") && !line.contains("<name>")))
			.hasSize((int) ConfigurationMetadataTests.properties()
				.stream()
				.filter((property) -> ConfigurationMetadataTests.name(property).startsWith("rdma."))
				.filter((property) -> !property.path("type").asString().startsWith("java.util.Map"))
				.count());
	}

	@Test
	void everyMeterIsDocumented() throws IOException {
		String page = Files.readString(DOCS.resolve("observability.md"));
		for (RdmaMeters meter : RdmaMeters.values()) {
			assertThat(page).contains("| `" + meter.getName() + "` | ", meter.description());
		}
	}

	@Test
	void everyTestForTheSoftwareDeviceOnlyIsListed() throws IOException {
		String page = Files.readString(DOCS.resolve("device-differences.md"));
		Pattern annotated = Pattern.compile("\\t@OnSoftDeviceOnly\\(.*\\)\\n\\tvoid (\\w+)\\(");
		List<String> methods = new ArrayList<>();
		try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
			for (Path file : files.filter((path) -> path.toString().endsWith("Tests.java")).toList()) {
				Matcher matcher = annotated.matcher(Files.readString(file));
				while (matcher.find()) {
					methods.add(matcher.group(1));
				}
			}
		}
		assertThat(methods).isNotEmpty().allSatisfy((method) -> assertThat(page).contains("." + method + "`"));
	}

}
