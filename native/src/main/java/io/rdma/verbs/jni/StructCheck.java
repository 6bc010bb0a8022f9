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

import java.util.ArrayList;
import java.util.List;

import io.rdma.verbs.StructLayouts.RecvWr;
import io.rdma.verbs.StructLayouts.SendWr;
import io.rdma.verbs.StructLayouts.Sge;
import io.rdma.verbs.StructLayouts.Wc;

/**
 * Compares what the Java side takes the layout of the C structures to be with what the
 * native library was compiled with. Reading or writing at a wrong place would corrupt
 * memory, so a difference refuses to start.
 */
final class StructCheck {

	private static final List<Field> FIELDS = List.of(new Field("sizeof ibv_sge", Sge.SIZE),
			new Field("ibv_sge.addr", Sge.ADDR), new Field("ibv_sge.length", Sge.LENGTH),
			new Field("ibv_sge.lkey", Sge.LKEY), new Field("sizeof ibv_send_wr", SendWr.SIZE),
			new Field("ibv_send_wr.wr_id", SendWr.WR_ID), new Field("ibv_send_wr.next", SendWr.NEXT),
			new Field("ibv_send_wr.sg_list", SendWr.SG_LIST), new Field("ibv_send_wr.num_sge", SendWr.NUM_SGE),
			new Field("ibv_send_wr.opcode", SendWr.OPCODE), new Field("ibv_send_wr.send_flags", SendWr.SEND_FLAGS),
			new Field("ibv_send_wr.imm_data", SendWr.IMM_DATA),
			new Field("ibv_send_wr.invalidate_rkey", SendWr.IMM_DATA),
			new Field("ibv_send_wr.wr.rdma.remote_addr", SendWr.REMOTE_ADDR),
			new Field("ibv_send_wr.wr.rdma.rkey", SendWr.RDMA_RKEY),
			new Field("ibv_send_wr.wr.atomic.remote_addr", SendWr.REMOTE_ADDR),
			new Field("ibv_send_wr.wr.atomic.compare_add", SendWr.COMPARE_ADD),
			new Field("ibv_send_wr.wr.atomic.swap", SendWr.SWAP),
			new Field("ibv_send_wr.wr.atomic.rkey", SendWr.ATOMIC_RKEY), new Field("sizeof ibv_recv_wr", RecvWr.SIZE),
			new Field("ibv_recv_wr.wr_id", RecvWr.WR_ID), new Field("ibv_recv_wr.next", RecvWr.NEXT),
			new Field("ibv_recv_wr.sg_list", RecvWr.SG_LIST), new Field("ibv_recv_wr.num_sge", RecvWr.NUM_SGE),
			new Field("sizeof ibv_wc", Wc.SIZE), new Field("ibv_wc.wr_id", Wc.WR_ID),
			new Field("ibv_wc.status", Wc.STATUS), new Field("ibv_wc.opcode", Wc.OPCODE),
			new Field("ibv_wc.vendor_err", Wc.VENDOR_ERR), new Field("ibv_wc.byte_len", Wc.BYTE_LEN),
			new Field("ibv_wc.imm_data", Wc.IMM_DATA), new Field("ibv_wc.qp_num", Wc.QP_NUM),
			new Field("ibv_wc.src_qp", Wc.SRC_QP), new Field("ibv_wc.wc_flags", Wc.WC_FLAGS));

	/** What helps if library and classes do not fit each other. */
	static final String REMEDY = "it is of another release than the jar; remove it, or put the library of the same "
			+ "release in its place, or remove the other jar from the class path";

	private StructCheck() {
	}

	/**
	 * Compare.
	 * @param library what the native library is, for messages
	 * @param version the version of the native library
	 * @param layout sizes and offsets in the native library
	 * @throws NativeLibraryException if anything differs; the message names it
	 */
	static void check(String library, int version, int[] layout) {
		if (version != LibraryCalls.VERSION) {
			throw new NativeLibraryException("The native library " + library + " has version " + version
					+ ", but these classes need " + LibraryCalls.VERSION + ": " + REMEDY);
		}
		List<String> differences = new ArrayList<>();
		for (int i = 0; i < Math.max(layout.length, FIELDS.size()); i++) {
			if (i >= layout.length || i >= FIELDS.size()) {
				differences.add("the number of values is " + layout.length + " there and " + FIELDS.size() + " here");
				break;
			}
			Field field = FIELDS.get(i);
			if (layout[i] != field.value()) {
				differences.add(field.name() + " is " + layout[i] + " there and " + field.value() + " here");
			}
		}
		if (!differences.isEmpty()) {
			throw new NativeLibraryException("The native library " + library
					+ " lays out the structures of libibverbs in another way than these classes: "
					+ String.join(", ", differences) + "; build it with the headers of rdma-core");
		}
	}

	private record Field(String name, int value) {
	}

}
