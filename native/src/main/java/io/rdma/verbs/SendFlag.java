package io.rdma.verbs;

/**
 * Flags of a send work request ({@code ibv_send_flags}).
 */
public enum SendFlag implements BitFlag {

	/**
	 * Start only when all earlier READ and atomic requests of this queue pair are done.
	 */
	FENCE(1),

	/**
	 * Report success with a work completion. Failure is always reported.
	 */
	SIGNALED(1 << 1),

	/**
	 * Mark the peer's receive completion as solicited.
	 */
	SOLICITED(1 << 2),

	/**
	 * Copy the payload while posting: the memory may be reused at once and its lkey is
	 * not looked at. SEND and RDMA WRITE only.
	 */
	INLINE(1 << 3);

	private final int bit;

	SendFlag(int bit) {
		this.bit = bit;
	}

	@Override
	public int bit() {
		return this.bit;
	}

}
