/**
 * Connections to peers: the life of a queue pair from handshake to drain, the operations
 * posted on it, flow control by credits, time limits and recovery.
 */
@NullMarked
package io.rdma.core.connection;

import org.jspecify.annotations.NullMarked;
