package io.rdma.core.exception;

import org.jspecify.annotations.Nullable;

/**
 * The peer refused the access: key, range, access rights or the kind of request do not
 * fit.
 */
public class RdmaRemoteAccessException extends RdmaCompletionException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 */
	public RdmaRemoteAccessException(RdmaErrorContext context, String problem, String remedy) {
		this(context, problem, remedy, null);
	}

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 * @param cause the cause
	 */
	public RdmaRemoteAccessException(RdmaErrorContext context, String problem, String remedy,
			@Nullable Throwable cause) {
		super(context, problem, remedy, cause);
	}

}
