package io.rdma.verbs.ibv;

import org.jspecify.annotations.Nullable;

/**
 * The native library, or libibverbs, cannot be used here. The message says why and what
 * to do.
 */
public class NativeLibraryException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param message why, and what to do
	 */
	public NativeLibraryException(String message) {
		this(message, null);
	}

	/**
	 * Create an exception.
	 * @param message why, and what to do
	 * @param cause what was thrown, {@code null} if nothing was
	 */
	public NativeLibraryException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
