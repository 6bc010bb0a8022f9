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

import java.nio.ByteBuffer;

import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.SendWorkRequest;

/**
 * The part of {@link ControlMemory} that one connection has: the word that the peer
 * writes its credits to, the word that ours are written from, and one header for each
 * work request that can be outstanding.
 */
final class ControlBlock {

	private static final int HEADERS_AT = 64;

	private final MemoryRegion words;

	private final long wordAt;

	private final MemoryRegion outgoing;

	private final long outgoingAt;

	private final ByteBuffer view;

	ControlBlock(MemoryRegion words, long wordAt, MemoryRegion outgoing, long outgoingAt, int headers) {
		this.words = words;
		this.wordAt = wordAt;
		this.outgoing = outgoing;
		this.outgoingAt = outgoingAt;
		this.view = outgoing.buffer(outgoingAt, HEADERS_AT + headers * MessageHeader.MAX_SIZE);
	}

	void clear() {
		this.words.putLongRelease(this.wordAt, 0);
	}

	long wordAddress() {
		return this.words.address() + this.wordAt;
	}

	int wordKey() {
		return this.words.rkey();
	}

	/**
	 * Read the word that the peer writes.
	 * @return the word in the byte order of the machine
	 */
	long word() {
		return this.words.getLongAcquire(this.wordAt);
	}

	void outgoingWord(long value) {
		this.outgoing.putLongRelease(this.outgoingAt, value);
	}

	void addOutgoingWord(SendWorkRequest request) {
		request.addSge(this.outgoing, this.outgoingAt, CreditWord.BYTES);
	}

	ByteBuffer headers() {
		return this.view;
	}

	static int headerAt(int index) {
		return HEADERS_AT + index * MessageHeader.MAX_SIZE;
	}

	void addHeader(SendWorkRequest request, int index, int length) {
		request.addSge(this.outgoing, this.outgoingAt + headerAt(index), length);
	}

}
