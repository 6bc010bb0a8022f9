package io.rdma.core.connection;

import java.util.Map;
import java.util.function.Consumer;

import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.PortState;

/**
 * Waits for the asynchronous events of a device, on one thread, and keeps what they say of
 * its health. Can be started and stopped any number of times. Thread-safe.
 */
public final class DeviceEventMonitor implements AutoCloseable {

	/**
	 * Create a monitor that is not started.
	 * @param context the device
	 * @param port the port that is used
	 */
	public DeviceEventMonitor(DeviceContext context, int port) {
	}

	/**
	 * Start to wait for events. Starting twice is harmless.
	 */
	public void start() {
	}

	/**
	 * Stop. Stopping twice is harmless.
	 */
	public void stop() {
	}

	/**
	 * Return whether it is started.
	 * @return whether it is started
	 */
	public boolean isRunning() {
		return false;
	}

	/**
	 * Return whether the device failed as a whole.
	 * @return whether it did, since the last start
	 */
	public boolean deviceFatal() {
		return false;
	}

	/**
	 * Return whether a completion queue overran or failed.
	 * @return whether one did, since the last start
	 */
	public boolean completionQueueFailed() {
		return false;
	}

	/**
	 * Return the state of the port as last known. Never asks the device.
	 * @return the state
	 */
	public PortState portState() {
		return PortState.NOP;
	}

	/**
	 * Return how many events of each type came.
	 * @return the numbers; types of which none came are not present
	 */
	public Map<AsyncEventType, Long> counts() {
		return Map.of();
	}

	/**
	 * Add a listener, called on the monitor's thread: must be short and must not wait.
	 * @param listener the listener
	 */
	public void addListener(Consumer<AsyncEvent> listener) {
	}

	/**
	 * Remove a listener.
	 * @param listener the listener
	 */
	public void removeListener(Consumer<AsyncEvent> listener) {
	}

	@Override
	public void close() {
		stop();
	}

}
