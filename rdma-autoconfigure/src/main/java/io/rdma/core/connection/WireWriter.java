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
