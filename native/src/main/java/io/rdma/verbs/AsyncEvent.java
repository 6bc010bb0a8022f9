package io.rdma.verbs;

import org.jspecify.annotations.Nullable;

/**
 * An asynchronous event of a device. The event is acknowledged to the device before it is
 * handed out, so that it never holds up the closing of the resource it names.
 *
 * @param type what happened
 * @param resource the {@link QueuePair}, {@link CompletionQueue} or
 * {@link SharedReceiveQueue} it happened to, {@code null} for events of a port or of the
 * whole device
 * @param port the number of the port for events of a port, else 0
 */
public record AsyncEvent(AsyncEventType type, @Nullable Object resource, int port) {
}
