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
package io.rdma.verbs.soft.net;

import java.nio.ByteBuffer;
import java.util.Objects;

import io.rdma.verbs.jni.NativeSocket;

/**
 * Packets to or from a socket: slots of one size in one direct buffer, each with a length
 * and the address of the peer. Lengths are what the user puts, they are not checked
 * against the content. Not thread-safe.
 */
public final class PacketBatch {

	private static final int ADDRESS_LOW = 8;

	private static final int LENGTH = 16;

	private static final int PORT = 20;

	private static final int PORT_MASK = 0xffff;

	private static final int BYTE_MASK = 0xff;

	private static final int TRAFFIC_CLASS_SHIFT = 24;

	private static final int HOP_LIMIT_SHIFT = 16;

	/** What is kept of each slot beside its bytes, as the native library takes it. */
	private static final int ENTRY_SIZE = NativeSocket.ENTRY_SIZE;

	private static final int CACHE_LINE = 64;

	private final int slots;

	private final int slotSize;

	private final ByteBuffer block;

	private final ByteBuffer memory;

	private final int entries;

	/**
	 * Create a batch.
	 * @param slots how many packets it holds, at least 1
	 * @param slotSize the size of a slot in bytes, from 1 to 65535
	 * @throws IllegalArgumentException if a number is out of range, or all together are
	 * above what one buffer can hold
	 */
	public PacketBatch(int slots, int slotSize) {
		if (slots < 1 || slotSize < 1 || slotSize > 0xffff) {
			throw new IllegalArgumentException("There are no batches of " + slots + " slots of " + slotSize
					+ " bytes; give at least 1 slot and from 1 to 65535 bytes");
		}
		this.slots = slots;
		this.slotSize = slotSize;
		// the entries follow at a multiple of 8
		long slotBytes = ((long) slots * slotSize + 7) & ~7L;
		long size = slotBytes + (long) slots * ENTRY_SIZE;
		if (size > Integer.MAX_VALUE - CACHE_LINE) {
			throw new IllegalArgumentException("A batch of " + slots + " slots of " + slotSize
					+ " bytes does not fit into one buffer; use several");
		}
		ByteBuffer whole = ByteBuffer.allocateDirect((int) size + CACHE_LINE);
		int start = CACHE_LINE - whole.alignmentOffset(0, CACHE_LINE);
		this.block = whole.slice(start, (int) size);
		this.memory = whole.slice(start, slots * slotSize);
		this.entries = (int) slotBytes;
	}

	/**
	 * Return the bytes of all slots.
	 * @return a direct buffer in network byte order, the same each time
	 */
	public ByteBuffer memory() {
		return this.memory;
	}

	/**
	 * Return the number of slots.
	 * @return at least 1
	 */
	public int slots() {
		return this.slots;
	}

	/**
	 * Return the size of a slot.
	 * @return the size in bytes
	 */
	public int slotSize() {
		return this.slotSize;
	}

	/**
	 * Return where a slot starts in {@link #memory()}.
	 * @param slot the slot
	 * @return the offset
	 */
	public int offset(int slot) {
		return Objects.checkIndex(slot, this.slots) * this.slotSize;
	}

	/**
	 * Return the length of a packet.
	 * @param slot the slot
	 * @return the length in bytes, from 0 to the size of a slot
	 */
	public int length(int slot) {
		return this.block.getInt(entry(slot) + LENGTH);
	}

	/**
	 * Set the length of a packet.
	 * @param slot the slot
	 * @param bytes the length, from 0 to the size of a slot
	 * @throws IllegalArgumentException if it is another
	 */
	public void length(int slot, int bytes) {
		if (bytes < 0 || bytes > this.slotSize) {
			throw new IllegalArgumentException(
					"A packet of " + bytes + " bytes does not fit a slot of " + this.slotSize + " bytes");
		}
		this.block.putInt(entry(slot) + LENGTH, bytes);
	}

	/**
	 * Return the upper half of the address of the peer.
	 * @param slot the slot
	 * @return the first eight bytes of the GID form; 0 for IPv4
	 */
	public long addressHigh(int slot) {
		return this.block.getLong(entry(slot));
	}

	/**
	 * Return the lower half of the address of the peer.
	 * @param slot the slot
	 * @return the last eight bytes of the GID form; 0xffff and the address for IPv4
	 */
	public long addressLow(int slot) {
		return this.block.getLong(entry(slot) + ADDRESS_LOW);
	}

	/**
	 * Return the UDP port of the peer.
	 * @param slot the slot
	 * @return the port
	 */
	public int port(int slot) {
		return this.block.getInt(entry(slot) + PORT) & PORT_MASK;
	}

	/**
	 * Set the address of the peer. The packet has the traffic class and the hop limit
	 * that the socket has.
	 * @param slot the slot
	 * @param high the upper half of the GID form, 0 for IPv4
	 * @param low the lower half of the GID form, 0xffff and the address for IPv4
	 * @param port the UDP port, from 0 to 65535
	 */
	public void address(int slot, long high, long low, int port) {
		int entry = entry(slot);
		this.block.putLong(entry, high);
		this.block.putLong(entry + ADDRESS_LOW, low);
		this.block.putInt(entry + PORT, port & PORT_MASK);
	}

	/**
	 * Set what routers look at beside the address, which has been set.
	 * @param slot the slot
	 * @param trafficClass the traffic class, from 0 to 255, 0 for what the socket has
	 * @param hopLimit the hop limit, from 0 to 255, 0 for what the socket has
	 */
	public void route(int slot, int trafficClass, int hopLimit) {
		this.block.putInt(entry(slot) + PORT, (trafficClass & BYTE_MASK) << TRAFFIC_CLASS_SHIFT
				| (hopLimit & BYTE_MASK) << HOP_LIMIT_SHIFT | port(slot));
	}

	/**
	 * Copy a packet with all that belongs to it.
	 * @param slot where it goes
	 * @param source the batch that it is in
	 * @param from its slot there
	 */
	void copy(int slot, PacketBatch source, int from) {
		int length = source.length(from);
		length(slot, length);
		this.memory.put(offset(slot), source.memory, source.offset(from), length);
		address(slot, source.addressHigh(from), source.addressLow(from), 0);
		this.block.putInt(entry(slot) + PORT, source.block.getInt(source.entry(from) + PORT));
	}

	/**
	 * Take out the packets whose length the native library has marked as cut off. The
	 * others keep their order.
	 * @param received the number of packets
	 * @return the number of those that are left
	 */
	int removeOversized(int received) {
		int kept = 0;
		for (int slot = 0; slot < received; slot++) {
			if (length(slot) < 0) {
				continue;
			}
			if (kept < slot) {
				copy(kept, this, slot);
			}
			kept++;
		}
		return kept;
	}

	/**
	 * Return slots and entries in one buffer, as the native library takes them.
	 * @return the buffer
	 */
	ByteBuffer block() {
		return this.block;
	}

	private int entry(int slot) {
		return this.entries + Objects.checkIndex(slot, this.slots) * ENTRY_SIZE;
	}

}
