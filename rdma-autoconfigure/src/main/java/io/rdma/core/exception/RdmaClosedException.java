package io.rdma.core.exception;

import org.jspecify.annotations.Nullable;

/**
 * A template, connection, pool or device was used after it was closed, or was closed
 * while the operation was waiting.
 */
public class RdmaClosedException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 */
	public RdmaClosedException(RdmaErrorContext context, String problem, String remedy) {
		this(context, problem, remedy, null);
	}

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 * @param cause the cause
	 */
	public RdmaClosedException(RdmaErrorContext context, String problem, String remedy,
			@Nullable Throwable cause) {
		super(context, problem, remedy, cause);
	}

}
