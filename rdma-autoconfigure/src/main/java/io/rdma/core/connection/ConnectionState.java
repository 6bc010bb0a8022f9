package io.rdma.core.connection;

/**
 * State of the connection to a peer.
 */
public enum ConnectionState {

	/**
	 * No connection was ever tried.
	 */
	NEVER_USED,

	/**
	 * The handshake is under way.
	 */
	CONNECTING,

	/**
	 * One message went each way over the queue pair: it can be used.
	 */
	READY,

	/**
	 * Nothing new is accepted; what is outstanding is waited for.
	 */
	DRAINING,

	/**
	 * The connection failed, or could not be made.
	 */
	LOST,

	/**
	 * The connection ended in order.
	 */
	CLOSED;

	/**
	 * Return whether a connection in this state ended and will not come back.
	 * @return whether it is {@link #LOST} or {@link #CLOSED}
	 */
	public boolean isFinal() {
		return this == LOST || this == CLOSED;
	}

}
