package io.rdma.core.connection;

import io.rdma.core.exception.RdmaException;
import io.rdma.verbs.QueuePairState;
import org.jspecify.annotations.Nullable;

/**
 * A connection changed its state.
 *
 * @param peer the name of the peer
 * @param connection the connection, {@code null} while there is none
 * @param from the state before
 * @param to the state after
 * @param queuePairState the state of the queue pair as last known, {@code null} if there is
 * none
 * @param reason why, in words; {@code null} if there is nothing to say
 * @param cause the error, {@code null} if there was none
 */
public record ConnectionEvent(String peer, @Nullable RdmaConnection connection, ConnectionState from,
		ConnectionState to, @Nullable QueuePairState queuePairState, @Nullable String reason,
		@Nullable RdmaException cause) {
}
