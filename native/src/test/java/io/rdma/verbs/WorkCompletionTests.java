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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link WorkCompletion} and {@link WorkCompletions}: what is read from the
 * memory, at the offsets of {@code struct ibv_wc} (48 bytes).
 */
class WorkCompletionTests {

	private static final int WC = 48;

	private final WorkCompletions batch = new FakeDeviceContext().allocateWorkCompletions(2);

	@SuppressWarnings("NullAway.Init")
	private ByteBuffer memory;

	@BeforeEach
	void setUp() {
		this.memory = this.batch.memory().duplicate().order(ByteOrder.nativeOrder());
		this.batch.size(2);
	}

	@Test
	void whenSuccessIsReadThenEveryFieldComesFromItsOffset() {
		this.memory.putLong(WC, 0x1122_3344_5566_7788L)
			.putInt(WC + 8, 0)
			.putInt(WC + 12, 129)
			.putInt(WC + 16, 0xabc)
			.putInt(WC + 20, -2)
			.put(WC + 24, new byte[] { 1, 2, 3, 4 })
			.putInt(WC + 28, 0x12_3456)
			.putInt(WC + 36, 1 | 2);
		WorkCompletion completion = this.batch.get(1);
		assertThat(completion.wrId()).isEqualTo(0x1122_3344_5566_7788L);
		assertThat(completion.isSuccess()).isTrue();
		assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RECV_RDMA_WITH_IMM);
		assertThat(completion.vendorError()).isEqualTo(0xabc);
		assertThat(completion.byteLength()).isEqualTo(0xffff_fffeL);
		assertThat(completion.hasImmediate()).isTrue();
		assertThat(completion.immediate()).isEqualTo(0x0102_0304);
		assertThat(completion.hasInvalidatedRkey()).isFalse();
		assertThat(completion.qpNumber()).isEqualTo(0x12_3456);
	}

	@Test
	void whenWindowWasInvalidatedThenItsKeyIsReadInHostOrder() {
		this.memory.putInt(12, 128).putInt(24, 0x0506_0708).putInt(36, 8);
		WorkCompletion completion = this.batch.get(0);
		assertThat(completion.hasInvalidatedRkey()).isTrue();
		assertThat(completion.hasImmediate()).isFalse();
		assertThat(completion.invalidatedRkey()).isEqualTo(0x0506_0708);
	}

	@Test
	void whenErrorIsReadThenOnlyDefinedFieldsAreTold() {
		this.memory.putLong(0, 7).putInt(8, 10).putInt(12, 2).putInt(16, 3).putInt(20, 4).putInt(28, 0x11);
		WorkCompletion completion = this.batch.get(0);
		assertThat(completion.wrId()).isEqualTo(7);
		assertThat(completion.isSuccess()).isFalse();
		assertThat(completion.status()).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
		assertThat(completion.vendorError()).isEqualTo(3);
		assertThat(completion.qpNumber()).isEqualTo(0x11);
		assertRefused(completion::opcode);
		assertRefused(completion::byteLength);
		assertRefused(completion::hasImmediate);
		assertRefused(completion::immediate);
		assertRefused(completion::hasInvalidatedRkey);
		assertRefused(completion::invalidatedRkey);
		assertThat(completion).hasToString("work completion (wr_id 7, REM_ACCESS_ERR, QP 0x000011)");
	}

	@Test
	void whenStatusIsNewerThanThisLibraryThenItIsAGeneralError() {
		this.memory.putInt(8, 1000);
		assertThat(this.batch.get(0).status()).isEqualTo(CompletionStatus.GENERAL_ERR);
		assertRefused(this.batch.get(0)::opcode);
	}

	@Test
	void whenPollBroughtFewerThenTheRestIsOutOfReach() {
		this.batch.size(1);
		assertThat(this.batch.size()).isOne();
		assertThat(this.batch.capacity()).isEqualTo(2);
		assertThat(this.batch.get(0)).isSameAs(this.batch.get(0));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.batch.get(1));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.batch.get(-1));
	}

	private static void assertRefused(ThrowingCallable action) {
		assertThatIllegalStateException().isThrownBy(action).withMessageContaining("wr_id, status, qp_num");
	}

}
