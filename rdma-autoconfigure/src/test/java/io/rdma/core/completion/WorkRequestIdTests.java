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

package io.rdma.core.completion;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link WorkRequestId}.
 */
class WorkRequestIdTests {

	@ParameterizedTest
	@EnumSource
	void whenEncodedThenAllPartsComeBack(WorkRequestKind kind) {
		for (int slot : new int[] { 0, 1, WorkRequestId.MAX_SLOT }) {
			for (int generation : new int[] { 0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1 }) {
				long id = WorkRequestId.encode(kind, slot, generation);
				assertThat(id).isNotZero();
				assertThat(WorkRequestId.kind(id)).isEqualTo(kind);
				assertThat(WorkRequestId.slot(id)).isEqualTo(slot);
				assertThat(WorkRequestId.generation(id)).isEqualTo(generation);
			}
		}
	}

	@Test
	void whenValueWasNotMadeHereThenItHasNoKind() {
		assertThat(WorkRequestId.kind(0)).isNull();
		assertThat(WorkRequestId.kind(-1)).isNull();
		assertThat(WorkRequestId.describe(0xff00_0000L)).isEqualTo("foreign id 0xff000000");
	}

	@Test
	void whenDescribedThenItIsReadable() {
		assertThat(WorkRequestId.describe(WorkRequestId.encode(WorkRequestKind.SEND, 3, 17)))
			.isEqualTo("SEND slot 3 generation 17");
	}

	@Test
	void whenSlotIsOutOfRangeThenItIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> WorkRequestId.encode(WorkRequestKind.SEND, -1, 0));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> WorkRequestId.encode(WorkRequestKind.SEND, WorkRequestId.MAX_SLOT + 1, 0));
	}

}
