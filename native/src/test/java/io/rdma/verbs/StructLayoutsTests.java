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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StructLayouts}: sizes and offsets as gcc lays the structures out, the
 * same on x86-64 and AArch64.
 */
class StructLayoutsTests {

	@Test
	void scatterGatherEntryIsLaidOutAsInC() {
		assertThat(StructLayouts.Sge.SIZE).isEqualTo(16);
		assertThat(new int[] { StructLayouts.Sge.ADDR, StructLayouts.Sge.LENGTH, StructLayouts.Sge.LKEY })
			.containsExactly(0, 8, 12);
	}

	@Test
	void sendWorkRequestIsLaidOutAsInC() {
		assertThat(StructLayouts.SendWr.SIZE).isEqualTo(128);
		assertThat(new int[] { StructLayouts.SendWr.WR_ID, StructLayouts.SendWr.NEXT, StructLayouts.SendWr.SG_LIST,
				StructLayouts.SendWr.NUM_SGE, StructLayouts.SendWr.OPCODE, StructLayouts.SendWr.SEND_FLAGS,
				StructLayouts.SendWr.IMM_DATA, StructLayouts.SendWr.REMOTE_ADDR, StructLayouts.SendWr.RDMA_RKEY,
				StructLayouts.SendWr.COMPARE_ADD, StructLayouts.SendWr.SWAP, StructLayouts.SendWr.ATOMIC_RKEY })
			.containsExactly(0, 8, 16, 24, 28, 32, 36, 40, 48, 48, 56, 64);
	}

	@Test
	void receiveWorkRequestIsLaidOutAsInC() {
		assertThat(StructLayouts.RecvWr.SIZE).isEqualTo(32);
		assertThat(new int[] { StructLayouts.RecvWr.WR_ID, StructLayouts.RecvWr.NEXT, StructLayouts.RecvWr.SG_LIST,
				StructLayouts.RecvWr.NUM_SGE })
			.containsExactly(0, 8, 16, 24);
	}

	@Test
	void workCompletionIsLaidOutAsInC() {
		assertThat(StructLayouts.Wc.SIZE).isEqualTo(48);
		assertThat(new int[] { StructLayouts.Wc.WR_ID, StructLayouts.Wc.STATUS, StructLayouts.Wc.OPCODE,
				StructLayouts.Wc.VENDOR_ERR, StructLayouts.Wc.BYTE_LEN, StructLayouts.Wc.IMM_DATA,
				StructLayouts.Wc.QP_NUM, StructLayouts.Wc.SRC_QP, StructLayouts.Wc.WC_FLAGS })
			.containsExactly(0, 8, 12, 16, 20, 24, 28, 32, 36);
		assertThat(
				new int[] { StructLayouts.Wc.FLAG_GRH, StructLayouts.Wc.FLAG_WITH_IMM, StructLayouts.Wc.FLAG_WITH_INV })
			.containsExactly(1, 2, 8);
	}

}
