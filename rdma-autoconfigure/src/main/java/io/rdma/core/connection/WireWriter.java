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

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Writes the body of a frame, in network byte order.
 */
final class WireWriter {

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);

	private final DataOutputStream out = new DataOutputStream(this.bytes);

	WireWriter putByte(int value) {
		return write(() -> this.out.writeByte(value));
	}

	WireWriter putShort(int value) {
		return write(() -> this.out.writeShort(value));
	}

	WireWriter putInt(int value) {
		return write(() -> this.out.writeInt(value));
	}

	WireWriter putLong(long value) {
		return write(() -> this.out.writeLong(value));
	}

	WireWriter putBytes(byte[] value) {
		return write(() -> this.out.write(value));
	}

	WireWriter putText(String text) {
		byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
		return putShort(encoded.length).putBytes(encoded);
	}

	byte[] toBytes() {
		return this.bytes.toByteArray();
	}

	private WireWriter write(Write write) {
		try {
			write.run();
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Memory cannot fail to be written", ex);
		}
	}

	private interface Write {

		void run() throws IOException;

	}

}
