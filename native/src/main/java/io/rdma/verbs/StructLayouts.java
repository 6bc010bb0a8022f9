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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Sizes and field offsets in bytes of the C structures that work requests and completions
 * are laid out in, the same on x86-64 and AArch64, and the handles that reach them.
 * Fields are in the byte order of the machine except immediate data, which verbs define
 * as big-endian.
 */
public final class StructLayouts {

	/** View of 8 bytes of a direct buffer in the byte order of the machine. */
	public static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

	/** View of 4 bytes of a direct buffer in the byte order of the machine. */
	public static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

	private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

	private StructLayouts() {
	}

	/**
	 * Write two neighbouring fields of 4 bytes at once.
	 * @param memory the memory, a direct buffer
	 * @param at where the first one is
	 * @param first the first one
	 * @param second the second one
	 */
	public static void putInts(ByteBuffer memory, int at, int first, int second) {
		LONG.set(memory, at, LITTLE_ENDIAN ? ((long) second << Integer.SIZE) | Integer.toUnsignedLong(first)
				: ((long) first << Integer.SIZE) | Integer.toUnsignedLong(second));
	}

	/** {@code struct ibv_sge}. */
	public static final class Sge {

		/** Size of the structure. */
		public static final int SIZE = 16;

		/** Offset of {@code addr}, 8 bytes. */
		public static final int ADDR = 0;

		/** Offset of {@code length}, 4 bytes. */
		public static final int LENGTH = 8;

		/** Offset of {@code lkey}, 4 bytes. */
		public static final int LKEY = 12;

		private Sge() {
		}

	}

	/** {@code struct ibv_send_wr}. */
	public static final class SendWr {

		/** Size of the structure. */
		public static final int SIZE = 128;

		/** Offset of {@code wr_id}, 8 bytes. */
		public static final int WR_ID = 0;

		/** Offset of {@code next}, 8 bytes. */
		public static final int NEXT = 8;

		/** Offset of {@code sg_list}, 8 bytes. */
		public static final int SG_LIST = 16;

		/** Offset of {@code num_sge}, 4 bytes. */
		public static final int NUM_SGE = 24;

		/** Offset of {@code opcode}, 4 bytes. */
		public static final int OPCODE = 28;

		/** Offset of {@code send_flags}, 4 bytes. */
		public static final int SEND_FLAGS = 32;

		/** Offset of {@code imm_data} and {@code invalidate_rkey}, 4 bytes. */
		public static final int IMM_DATA = 36;

		/** Offset of {@code wr.rdma.remote_addr} and {@code wr.atomic.remote_addr}. */
		public static final int REMOTE_ADDR = 40;

		/** Offset of {@code wr.rdma.rkey}, 4 bytes. */
		public static final int RDMA_RKEY = 48;

		/** Offset of {@code wr.atomic.compare_add}, 8 bytes. */
		public static final int COMPARE_ADD = 48;

		/** Offset of {@code wr.atomic.swap}, 8 bytes. */
		public static final int SWAP = 56;

		/** Offset of {@code wr.atomic.rkey}, 4 bytes. */
		public static final int ATOMIC_RKEY = 64;

		private SendWr() {
		}

	}

	/** {@code struct ibv_recv_wr}. */
	public static final class RecvWr {

		/** Size of the structure. */
		public static final int SIZE = 32;

		/** Offset of {@code wr_id}, 8 bytes. */
		public static final int WR_ID = 0;

		/** Offset of {@code next}, 8 bytes. */
		public static final int NEXT = 8;

		/** Offset of {@code sg_list}, 8 bytes. */
		public static final int SG_LIST = 16;

		/** Offset of {@code num_sge}, 4 bytes. */
		public static final int NUM_SGE = 24;

		private RecvWr() {
		}

	}

	/** {@code struct ibv_wc}. */
	public static final class Wc {

		/** Size of the structure. */
		public static final int SIZE = 48;

		/** Offset of {@code wr_id}, 8 bytes. */
		public static final int WR_ID = 0;

		/** Offset of {@code status}, 4 bytes. */
		public static final int STATUS = 8;

		/** Offset of {@code opcode}, 4 bytes. */
		public static final int OPCODE = 12;

		/** Offset of {@code vendor_err}, 4 bytes. */
		public static final int VENDOR_ERR = 16;

		/** Offset of {@code byte_len}, 4 bytes. */
		public static final int BYTE_LEN = 20;

		/** Offset of {@code imm_data} and {@code invalidated_rkey}, 4 bytes. */
		public static final int IMM_DATA = 24;

		/** Offset of {@code qp_num}, 4 bytes. */
		public static final int QP_NUM = 28;

		/** Offset of {@code src_qp}, 4 bytes. */
		public static final int SRC_QP = 32;

		/** Offset of {@code wc_flags}, 4 bytes. */
		public static final int WC_FLAGS = 36;

		/** Flag: a global route header came with the message. */
		public static final int FLAG_GRH = 1;

		/** Flag: there is immediate data. */
		public static final int FLAG_WITH_IMM = 2;

		/** Flag: a memory window was invalidated. */
		public static final int FLAG_WITH_INV = 8;

		private Wc() {
		}

	}

}
