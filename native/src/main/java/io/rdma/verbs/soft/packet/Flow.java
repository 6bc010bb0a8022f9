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

/**
 * Where packets come from and go to, as far as the invariant CRC covers it. Addresses are
 * in the form of a GID: 16 bytes as two big-endian numbers, an IPv4 address as
 * {@code ::ffff:a.b.c.d}. Holds what was last set, so that one object serves for many
 * packets. Not thread-safe.
 */
public final class Flow {

	private static final long IPV4_PREFIX = 0x0000_ffff_0000_0000L;

	private static final long IPV4_PREFIX_MASK = 0xffff_ffff_0000_0000L;

	private long sourceHigh;

	private long sourceLow;

	private int sourcePort;

	private long destinationHigh;

	private long destinationLow;

	private int destinationPort;

	/**
	 * Set the address and UDP port of the sender.
	 * @param high the first eight bytes of the address
	 * @param low the last eight bytes of the address
	 * @param port the port
	 * @return this
	 */
	public Flow source(long high, long low, int port) {
		this.sourceHigh = high;
		this.sourceLow = low;
		this.sourcePort = port;
		return this;
	}

	/**
	 * Set the address and UDP port of the receiver.
	 * @param high the first eight bytes of the address
	 * @param low the last eight bytes of the address
	 * @param port the port
	 * @return this
	 */
	public Flow destination(long high, long low, int port) {
		this.destinationHigh = high;
		this.destinationLow = low;
		this.destinationPort = port;
		return this;
	}

	/**
	 * Return whether the packets are carried by IPv4. Both addresses are of one kind, so
	 * that of the receiver decides.
	 * @return whether it is IPv4, otherwise IPv6
	 */
	public boolean isIpv4() {
		return this.destinationHigh == 0 && (this.destinationLow & IPV4_PREFIX_MASK) == IPV4_PREFIX;
	}

	/**
	 * Return the first eight bytes of the address of the sender.
	 * @return the bytes as a big-endian number
	 */
	public long sourceHigh() {
		return this.sourceHigh;
	}

	/**
	 * Return the last eight bytes of the address of the sender.
	 * @return the bytes as a big-endian number
	 */
	public long sourceLow() {
		return this.sourceLow;
	}

	/**
	 * Return the UDP port of the sender.
	 * @return the port
	 */
	public int sourcePort() {
		return this.sourcePort;
	}

	/**
	 * Return the first eight bytes of the address of the receiver.
	 * @return the bytes as a big-endian number
	 */
	public long destinationHigh() {
		return this.destinationHigh;
	}

	/**
	 * Return the last eight bytes of the address of the receiver.
	 * @return the bytes as a big-endian number
	 */
	public long destinationLow() {
		return this.destinationLow;
	}

	/**
	 * Return the UDP port of the receiver.
	 * @return the port
	 */
	public int destinationPort() {
		return this.destinationPort;
	}

}
