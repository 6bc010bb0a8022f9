package io.rdma.core.connection;

/**
 * Listens for peers that connect to us. Can be started and stopped any number of times,
 * while its {@link RdmaConnections} are started. Thread-safe.
 */
public final class RdmaServer implements AutoCloseable {

	/**
	 * Create a listener that is not started.
	 * @param connections gets the connections
	 * @param address the address to listen at ({@code rdma.server.address}), which must be a
	 * loopback address
	 * @param port the TCP port ({@code rdma.server.port}), 0 for any
	 */
	public RdmaServer(RdmaConnections connections, String address, int port) {
	}

	/**
	 * Start to listen. Starting twice is harmless.
	 * @throws io.rdma.core.exception.RdmaConfigurationException if the address is not a
	 * loopback address of this machine or the port is in use
	 */
	public void start() {
	}

	/**
	 * Stop to listen. Connections stay. Stopping twice is harmless.
	 */
	public void stop() {
	}

	/**
	 * Return whether it listens.
	 * @return whether it is started
	 */
	public boolean isRunning() {
		return false;
	}

	/**
	 * Return the port it listens at.
	 * @return the port, -1 if it is not started
	 */
	public int port() {
		return -1;
	}

	@Override
	public void close() {
		stop();
	}

}
