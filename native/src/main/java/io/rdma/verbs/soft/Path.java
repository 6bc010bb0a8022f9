package io.rdma.verbs.soft;

/**
 * The way from a requester to the responder it is connected to, found when the queue pair
 * learns its peer.
 */
interface Path {

	/**
	 * Carry a request to the responder and bring back what it answers.
	 * @param request the request
	 * @return the answer
	 */
	Answer carryOut(SendRequest request);

	/**
	 * Return the code of the time that the responder asked to wait when it last was not
	 * ready.
	 * @return 0 to 31
	 */
	int rnrTimer();

}
