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

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The invariant CRC of packets: made, and checked. It covers the headers of IP and UDP as
 * well, without what routers change, so it needs to know the {@link Flow}. One object is
 * for one thread; it remembers the few buffers that it last read, so give it large
 * buffers with many packets rather than one for each packet.
 *
 * <p>
 * Over IPv4 it covers the identification of the datagram too, which a receiver is not
 * told. As a CRC is linear, the difference between the CRC for identification zero and
 * the one in the packet, taken backwards over all bytes from the identification on, is
 * the identification itself. Of a packet that was damaged the result has more than 16
 * bits, except by a chance of one in 65536 (a CRC of 32 bits, 16 of which are spent).
 *
 * <p>
 * The memory of a packet must stay mapped while it is read: a file that somebody else may
 * shorten is no place for it.
 */
public final class Icrc {

	/** The result of a check: the packet was damaged on the way. */
	public static final int CORRUPT = -1;

	/** The polynomial of CRC-32, the lowest power in the highest bit. */
	private static final int POLYNOMIAL = 0xedb8_8320;

	private static final int POWER_ZERO = 1 << 31;

	/** Eight bytes of ones stand for the local route header of InfiniBand. */
	private static final int IP = 8;

	private static final int UDP_LENGTH = 8;

	private static final int UDP_PROTOCOL = 17;

	private static final int IPV4_LENGTH = 20;

	private static final int IPV4_IDENTIFICATION = 4;

	/** Version 4, five words of header, type of service masked. */
	private static final int IPV4_START = 0x45ff_0000;

	/** Don't fragment, no offset. */
	private static final int IPV4_FLAGS = 0x4000;

	/** Time to live masked, protocol, checksum masked. */
	private static final int IPV4_PROTOCOL = 0xff00_ffff | (UDP_PROTOCOL << 16);

	private static final int IPV6_LENGTH = 40;

	/** Version 6, traffic class and flow label masked. */
	private static final int IPV6_START = 0x6fff_ffff;

	/** Next header, hop limit masked. */
	private static final int IPV6_PROTOCOL = (UDP_PROTOCOL << 8) | 0xff;

	private static final int MASKED_CHECKSUM = 0xffff;

	/** How many bytes the CRC covers from the identification on, beside the packet. */
	private static final int AFTER_IDENTIFICATION = IPV4_LENGTH - IPV4_IDENTIFICATION + UDP_LENGTH;

	private static final int MAX_STEPS_BACK = (AFTER_IDENTIFICATION + PacketCheck.MAX_LENGTH) * Byte.SIZE;

	/**
	 * The powers of x modulo the polynomial, from a negative one up to zero: entry
	 * {@code i} is x to the power of {@code i - MAX_STEPS_BACK}. Any 32 of them in a row
	 * are the matrix that takes a CRC so many bits backwards.
	 */
	private static final int[] POWERS = powers();

	private static final int BUFFERS = 4;

	private final CRC32 crc = new CRC32();

	/** Direct, as that takes half of the time of an array. */
	private final ByteBuffer headers = ByteBuffer.allocateDirect(IP + IPV6_LENGTH + UDP_LENGTH + Bth.LENGTH)
		.putLong(0, -1);

	private final View[] views = new View[BUFFERS];

	private int oldestView;

	/**
	 * Create one, for one thread.
	 */
	public Icrc() {
		ByteBuffer none = ByteBuffer.allocate(0);
		for (int i = 0; i < BUFFERS; i++) {
			this.views[i] = new View(none, none);
		}
	}

	private static int[] powers() {
		int[] powers = new int[MAX_STEPS_BACK + 1];
		int power = POWER_ZERO;
		for (int i = MAX_STEPS_BACK; i >= 0; i--) {
			powers[i] = power;
			power = (power < 0) ? ((power ^ POLYNOMIAL) << 1) | 1 : power << 1;
		}
		return powers;
	}

	/**
	 * Compute the CRC of a packet.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param lengthWithoutIcrc how many bytes up to the place of the CRC, at least
	 * {@link Bth#LENGTH}
	 * @param flow where the packet comes from and goes to
	 * @param identification the identification of the datagram, 16 bits; ignored for IPv6
	 * @return the CRC, whose lowest byte is the first in the packet
	 */
	public int of(ByteBuffer packet, int at, int lengthWithoutIcrc, Flow flow, int identification) {
		this.headers.clear();
		int udpLength = UDP_LENGTH + lengthWithoutIcrc + PacketCheck.ICRC_LENGTH;
		int udp = flow.isIpv4() ? putIpv4(flow, udpLength, identification) : putIpv6(flow, udpLength);
		int end = putUdpAndBth(udp, flow, udpLength, packet, at);
		this.crc.reset();
		this.crc.update(this.headers.limit(end).position(0));
		if (lengthWithoutIcrc > Bth.LENGTH) {
			this.crc.update(view(packet).limit(at + lengthWithoutIcrc).position(at + Bth.LENGTH));
		}
		return (int) this.crc.getValue();
	}

	private int putIpv4(Flow flow, int udpLength, int identification) {
		this.headers.putInt(IP, IPV4_START | (IPV4_LENGTH + udpLength));
		this.headers.putInt(IP + IPV4_IDENTIFICATION, (identification << 16) | IPV4_FLAGS);
		this.headers.putInt(IP + 8, IPV4_PROTOCOL);
		this.headers.putInt(IP + 12, (int) flow.sourceLow());
		this.headers.putInt(IP + 16, (int) flow.destinationLow());
		return IP + IPV4_LENGTH;
	}

	private int putIpv6(Flow flow, int udpLength) {
		this.headers.putInt(IP, IPV6_START);
		this.headers.putInt(IP + 4, (udpLength << 16) | IPV6_PROTOCOL);
		this.headers.putLong(IP + 8, flow.sourceHigh());
		this.headers.putLong(IP + 16, flow.sourceLow());
		this.headers.putLong(IP + 24, flow.destinationHigh());
		this.headers.putLong(IP + 32, flow.destinationLow());
		return IP + IPV6_LENGTH;
	}

	private int putUdpAndBth(int udp, Flow flow, int udpLength, ByteBuffer packet, int at) {
		this.headers.putInt(udp, (flow.sourcePort() << 16) | (flow.destinationPort() & 0xffff));
		this.headers.putInt(udp + 4, (udpLength << 16) | MASKED_CHECKSUM);
		int bth = udp + UDP_LENGTH;
		this.headers.putInt(bth, packet.getInt(at));
		this.headers.putLong(bth + 4, packet.getLong(at + 4));
		this.headers.put(bth + Bth.VARIANT_BYTE, (byte) 0xff);
		return bth + Bth.LENGTH;
	}

	/**
	 * Compute the CRC of a packet and put it behind it.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param lengthWithoutIcrc how many bytes up to the place of the CRC, at least
	 * {@link Bth#LENGTH}
	 * @param flow where the packet comes from and goes to
	 * @param identification the identification of the datagram, 16 bits; ignored for IPv6
	 */
	public void seal(ByteBuffer packet, int at, int lengthWithoutIcrc, Flow flow, int identification) {
		int value = of(packet, at, lengthWithoutIcrc, flow, identification);
		packet.putInt(at + lengthWithoutIcrc, Integer.reverseBytes(value));
	}

	/**
	 * Check the CRC of a packet that came.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param length the length in bytes; a packet has from {@link PacketCheck#MIN_LENGTH}
	 * to {@link PacketCheck#MAX_LENGTH}, and others are corrupt
	 * @param flow where the packet comes from and goes to
	 * @return the identification of the IPv4 datagram by which the packet is intact, 0 to
	 * 65535, always 0 for IPv6; {@link #CORRUPT} if there is none
	 */
	public int check(ByteBuffer packet, int at, int length, Flow flow) {
		if (length < PacketCheck.MIN_LENGTH || length > PacketCheck.MAX_LENGTH) {
			return CORRUPT;
		}
		int lengthWithoutIcrc = length - PacketCheck.ICRC_LENGTH;
		int received = Integer.reverseBytes(packet.getInt(at + lengthWithoutIcrc));
		int difference = of(packet, at, lengthWithoutIcrc, flow, 0) ^ received;
		if (difference == 0) {
			return 0;
		}
		return flow.isIpv4() ? identification(difference, AFTER_IDENTIFICATION + lengthWithoutIcrc) : CORRUPT;
	}

	private static int identification(int difference, int bytes) {
		int origin = back(difference, bytes * Byte.SIZE);
		return (origin >>> 16 != 0) ? CORRUPT : Short.toUnsignedInt(Short.reverseBytes((short) origin));
	}

	/**
	 * Take a CRC backwards over zeros: divide it by a power of x.
	 * @param crc the CRC
	 * @param bits how many bits, at least 31
	 * @return the CRC before
	 */
	private static int back(int crc, int bits) {
		int row = MAX_STEPS_BACK - bits;
		int result = 0;
		for (int i = 0; i < Integer.SIZE; i++) {
			result ^= POWERS[row + i] & ((crc << i) >> 31);
		}
		return result;
	}

	private ByteBuffer view(ByteBuffer packet) {
		for (View view : this.views) {
			if (view.isOf(packet)) {
				return view.own;
			}
		}
		View view = new View(packet, packet.duplicate());
		this.views[this.oldestView] = view;
		this.oldestView = (this.oldestView + 1) % BUFFERS;
		return view.own;
	}

	/**
	 * A buffer, and its memory with a position of our own.
	 */
	private record View(ByteBuffer packet, ByteBuffer own) {

		@SuppressWarnings("ReferenceEquality") // equal buffers have equal content
		boolean isOf(ByteBuffer packet) {
			return this.packet == packet;
		}

	}

}
