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

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tells which Spring Boot the tests run on, since they run on more than one.
 */
class SpringBootVersionTests {

	@Test
	void runsOnTheSpringBootThatTheBuildAskedFor() {
		String expected = System.getProperty("expected.spring-boot.version");
		System.out.println("Tests run on Spring Boot " + SpringBootVersion.getVersion());
		assumeThat(expected).isNotNull();
		assertThat(SpringBootVersion.getVersion()).isEqualTo(expected);
	}

}
