package io.rdma.core.connection;

import java.time.Instant;

import io.rdma.verbs.QueuePairState;
import org.jspecify.annotations.Nullable;

/**
 * How it stands with a peer. Holds nothing that must be kept secret.
 *
 * @param name the name
 * @param address the address of its listener, or where it connected from
 * @param required whether the service is ready only while it is connected
 * @param inbound whether it connected to us
 * @param state the state of the connection
 * @param queuePairState the state of the queue pair as last known, {@code null} if there is
 * none
 * @param since since when the connection is in this state
 * @param reason the text of the last error, {@code null} if there was none since it was
 * READY
 * @param attempts how often a connection was tried
 * @param reconnects how often it was made again after it was lost
 */
public record PeerStatus(String name, String address, boolean required, boolean inbound, ConnectionState state,
		@Nullable QueuePairState queuePairState, Instant since, @Nullable String reason, long attempts,
		long reconnects) {
}
