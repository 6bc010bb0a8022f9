package io.rdma.verbs;

/**
 * What a provider returns of a posted chain, packed into one {@code long} so that posting
 * allocates nothing: {@link #NONE} if all was posted, else the error number and the index
 * of the first work request that was not.
 */
public final class Refusal {

	/** All was posted. */
	public static final long NONE = 0;

	private Refusal() {
	}

	/**
	 * Pack a refusal.
	 * @param errno the error number
	 * @param index the index of the first work request that was not posted
	 * @return the packed value, never {@link #NONE}
	 */
	public static long of(Errno errno, int index) {
		return ((long) index << Integer.SIZE) | errno.number();
	}

	static Errno errno(long refusal) {
		return Errno.of((int) refusal);
	}

	static int index(long refusal) {
		return (int) (refusal >>> Integer.SIZE);
	}

	static WorkRequestException exception(String verb, String queue, long refusal, Object request) {
		Errno errno = errno(refusal);
		String reason = (errno == Errno.ENOMEM) ? "the queue is full: poll completions, then post again"
				: "the request is not valid for this queue pair: look at its scatter/gather entries, inline length, "
						+ "alignment and the limits granted";
		return new WorkRequestException(verb, errno, index(refusal),
				"The " + queue + " refused the " + request + ": " + reason);
	}

}
