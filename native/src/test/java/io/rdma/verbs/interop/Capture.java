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

package io.rdma.verbs.interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

import io.rdma.verbs.Gid;
import io.rdma.verbs.soft.packet.Flow;

/**
 * A file of tcpdump with UDP packets on an Ethernet, of which one after the other is
 * looked at.
 */
final class Capture {

	/** Numbers of the file, which are in the order of little endian. */
	private static final int MAGIC = 0xa1b2c3d4;

	private static final int ETHERNET = 1;

	private static final int FILE_HEADER = 24;

	private static final int FRAME_HEADER = 16;

	private static final int IP = 14;

	private static final int IPV4 = 0x0800;

	private static final int IPV6 = 0x86dd;

	private static final int IPV4_LENGTH = 20;

	private static final int IPV6_LENGTH = 40;

	private static final int UDP_LENGTH = 8;

	private static final int DONT_FRAGMENT = 0x4000;

	private final ByteBuffer memory;

	private final Flow flow = new Flow();

	private int number;

	private int frame;

	private int next = FILE_HEADER;

	Capture(Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file)) {
			this.memory = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
		}
		if (littleEndian(0) != MAGIC || littleEndian(20) != ETHERNET) {
			throw new IOException(file + " is not what tcpdump writes on a little-endian machine of an Ethernet");
		}
	}

	private int littleEndian(int at) {
		return Integer.reverseBytes(this.memory.getInt(at));
	}

	/** Go to the next packet, if there is one. */
	boolean next() {
		if (this.next == this.memory.limit()) {
			return false;
		}
		int length = littleEndian(this.next + 8);
		this.frame = this.next + FRAME_HEADER;
		this.next = this.frame + length;
		this.number++;
		if (length != littleEndian(this.frame - 4)) {
			throw new IllegalStateException("Frame " + this.number + " was not captured to its end");
		}
		int udp = udp();
		int source = Short.toUnsignedInt(this.memory.getShort(udp));
		int destination = Short.toUnsignedInt(this.memory.getShort(udp + 2));
		if (isIpv4()) {
			this.flow.source(0, ipv4(IP + 12), source).destination(0, ipv4(IP + 16), destination);
		}
		else {
			this.flow.source(number(IP + 8), number(IP + 16), source)
				.destination(number(IP + 24), number(IP + 32), destination);
		}
		return true;
	}

	private long ipv4(int offset) {
		return 0xffff_0000_0000L | Integer.toUnsignedLong(this.memory.getInt(this.frame + offset));
	}

	private long number(int offset) {
		return this.memory.getLong(this.frame + offset);
	}

	private int type() {
		return Short.toUnsignedInt(this.memory.getShort(this.frame + IP - 2));
	}

	boolean isIpv4() {
		return type() == IPV4;
	}

	private int udp() {
		return switch (type()) {
			case IPV4 -> this.frame + IP + IPV4_LENGTH;
			case IPV6 -> this.frame + IP + IPV6_LENGTH;
			default -> throw new IllegalStateException("Frame " + this.number + " has type " + type());
		};
	}

	/** The memory that the packets stand in. */
	ByteBuffer memory() {
		return this.memory;
	}

	/** Where the payload of UDP starts. */
	int at() {
		return udp() + UDP_LENGTH;
	}

	/** The length of the payload of UDP. */
	int length() {
		return Short.toUnsignedInt(this.memory.getShort(udp() + 4)) - UDP_LENGTH;
	}

	/** Where the packet comes from and goes to. */
	Flow flow() {
		return this.flow;
	}

	Gid source() {
		return new Gid(this.flow.sourceHigh(), this.flow.sourceLow());
	}

	/** The identification in the header of IPv4, 0 for IPv6. */
	int identification() {
		return isIpv4() ? Short.toUnsignedInt(this.memory.getShort(this.frame + IP + 4)) : 0;
	}

	/** Whether the packet stays in one piece. That is all that IPv6 has. */
	boolean isWhole() {
		return !isIpv4() || this.memory.getShort(this.frame + IP + 6) == DONT_FRAGMENT;
	}

	int trafficClass() {
		return isIpv4() ? Byte.toUnsignedInt(this.memory.get(this.frame + IP + 1))
				: (this.memory.getInt(this.frame + IP) >> 20) & 0xff;
	}

	int hopLimit() {
		return Byte.toUnsignedInt(this.memory.get(this.frame + IP + (isIpv4() ? 8 : 7)));
	}

	/** The number of the packet in the file, from 1. */
	int number() {
		return this.number;
	}

}
