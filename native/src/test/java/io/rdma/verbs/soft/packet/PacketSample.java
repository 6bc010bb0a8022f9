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

package io.rdma.verbs.soft.packet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A packet that another implementation made, out of the resource {@code packets.txt}.
 *
 * @param operation the name of the operation code, or its number
 * @param identification what {@link Icrc#check} has to find
 * @param form {@code good}, or the label of the reason to drop it
 * @param buffer the datagram, from the IP header on
 */
record PacketSample(String operation, int identification, String form, ByteBuffer buffer) {

	private static final String RESOURCE = "packets.txt";

	private static final int UDP_LENGTH = 8;

	static List<PacketSample> all() {
		try (InputStream in = Objects.requireNonNull(PacketSample.class.getResourceAsStream(RESOURCE));
				BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
			return reader.lines()
				.filter((line) -> !line.isBlank() && !line.startsWith("#"))
				.map(PacketSample::parse)
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static PacketSample parse(String line) {
		String[] columns = line.split(" +", -1);
		byte[] bytes = HexFormat.of().parseHex(columns[3]);
		int identification = switch (columns[1]) {
			case "none" -> 0;
			case "corrupt" -> Icrc.CORRUPT;
			default -> Integer.parseInt(columns[1], 16);
		};
		ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
		return new PacketSample(columns[0], identification, columns[2], buffer);
	}

	boolean isIpv4() {
		return this.buffer.get(0) >> 4 == 4;
	}

	/**
	 * Return where the base transport header is.
	 * @return the index
	 */
	int at() {
		return udp() + UDP_LENGTH;
	}

	int length() {
		return this.buffer.capacity() - at();
	}

	int payloadLength() {
		return PacketCheck.payloadLength(this.buffer, at(), length());
	}

	/**
	 * Return the bytes of the UDP payload.
	 * @return a new array
	 */
	byte[] packet() {
		byte[] bytes = new byte[length()];
		this.buffer.get(at(), bytes);
		return bytes;
	}

	Flow flow() {
		int sourcePort = this.buffer.getShort(udp()) & 0xffff;
		int destinationPort = this.buffer.getShort(udp() + 2) & 0xffff;
		if (isIpv4()) {
			return new Flow().source(0, ipv4(12), sourcePort).destination(0, ipv4(16), destinationPort);
		}
		return new Flow().source(this.buffer.getLong(8), this.buffer.getLong(16), sourcePort)
			.destination(this.buffer.getLong(24), this.buffer.getLong(32), destinationPort);
	}

	private int udp() {
		return isIpv4() ? 20 : 40;
	}

	private long ipv4(int index) {
		return 0xffff_0000_0000L | Integer.toUnsignedLong(this.buffer.getInt(index));
	}

	@Override
	public String toString() {
		return (isIpv4() ? "IPv4 " : "IPv6 ") + PacketText.describe(this.buffer, at(), length());
	}

}
