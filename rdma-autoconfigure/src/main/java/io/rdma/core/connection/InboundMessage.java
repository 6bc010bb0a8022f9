package io.rdma.core.connection;

import lombok.AccessLevel;
import lombok.AllArgsConstructor;
import lombok.Getter;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

/**
 * A message from a peer. Holds a copy of its own: nothing has to be released. Immutable but
 * for the array that {@link #payload()} hands out.
 */
@Getter
@Accessors(fluent = true)
@AllArgsConstructor(access = AccessLevel.PACKAGE)
public final class InboundMessage {

	/** Name of the peer. */
	private final String peer;

	/** Connection that it came over; a reply goes the same way. It may be lost by now. */
	private final RdmaConnection connection;

	/** Content, empty if only immediate data came. */
	private final byte[] payload;

	/** Content type that the sender gave. */
	private final @Nullable String contentType;

	/** Number that joins a request and its reply, 0 if it is neither. */
	private final long correlationId;

	/** Whether the sender waits for a reply. */
	private final boolean request;

	/** Whether it is the reply to a request. */
	private final boolean reply;

	/** Immediate data of a WRITE_WITH_IMMEDIATE, {@code null} for a message. */
	private final @Nullable Integer immediate;

	/** How many bytes were sent, or written with the immediate data. */
	private final long length;

	@Override
	public String toString() {
		return ((this.immediate != null) ? "immediate data" : (this.reply ? "reply" : "message")) + " of " + this.length
				+ " bytes from peer '" + this.peer + "'";
	}

}
