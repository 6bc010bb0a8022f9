package io.rdma.core.connection;

import io.rdma.core.exception.RdmaException;

/**
 * An operation that a thread waits for.
 */
public class BlockingOperation extends Operation {

	/**
	 * Create an operation.
	 * @param kind what it does
	 */
	public BlockingOperation(OperationKind kind) {
		super(kind);
	}

	/**
	 * Wait for the outcome. Returns or throws at the operation's deadline at the latest.
	 * @return how many bytes it moved
	 * @throws RdmaException if it failed; {@link io.rdma.core.exception.RdmaTimeoutException}
	 * if it did not end in time; {@link io.rdma.core.exception.RdmaInterruptedException} if
	 * the thread is interrupted, which stays interrupted while the operation goes on as one
	 * that timed out
	 * @throws IllegalStateException on a thread of this library
	 */
	public final long await() {
		throw new UnsupportedOperationException();
	}

	@Override
	protected final void succeeded(long bytes) {
	}

	@Override
	protected final void failed(RdmaException exception) {
	}

}
