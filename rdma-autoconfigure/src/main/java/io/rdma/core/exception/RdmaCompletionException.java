package io.rdma.core.exception;

import org.jspecify.annotations.Nullable;

/**
 * The device completed an operation with an error status.
 */
public class RdmaCompletionException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 */
	public RdmaCompletionException(RdmaErrorContext context, String problem, String remedy) {
		this(context, problem, remedy, null);
	}

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 * @param cause the cause
	 */
	public RdmaCompletionException(RdmaErrorContext context, String problem, String remedy,
			@Nullable Throwable cause) {
		super(context, problem, remedy, cause);
	}

}
