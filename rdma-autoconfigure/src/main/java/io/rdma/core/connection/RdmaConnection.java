package io.rdma.core.connection;

import java.util.Collection;

import io.rdma.verbs.QueuePairState;

/**
 * A connection to a peer: one queue pair, from the handshake to its end. Thread-safe.
 */
public final class RdmaConnection {

	/**
	 * Return the name of the peer.
	 * @return the name
	 */
	public String peer() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the state.
	 * @return the state
	 */
	public ConnectionState state() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the state of the queue pair as last known. Never asks the device.
	 * @return the state
	 */
	public QueuePairState queuePairState() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the number of our queue pair.
	 * @return the number, 24 bits
	 */
	public int queuePairNumber() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return whether the peer connected to us.
	 * @return whether it did
	 */
	public boolean inbound() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return a region of the peer.
	 * @param name the name
	 * @return the region
	 * @throws io.rdma.core.exception.UnknownRdmaRegionException if the peer has none of this
	 * name
	 */
	public RemoteRegion region(String name) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return all regions of the peer.
	 * @return the regions
	 */
	public Collection<RemoteRegion> regions() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return how large a message the peer accepts.
	 * @return the number of bytes
	 */
	public long maxMessageSize() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return how many bytes one WRITE or READ can move.
	 * @return the number of bytes
	 */
	public int maxTransferSize() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return how many operations can be outstanding.
	 * @return the number
	 */
	public int sendDepth() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return how many operations are outstanding.
	 * @return the number
	 */
	public int outstanding() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return how many messages can be sent before the peer has to take some.
	 * @return the number
	 */
	public int credits() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return a number for a request that this connection did not use before.
	 * @return the number, never 0
	 */
	public long nextCorrelationId() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return what runs on it. Never waits.
	 * @return the details
	 */
	public ConnectionDetails details() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Check an operation and post it, waiting until its deadline for room in the send queue
	 * and, for a message, until the peer can take it.
	 * @param operation the operation, not posted before
	 * @throws io.rdma.core.exception.RdmaException if it could not be posted: the operation
	 * is told nothing then
	 * @throws IllegalStateException on a thread of this library, if it would have to wait
	 */
	public void post(Operation operation) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Check an operation and post it if that is possible at once. Never waits.
	 * @param operation the operation, not posted before
	 * @return whether it was posted; if not, it can be offered again
	 * @throws io.rdma.core.exception.RdmaException if it can never be posted: the operation
	 * is told nothing then
	 */
	public boolean offer(Operation operation) {
		throw new UnsupportedOperationException();
	}

}
