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

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/**
 * A global identifier of a port, 128 bits ({@code union ibv_gid}). An IPv4 address stands
 * in it as {@code ::ffff:a.b.c.d}, an IPv6 address as itself.
 *
 * @param high the first eight bytes, as a big-endian number
 * @param low the last eight bytes, as a big-endian number
 */
public record Gid(long high, long low) {

	private static final long IPV4_PREFIX = 0x0000_ffff_0000_0000L;

	private static final int BYTES = 16;

	/**
	 * Return the GID of an IP address.
	 * @param address the address
	 * @return the GID
	 */
	public static Gid of(InetAddress address) {
		byte[] bytes = address.getAddress();
		if (bytes.length == Integer.BYTES) {
			return new Gid(0, IPV4_PREFIX | (longAt(bytes, 0, Integer.BYTES)));
		}
		return of(bytes);
	}

	/**
	 * Return the GID of 16 bytes in network order.
	 * @param bytes the bytes
	 * @return the GID
	 * @throws IllegalArgumentException if there are not 16 bytes
	 */
	public static Gid of(byte[] bytes) {
		if (bytes.length != BYTES) {
			throw new IllegalArgumentException("A GID has 16 bytes, but " + bytes.length + " were given");
		}
		return new Gid(longAt(bytes, 0, Long.BYTES), longAt(bytes, Long.BYTES, Long.BYTES));
	}

	private static long longAt(byte[] bytes, int from, int count) {
		long value = 0;
		for (int i = from; i < from + count; i++) {
			value = (value << 8) | (bytes[i] & 0xff);
		}
		return value;
	}

	/**
	 * Return the 16 bytes in network order.
	 * @return a new array
	 */
	public byte[] toBytes() {
		byte[] bytes = new byte[BYTES];
		for (int i = 0; i < Long.BYTES; i++) {
			bytes[i] = (byte) (this.high >>> (56 - 8 * i));
			bytes[i + Long.BYTES] = (byte) (this.low >>> (56 - 8 * i));
		}
		return bytes;
	}

	/**
	 * Return whether no bit is set: the mark of an empty entry of the GID table.
	 * @return whether the GID is empty
	 */
	public boolean isZero() {
		return this.high == 0 && this.low == 0;
	}

	/**
	 * Return whether an IPv4 address stands in the GID.
	 * @return whether it is an IPv4-mapped GID
	 */
	public boolean isIpv4() {
		return this.high == 0 && (this.low & 0xffff_ffff_0000_0000L) == IPV4_PREFIX;
	}

	/**
	 * Return whether the GID is link-local ({@code fe80::/10}) and so reaches no other
	 * subnet.
	 * @return whether it is link-local
	 */
	public boolean isLinkLocal() {
		return (this.high & 0xffc0_0000_0000_0000L) == 0xfe80_0000_0000_0000L;
	}

	/**
	 * Return the GID as an IP address.
	 * @return the address, an {@link java.net.Inet4Address} for an IPv4-mapped GID
	 */
	public InetAddress toAddress() {
		try {
			return InetAddress.getByAddress(toBytes());
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException("16 bytes are always an address", ex);
		}
	}

	/**
	 * Return the GID in the form of sysfs: eight groups of four hexadecimal digits.
	 * @return the text
	 */
	@Override
	public String toString() {
		String digits = HexFormat.of().formatHex(toBytes());
		StringBuilder text = new StringBuilder(39);
		for (int i = 0; i < digits.length(); i += 4) {
			if (i > 0) {
				text.append(':');
			}
			text.append(digits, i, i + 4);
		}
		return text.toString();
	}

}
