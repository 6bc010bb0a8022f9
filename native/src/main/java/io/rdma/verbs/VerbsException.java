package io.rdma.verbs;

import lombok.Getter;
import lombok.experimental.Accessors;

/**
 * A verb was refused, by this layer or by the device. The message names the verb, the
 * error number and what to do where that is known.
 */
@Getter
@Accessors(fluent = true)
public class VerbsException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Name of the C function, for example {@code ibv_reg_mr}.
	 */
	private final String verb;

	/**
	 * Error number.
	 */
	private final Errno errno;

	/**
	 * Create an exception.
	 * @param verb the name of the C function
	 * @param errno the error number
	 * @param detail what was wrong, as a sentence
	 */
	public VerbsException(String verb, Errno errno, String detail) {
		super(detail + " (" + verb + ": " + errno + ", " + errno.meaning() + ")");
		this.verb = verb;
		this.errno = errno;
	}

}
