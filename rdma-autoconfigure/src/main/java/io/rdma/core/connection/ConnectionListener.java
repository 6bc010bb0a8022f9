package io.rdma.core.connection;

/**
 * Is told of changes of state.
 */
@FunctionalInterface
public interface ConnectionListener {

	/**
	 * Take an event.
	 * @param event the event
	 */
	void onConnectionEvent(ConnectionEvent event);

}
