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
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The metadata that editors read is complete and follows the rules that Boot has for its
 * own.
 */
class ConfigurationMetadataTests {

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	@Test
	void everyPropertyHasADescription() throws IOException {
		List<JsonNode> properties = properties();
		assertThat(properties).hasSizeGreaterThan(50);
		for (JsonNode property : properties) {
			assertThat(property.path("description").asString()).as(name(property)).isNotBlank();
		}
	}

	@Test
	void descriptionsFollowTheRules() throws IOException {
		for (JsonNode property : properties()) {
			String description = property.path("description").asString();
			assertThat(description).as(name(property))
				.endsWith(".")
				.doesNotContain("{@", "<p>", "<code>")
				.doesNotStartWith("The ")
				.doesNotStartWith("A ")
				.matches("\\p{Lu}.*");
			if ("java.lang.Boolean".equals(property.path("type").asString())) {
				assertThat(description).as(name(property)).startsWith("Whether ");
			}
		}
	}

	@Test
	void hintsAreForPropertiesThatExist() throws IOException {
		List<String> names = new ArrayList<>();
		metadata().path("properties").forEach((property) -> names.add(name(property)));
		List<String> hints = new ArrayList<>();
		metadata().path("hints").forEach((hint) -> hints.add(name(hint)));
		assertThat(hints).contains("rdma.device.name");
		assertThat(names).containsAll(hints);
	}

	@Test
	void additionalMetadataIsSorted() throws IOException {
		ClassPathResource resource = new ClassPathResource("META-INF/additional-spring-configuration-metadata.json");
		try (InputStream stream = find(resource.getPath()).openStream()) {
			JsonNode additional = JsonMapper.shared().readTree(stream);
			List<String> names = new ArrayList<>();
			additional.path("properties").forEach((property) -> names.add(name(property)));
			List<String> sorted = new ArrayList<>(names);
			Collections.sort(sorted);
			assertThat(names).isEqualTo(sorted).doesNotHaveDuplicates();
		}
	}

	static List<JsonNode> properties() throws IOException {
		List<JsonNode> properties = new ArrayList<>();
		metadata().path("properties").forEach(properties::add);
		return properties;
	}

	static String name(JsonNode node) {
		return node.path("name").asString();
	}

	private static JsonNode metadata() throws IOException {
		try (InputStream stream = find(METADATA).openStream()) {
			return JsonMapper.shared().readTree(stream);
		}
	}

	/**
	 * Find a resource of this module, since Boot's modules have resources of the same
	 * name.
	 */
	private static URL find(String resource) throws IOException {
		String location = RdmaProperties.class.getProtectionDomain().getCodeSource().getLocation().toString();
		return Collections.list(Objects.requireNonNull(RdmaProperties.class.getClassLoader()).getResources(resource))
			.stream()
			.filter((url) -> url.toString().contains(location))
			.findFirst()
			.orElseThrow(() -> new AssertionError(resource + " is missing"));
	}

}
