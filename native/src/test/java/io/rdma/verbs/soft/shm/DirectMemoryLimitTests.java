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

package io.rdma.verbs.soft.shm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DirectMemoryLimit}.
 */
class DirectMemoryLimitTests {

	@ParameterizedTest
	@CsvSource({ "0,0", "1,1", "4096,4096", "3k,3072", "3K,3072", "2m,2097152", "1G,1073741824", "1t,1099511627776",
			"'',0" })
	void shouldReadSizesAsTheJvmDoes(String text, long bytes) {
		assertThat(DirectMemoryLimit.parse(text)).isEqualTo(bytes);
	}

	@Test
	void whenThereIsNoOptionThenLimitIsThatOfTheHeap() {
		assertThat(DirectMemoryLimit.bytes()).isEqualTo(Runtime.getRuntime().maxMemory());
	}

}
