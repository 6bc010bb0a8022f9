package io.rdma.core.connection;

/**
 * Takes the measures of operations. Called once for each, when its outcome is known, on
 * whichever thread finds it: must be short, must not wait, must not throw.
 */
@FunctionalInterface
public interface OperationMetrics {

	/** Outcome of an operation that did what it should. */
	String SUCCESS = "success";

	/** Outcome of an operation that did not end in time. */
	String TIMEOUT = "timeout";

	/** Outcome of an operation that failed after it was posted or since there was no connection. */
	String ERROR = "error";

	/** Outcome of an operation that was refused by a check on this side. */
	String REJECTED = "rejected";

	/** Records nothing. */
	OperationMetrics NONE = (peer, kind, outcome, bytes, nanos) -> {
	};

	/**
	 * Record an operation.
	 * @param peer the name of the peer
	 * @param kind what it did
	 * @param outcome one of the constants of this interface
	 * @param bytes how many bytes it moved, 0 if it failed
	 * @param nanos how long it took, in nanoseconds
	 */
	void recorded(String peer, OperationKind kind, String outcome, long bytes, long nanos);

}
