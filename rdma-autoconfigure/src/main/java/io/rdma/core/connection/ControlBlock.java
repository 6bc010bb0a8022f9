package io.rdma.core.connection;

import java.nio.ByteBuffer;

import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.SendWorkRequest;

/**
 * The part of {@link ControlMemory} that one connection has: the word that the peer writes
 * its credits to, the word that ours are written from, and one header for each work request
 * that can be outstanding.
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
