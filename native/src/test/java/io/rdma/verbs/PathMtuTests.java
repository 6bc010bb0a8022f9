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

package io.rdma.verbs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link PathMtu}.
 */
class PathMtuTests {

	@ParameterizedTest
	@CsvSource({ "1, 256", "2, 512", "3, 1024", "4, 2048", "5, 4096" })
	void whenFoundByNumberOrSizeThenItHasBoth(int code, int bytes) {
		assertThat(PathMtu.of(code)).isEqualTo(PathMtu.ofBytes(bytes));
		assertThat(PathMtu.of(code).bytes()).isEqualTo(bytes);
		assertThat(PathMtu.ofBytes(bytes).code()).isEqualTo(code);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 6, 9, -1 })
	void whenThereIsNoSuchNumberThenItIsRefused(int code) {
		assertThatIllegalArgumentException().isThrownBy(() -> PathMtu.of(code)).withMessageContaining("" + code);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 255, 1500, 8192 })
	void whenThereIsNoSuchSizeThenItIsRefused(int bytes) {
		assertThatIllegalArgumentException().isThrownBy(() -> PathMtu.ofBytes(bytes)).withMessageContaining("" + bytes);
	}

	@Test
	void whenComparedThenTheSmallerIsReturned() {
		assertThat(PathMtu.MTU_1024.min(PathMtu.MTU_4096)).isEqualTo(PathMtu.MTU_1024);
		assertThat(PathMtu.MTU_1024.min(PathMtu.MTU_256)).isEqualTo(PathMtu.MTU_256);
	}

}
