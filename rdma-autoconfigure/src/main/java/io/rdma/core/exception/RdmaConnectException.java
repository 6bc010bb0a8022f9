package io.rdma.core.exception;

import org.jspecify.annotations.Nullable;

/**
 * A connection to a peer could not be made: it was refused, rejected, timed out, or the
 * two sides do not fit together. Nothing was transferred.
 */
public class RdmaConnectException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 */
	public RdmaConnectException(RdmaErrorContext context, String problem, String remedy) {
		this(context, problem, remedy, null);
	}

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 * @param cause the cause
	 */
	public RdmaConnectException(RdmaErrorContext context, String problem, String remedy,
			@Nullable Throwable cause) {
		super(context, problem, remedy, cause);
	}

}
