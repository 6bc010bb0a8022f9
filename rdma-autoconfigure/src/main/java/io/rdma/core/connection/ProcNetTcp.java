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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

import lombok.extern.slf4j.Slf4j;

/**
 * Finds out which user the other end of a TCP connection on this host belongs to, from
 * the tables that Linux shows in {@code /proc/net}.
 */
@Slf4j
final class ProcNetTcp {

	private static final int IPV6_BYTES = 16;

	/** Start of an IPv6 address in which an IPv4 address stands. */
	private static final byte[] MAPPED = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff };

	private static final String ESTABLISHED = "01";

	private final List<Path> tables;

	private final Path status;

	ProcNetTcp() {
		this(Path.of("/proc"));
	}

	ProcNetTcp(Path proc) {
		this.tables = List.of(proc.resolve("net/tcp"), proc.resolve("net/tcp6"));
		this.status = proc.resolve("self/status");
	}

	/**
	 * Return the user of this process.
	 * @return the effective user id, empty if it cannot be found out
	 */
	OptionalLong ownUser() {
		try (Stream<String> lines = Files.lines(this.status, StandardCharsets.UTF_8)) {
			return lines.filter((line) -> line.startsWith("Uid:"))
				.map((line) -> line.split("\\s+"))
				.filter((fields) -> fields.length > 2)
				.mapToLong((fields) -> Long.parseLong(fields[2]))
				.findFirst();
		}
		catch (IOException | RuntimeException ex) {
			return OptionalLong.empty();
		}
	}

	/**
	 * Return the user that one end of an established connection belongs to.
	 * @param end the address of that end
	 * @param otherEnd the address of the other end
	 * @return the user id, empty if the connection is not shown
	 */
	OptionalLong userOf(InetSocketAddress end, InetSocketAddress otherEnd) {
		for (Path table : this.tables) {
			try (Stream<String> lines = Files.lines(table, StandardCharsets.US_ASCII)) {
				OptionalLong user = find(lines, end, otherEnd);
				if (user.isPresent()) {
					return user;
				}
			}
			catch (IOException | RuntimeException ex) {
				logger.trace("Table {} cannot be read, as that of IPv6 cannot on a host without it", table, ex);
			}
		}
		return OptionalLong.empty();
	}

	static OptionalLong find(Stream<String> lines, InetSocketAddress end, InetSocketAddress otherEnd) {
		return lines.map(String::strip)
			.map((line) -> line.split("\\s+"))
			.filter((fields) -> fields.length > 7 && fields[3].equals(ESTABLISHED))
			.filter((fields) -> matches(fields[1], end) && matches(fields[2], otherEnd))
			.mapToLong((fields) -> Long.parseLong(fields[7]))
			.findFirst();
	}

	private static boolean matches(String field, InetSocketAddress address) {
		int colon = field.indexOf(':');
		return colon > 0 && Integer.parseInt(field, colon + 1, field.length(), 16) == address.getPort()
				&& parse(field.substring(0, colon)).equals(address.getAddress());
	}

	/**
	 * Parse an address as the tables show it: words of 32 bits in the byte order of the
	 * machine, in hexadecimal.
	 * @param hex the digits
	 * @return the address; an IPv4 address that stands in an IPv6 address is taken out
	 */
	static InetAddress parse(String hex) {
		byte[] bytes = HexFormat.of().parseHex(hex);
		ByteBuffer network = ByteBuffer.allocate(bytes.length);
		// the digits of each word are its value, most significant first
		ByteBuffer values = ByteBuffer.wrap(bytes);
		while (values.hasRemaining()) {
			int value = values.getInt();
			network.putInt((ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) ? Integer.reverseBytes(value) : value);
		}
		byte[] address = network.array();
		if (address.length == IPV6_BYTES && Arrays.equals(address, 0, MAPPED.length, MAPPED, 0, MAPPED.length)) {
			address = Arrays.copyOfRange(address, MAPPED.length, IPV6_BYTES);
		}
		try {
			return InetAddress.getByAddress(address);
		}
		catch (UnknownHostException ex) {
			throw new IllegalArgumentException("'" + hex + "' is not an address", ex);
		}
	}

}
