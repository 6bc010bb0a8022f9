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

package io.rdma.verbs.soft.shm;

/**
 * Where things stand in the file of one end of a connection. Numbers are in the byte
 * order of the machine, which is the same on both sides. The owner of the file writes the
 * requests, its peer the answers.
 *
 * <pre>
 *      0  header of every shared file
 *  65536  what proves that both see the same memory, 16 bytes
 *  65600  whether the owner sleeps and wants to be woken, 4 bytes
 *  65664  answers, 64 bytes each: sequence, code, timer, value
 *         requests, 1024 bytes each: sequence, fields, segments, small payloads
 * </pre>
 *
 * The request with the sequence {@code n}, from 0, stands in slot {@code n} modulo the
 * number of slots and so does its answer; both are there once the sequence field says
 * {@code n + 1}. A slot is free again when its answer was taken.
 */
public final class RingLayout {

	/** Size of a request. */
	public static final int REQUEST_SIZE = 1024;

	/** Offset of the sequence in a request and in an answer, 8 bytes. */
	public static final int SEQUENCE = 0;

	/** Offset of the opcode in a request, 4 bytes. */
	public static final int OPCODE = 8;

	/** Offset of the flags, 4 bytes. */
	public static final int FLAGS = 12;

	/** Offset of the PSN of the first packet, 4 bytes. */
	public static final int PSN = 16;

	/** Offset of the path MTU as a power of two, 4 bytes. */
	public static final int MTU_SHIFT = 20;

	/** Offset of the length of the message, 8 bytes. */
	public static final int LENGTH = 24;

	/** Offset of the remote address, 8 bytes. */
	public static final int REMOTE_ADDRESS = 32;

	/** Offset of the remote key, 4 bytes. */
	public static final int KEY = 40;

	/** Offset of the immediate data or the key to invalidate, 4 bytes. */
	public static final int IMMEDIATE = 44;

	/** Offset of the value to compare with or to add, 8 bytes. */
	public static final int COMPARE_ADD = 48;

	/** Offset of the value to put in its place, 8 bytes. */
	public static final int SWAP = 56;

	/** Offset of the number of segments, 4 bytes. */
	public static final int SEGMENT_COUNT = 64;

	/** Offset of the first segment. */
	public static final int SEGMENTS = 128;

	/** Size of a segment. */
	public static final int SEGMENT_SIZE = 24;

	/**
	 * Offset of the number of the file in a segment, 8 bytes; 0 is the file of the ring.
	 */
	public static final int SEGMENT_FILE = 0;

	/** Offset of the place in the memory of the file, 8 bytes. */
	public static final int SEGMENT_OFFSET = 8;

	/** Offset of the number of bytes, 4 bytes without sign. */
	public static final int SEGMENT_LENGTH = 16;

	/** Offset of the descriptor of the file in its process, 4 bytes. */
	public static final int SEGMENT_DESCRIPTOR = 20;

	/** How many segments a request can have. */
	public static final int MAX_SEGMENTS = 32;

	/**
	 * Offset of a small payload that stands in the request itself, behind one segment.
	 */
	public static final int PAYLOAD = SEGMENTS + SEGMENT_SIZE;

	/** How many bytes such a payload can have. */
	public static final int MAX_PAYLOAD = REQUEST_SIZE - PAYLOAD;

	/** Flag: the peer is to be told in its completion event. */
	public static final int FLAG_SOLICITED = 1;

	/** Flag: what the request brings back cannot be put anywhere. */
	public static final int FLAG_NO_LANDING = 2;

	static final int ANSWER_SIZE = 64;

	static final int ANSWER_CODE = 8;

	static final int ANSWER_TIMER = 12;

	static final int ANSWER_VALUE = 16;

	/** Offsets in the memory of the file, which begins behind the header. */
	static final int PROOF = 0;

	static final int PROOF_SIZE = 16;

	static final int ARMED = 64;

	static final int ANSWERS = 128;

	private static final int MIN_SLOTS = 8;

	private static final int MAX_SLOTS = 128;

	private RingLayout() {
	}

	static boolean isSlotCount(int slots) {
		return slots >= MIN_SLOTS && slots <= MAX_SLOTS && Integer.bitCount(slots) == 1;
	}

	/**
	 * Return how many slots serve a queue.
	 * @param depth how many requests the queue holds
	 * @return a power of two
	 */
	static int slotsFor(int depth) {
		int slots = MIN_SLOTS;
		while (slots < depth && slots < MAX_SLOTS) {
			slots *= 2;
		}
		return slots;
	}

	static int answer(int slot) {
		return ANSWERS + slot * ANSWER_SIZE;
	}

	static int request(int slots, int slot) {
		return ANSWERS + slots * ANSWER_SIZE + slot * REQUEST_SIZE;
	}

	static int size(int slots) {
		return request(slots, slots);
	}

}
