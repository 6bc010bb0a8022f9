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

package io.rdma.core.connection;

import java.nio.ByteBuffer;

/**
 * A frame on the control channel: 4 bytes of length, which counts what follows, one byte
 * of type, the body.
 *
 * @param type the type
 * @param body the body
 */
@SuppressWarnings("ArrayRecordComponent")
record Frame(FrameType type, byte[] body) {

	/** Largest first frame in bytes: what a stranger can make us keep. */
	static final int MAX_FIRST = 4096;

	/** Largest frame in bytes. */
	static final int MAX = 256 * 1024;

	private static final int MAX_TEXT = 2048;

	static Frame reject(RejectCode code, String text) {
		String shown = (text.length() > MAX_TEXT / 4) ? text.substring(0, MAX_TEXT / 4) + "…" : text;
		return new Frame(FrameType.REJECT, new WireWriter().putShort(code.ordinal()).putText(shown).toBytes());
	}

	static Frame bye() {
		return new Frame(FrameType.BYE, new byte[0]);
	}

	HandshakeException toRejection() throws HandshakeException {
		WireReader reader = new WireReader(this.body);
		int code = reader.getShort();
		String text = reader.getText("the text of a REJECT", MAX_TEXT);
		RejectCode[] codes = RejectCode.values();
		RejectCode known = (code < codes.length) ? codes[code] : RejectCode.OTHER;
		return new HandshakeException(known, "the peer refused the connection (" + known + "): " + text,
				"Look into the log of the peer and compare the rdma.* settings of both sides.");
	}

	ByteBuffer encode() {
		return ByteBuffer.allocate(Integer.BYTES + 1 + this.body.length)
			.putInt(1 + this.body.length)
			.put((byte) this.type.ordinal())
			.put(this.body)
			.flip();
	}

}
