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

package io.rdma.verbs.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the list of differences between devices and the tests agree.
 */
class DeviceDifferencesTests {

	private static final Path LIST = Path.of("../docs/device-differences.md");

	private static final Path CONTRACTS = Path.of("src/test/java/io/rdma/verbs/contract");

	private static final Pattern METHOD = Pattern.compile("\\n\\t(?:[\\w<>]+ )+(\\w+)\\(");

	private static final Pattern ASSUMPTION = Pattern.compile("assumeFalse\\([\\w.()]*isSoftRoce\\(\\),");

	private static final Pattern NAMED = Pattern.compile("`(\\w+Contract)(?:\\.(\\w+))?`");

	@Test
	void whenATestTakesAnotherOutcomeOnSoftRoceThenItsContractIsListed() throws IOException {
		String list = Files.readString(LIST);
		contracts().forEach((name, source) -> {
			if (!name.equals("VerbsContract") && source.contains("isSoftRoce()")) {
				assertThat(list).contains("`" + name);
			}
		});
	}

	@Test
	void whenATestIsNotRunOnSoftRoceThenItIsListed() throws IOException {
		String list = Files.readString(LIST);
		contracts().forEach((name, source) -> {
			Matcher assumption = ASSUMPTION.matcher(source);
			while (assumption.find()) {
				Matcher method = METHOD.matcher(source.substring(0, assumption.start()));
				String last = "";
				while (method.find()) {
					last = method.group(1);
				}
				assertThat(list).contains(last + "`");
			}
		});
	}

	@Test
	void whenATestIsListedThenItExists() throws IOException {
		Map<String, String> contracts = contracts();
		Matcher named = NAMED.matcher(Files.readString(LIST));
		int count = 0;
		while (named.find()) {
			String source = contracts.get(named.group(1));
			assertThat(source).as(named.group(1)).isNotNull();
			if (named.group(2) != null) {
				assertThat(source).contains(" " + named.group(2) + "(");
			}
			count++;
		}
		assertThat(count).isPositive();
	}

	private static Map<String, String> contracts() throws IOException {
		Map<String, String> contracts = new TreeMap<>();
		try (Stream<Path> files = Files.list(CONTRACTS)) {
			for (Path file : files.filter((path) -> path.toString().endsWith("Contract.java")).toList()) {
				contracts.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
			}
		}
		return contracts;
	}

}
