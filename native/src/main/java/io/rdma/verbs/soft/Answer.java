package io.rdma.verbs.soft;

/**
 * What a requester hears of a request.
 */
enum Answer {

	/** It was carried out. */
	ACKNOWLEDGED,

	/** The peer's queue pair does not allow it, or it does not fit the receive. */
	INVALID_REQUEST,

	/** The peer's memory may not be used so. */
	ACCESS_REFUSED,

	/** The peer failed by its own fault. */
	OPERATION_FAILED,

	/** The peer carried it out, but what it returned cannot be put where it should go. */
	NOWHERE_TO_LAND,

	/** The peer has no receive posted. */
	NOT_READY,

	/** Nothing. */
	NONE

}
