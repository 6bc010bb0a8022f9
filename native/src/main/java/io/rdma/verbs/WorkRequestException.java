package io.rdma.verbs;

import lombok.Getter;
import lombok.experimental.Accessors;

/**
 * A work request of a chain was refused when it was posted. The ones before it were
 * posted, the ones from it on were not.
 */
@Getter
@Accessors(fluent = true)
public class WorkRequestException extends VerbsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Index in the chain of the first work request that was not posted, from 0.
	 */
	private final int index;

	/**
	 * Create an exception.
	 * @param verb the name of the C function
	 * @param errno the error number
	 * @param index the index of the first work request that was not posted
	 * @param detail what was wrong, as a sentence
	 */
	public WorkRequestException(String verb, Errno errno, int index, String detail) {
		super(verb, errno, detail);
		this.index = index;
	}

}
