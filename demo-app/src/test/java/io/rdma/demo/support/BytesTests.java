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

package io.rdma.demo.support;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Bytes}.
 */
class BytesTests {

	@ParameterizedTest
	@CsvSource({ "0, 0 B", "1, 1 B", "999, 999 B", "1000, 1.0 kB", "999949, 999.9 kB", "999950, 1.0 MB",
			"128651445, 128.7 MB", "5e9, 5.0 GB", "9e18, 9.0 EB", "9e22, 90000.0 EB" })
	void shouldUseAUnitThatFits(double bytes, String text) {
		assertThat(Bytes.format(bytes)).isEqualTo(text);
	}

}
