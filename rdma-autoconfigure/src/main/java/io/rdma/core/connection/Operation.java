package io.rdma.core.connection;

import io.rdma.core.exception.RdmaException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a connection: what to do, until when, and what becomes of it. Set it up,
 * then hand it to {@link RdmaConnection#post(Operation)} or
 * {@link RdmaConnection#offer(Operation)}, once. If that throws, the exception is the
 * outcome; otherwise exactly one of {@link #succeeded(long)} and
 * {@link #failed(RdmaException)} is called.
 */
public abstract class Operation {

	private final OperationKind kind;

	private @Nullable RdmaBuffer buffer;

	private @Nullable MemoryRegion memory;

	private long memoryOffset;

	private int length;

	private @Nullable RemoteRegion region;

	private long remoteOffset;

	private int immediate;

	private long compare;

	private long swapOrAdd;

	private @Nullable String contentType;

	private long correlationId;

	private boolean request;

	private boolean reply;

	private long deadlineNanos;

	/**
	 * Create an operation.
	 * @param kind what it does
	 */
	protected Operation(OperationKind kind) {
		this.kind = kind;
	}

	/**
	 * Return what it does.
	 * @return the kind
	 */
	public final OperationKind kind() {
		return this.kind;
	}

	/**
	 * Set the local memory: what is sent or written, or where what is read goes; for an
	 * atomic operation 8 bytes, in which the value found is put in the byte order of the
	 * machine. The buffer is retained until the device is done with it, and may be released
	 * by the caller as soon as the operation is posted.
	 * @param buffer the buffer
	 * @param offset where in it, in bytes
	 * @param length how many bytes
	 * @return this
	 */
	public final Operation local(RdmaBuffer buffer, int offset, int length) {
		this.buffer = buffer;
		this.memory = null;
		this.memoryOffset = offset;
		this.length = length;
		return this;
	}

	/**
	 * Set the local memory to a part of a region, which must stay open until the outcome is
	 * known and, after a timeout, until the connection is closed.
	 * @param memory the region
	 * @param offset where in it, in bytes
	 * @param length how many bytes
	 * @return this
	 */
	public final Operation local(MemoryRegion memory, long offset, int length) {
		this.buffer = null;
		this.memory = memory;
		this.memoryOffset = offset;
		this.length = length;
		return this;
	}

	/**
	 * Set the place in the peer's memory.
	 * @param region the region, of the connection that the operation is posted on
	 * @param offset where in it, in bytes
	 * @return this
	 */
	public final Operation remote(RemoteRegion region, long offset) {
		this.region = region;
		this.remoteOffset = offset;
		return this;
	}

	/**
	 * Set the immediate data of a WRITE_WITH_IMMEDIATE.
	 * @param immediate the data
	 * @return this
	 */
	public final Operation immediate(int immediate) {
		this.immediate = immediate;
		return this;
	}

	/**
	 * Set what a COMPARE_AND_SWAP does.
	 * @param expected what must be found for the swap to happen
	 * @param newValue what is put in its place
	 * @return this
	 */
	public final Operation compareAndSwap(long expected, long newValue) {
		this.compare = expected;
		this.swapOrAdd = newValue;
		return this;
	}

	/**
	 * Set what a FETCH_AND_ADD adds.
	 * @param delta what is added
	 * @return this
	 */
	public final Operation fetchAndAdd(long delta) {
		this.swapOrAdd = delta;
		return this;
	}

	/**
	 * Set the content type of a message.
	 * @param contentType the type, at most 96 bytes in UTF-8; {@code null} for none
	 * @return this
	 */
	public final Operation contentType(@Nullable String contentType) {
		this.contentType = contentType;
		return this;
	}

	/**
	 * Make a message a request.
	 * @param correlationId the number that the reply will carry
	 * @return this
	 */
	public final Operation request(long correlationId) {
		this.correlationId = correlationId;
		this.request = true;
		return this;
	}

	/**
	 * Make a message the reply to a request.
	 * @param correlationId the number of the request
	 * @return this
	 */
	public final Operation reply(long correlationId) {
		this.correlationId = correlationId;
		this.reply = true;
		return this;
	}

	/**
	 * Set until when the operation must have ended.
	 * @param deadlineNanos the time, as of {@link System#nanoTime()}
	 * @return this
	 */
	public final Operation deadline(long deadlineNanos) {
		this.deadlineNanos = deadlineNanos;
		return this;
	}

	/**
	 * Take the outcome of an operation that did what it should. Called on a thread that
	 * polls: must be short, must not wait and must not run user code.
	 * @param bytes how many bytes it moved
	 */
	protected abstract void succeeded(long bytes);

	/**
	 * Take the outcome of an operation that failed. Called on a thread that polls or keeps
	 * time: must be short, must not wait and must not run user code.
	 * @param exception why
	 */
	protected abstract void failed(RdmaException exception);

}
