package io.rdma.core.exception;

import org.jspecify.annotations.Nullable;

/**
 * No device, or not the one that was named, was found.
 */
public class RdmaDeviceNotFoundException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 */
	public RdmaDeviceNotFoundException(RdmaErrorContext context, String problem, String remedy) {
		this(context, problem, remedy, null);
	}

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 * @param cause the cause
	 */
	public RdmaDeviceNotFoundException(RdmaErrorContext context, String problem, String remedy,
			@Nullable Throwable cause) {
		super(context, problem, remedy, cause);
	}

}
