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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StructCheck}.
 */
@EnabledIf("io.rdma.verbs.jni.NativeBuild#isThere")
class StructCheckTests {

	private final int[] layout = layout();

	private static int[] layout() {
		assertThat(SharedLibrary.load()).isNull();
		return LibraryCalls.layout();
	}

	@Test
	void whenTheSameThenItPasses() {
		assertThatCode(() -> StructCheck.check("here.so", LibraryCalls.version(), this.layout))
			.doesNotThrowAnyException();
	}

	@Test
	void whenTheVersionDiffersThenBothAreNamed() {
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(() -> StructCheck.check("here.so", LibraryCalls.VERSION + 1, this.layout))
			.withMessageContaining("here.so has version " + (LibraryCalls.VERSION + 1) + ", but these classes need "
					+ LibraryCalls.VERSION);
	}

	@Test
	void whenAnOffsetDiffersThenTheFieldIsNamed() {
		this.layout[8] = 20;
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(() -> StructCheck.check("here.so", LibraryCalls.VERSION, this.layout))
			.withMessageContaining("ibv_send_wr.num_sge is 20 there and 24 here");
	}

	@Test
	void whenThereAreFewerValuesThenItIsRefused() {
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(() -> StructCheck.check("here.so", LibraryCalls.VERSION, new int[] { 16, 0, 8, 12 }));
	}

}
