package io.rdma.core.connection;

import io.rdma.core.exception.RdmaException;
import org.jspecify.annotations.Nullable;

/**
 * Is told by a connection what happens on it. All methods may be called on a thread that
 * polls: they must be short and must not wait.
 */
interface ConnectionOwner {

	/**
	 * The connection changed its state.
	 * @param connection the connection
	 * @param from the state before
	 * @param to the state after
	 * @param reason why, in words
	 * @param cause the error, if there was one
	 */
	void changed(RdmaConnection connection, ConnectionState from, ConnectionState to, @Nullable String reason,
			@Nullable RdmaException cause);

	/**
	 * A message arrived that is to be taken from the inbox.
	 * @param message the message
	 */
	void arrived(QueuedMessage message);

	/**
	 * Memory of operations is held back, or no longer is.
	 * @param bytes how many bytes more, negative for fewer
	 */
	void heldBack(long bytes);

	/**
	 * A reply arrived.
	 * @param reply the reply
	 */
	void replied(InboundMessage reply);

}
