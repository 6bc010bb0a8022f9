package io.rdma.core.connection;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.core.memory.RdmaRegions;

import org.springframework.util.Assert;

/**
 * All connections of the service. Makes them when they are needed, finds them by the name of
 * the peer, and makes them again when they were lost. Can be started and stopped any number
 * of times. Thread-safe.
 */
public final class RdmaConnections implements AutoCloseable {

	private RdmaConnections() {
	}

	/**
	 * Return a builder.
	 * @param endpoint the device and where on it
	 * @param pool where receive buffers come from
	 * @param poller polls the completion queues; must run while this is started
	 * @param groups assigns completion queues
	 * @param applicationExecutor runs listeners
	 * @return the builder
	 */
	public static Builder builder(LocalEndpoint endpoint, RdmaMemoryPool pool, CompletionQueuePoller poller,
			CompletionQueueGroups groups, Executor applicationExecutor) {
		return new Builder();
	}

	/**
	 * Start: required and eager peers are connected in the background. Starting twice is
	 * harmless.
	 */
	public void start() {
	}

	/**
	 * Stop: nothing new is accepted, what is outstanding is waited for, for a bounded time,
	 * then everything is released. Stopping twice is harmless.
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
	 * Return whether it is stopping.
	 * @return whether connections are being drained since it is stopped
	 */
	public boolean isDraining() {
		return false;
	}

	/**
	 * Return the connection to a peer, making it if need be. Callers that come while it is
	 * being made share one attempt.
	 * @param peer the name of a configured peer, or of one that connected to us
	 * @param deadlineNanos until when to wait, as of {@link System#nanoTime()}
	 * @return the connection
	 * @throws io.rdma.core.exception.UnknownRdmaPeerException if no peer has this name
	 * @throws io.rdma.core.exception.RdmaConnectException if it could not be made
	 * @throws io.rdma.core.exception.RdmaTimeoutException if it was not made in time
	 * @throws io.rdma.core.exception.RdmaClosedException if this is stopped
	 * @throws io.rdma.core.exception.RdmaInterruptedException if the thread is interrupted
	 * @throws IllegalStateException on a thread of this library, if it would have to wait
	 */
	public RdmaConnection get(String peer, long deadlineNanos) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return how it stands with each peer: the configured ones, then those that are
	 * connected to us. Never waits.
	 * @return the statuses
	 */
	public List<PeerStatus> peers() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the connections that exist.
	 * @return the connections
	 */
	public List<RdmaConnection> connections() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the inbox of a peer, which need not be connected yet.
	 * @param peer the name
	 * @return the inbox, the same each time
	 */
	public Inbox inbox(String peer) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Add a listener that is called on the application executor, in the order of events.
	 * @param listener the listener
	 */
	public void addListener(ConnectionListener listener) {
	}

	/**
	 * Remove a listener.
	 * @param listener the listener
	 */
	public void removeListener(ConnectionListener listener) {
	}

	/**
	 * Add a listener that is called at once, on the thread that finds the change: must be
	 * short, must not wait and must not run user code.
	 * @param listener the listener
	 */
	public void addInternalListener(ConnectionListener listener) {
	}

	/**
	 * Add a listener for inboxes, called for each that exists and each that is made later,
	 * on the thread that makes it: must be short and must not wait.
	 * @param listener the listener
	 */
	public void addInboxListener(Consumer<Inbox> listener) {
	}

	/**
	 * Set what takes replies, which do not go to an inbox. Called on a thread that polls:
	 * must be short, must not wait and must not run user code.
	 * @param handler the handler
	 */
	public void replyHandler(Consumer<InboundMessage> handler) {
	}

	/**
	 * Stop and release everything.
	 */
	@Override
	public void close() {
		stop();
	}

	/**
	 * Builder of {@link RdmaConnections}.
	 */
	public static final class Builder {

		Builder() {
		}

		/**
		 * Set our own name, by which peers that we connect to know us ({@code rdma.name}).
		 * @param name the name, 1 to 128 characters
		 * @return this
		 */
		public Builder name(String name) {
			Assert.hasText(name, "A service needs a name");
			return this;
		}

		/**
		 * Set the settings.
		 * @param settings the settings
		 * @return this
		 */
		public Builder settings(ConnectionSettings settings) {
			return this;
		}

		/**
		 * Set the peers.
		 * @param peers the peers
		 * @return this
		 */
		public Builder peers(Collection<PeerDefinition> peers) {
			return this;
		}

		/**
		 * Set the regions that peers may use.
		 * @param regions the regions
		 * @return this
		 */
		public Builder regions(RdmaRegions regions) {
			return this;
		}

		/**
		 * Set what takes the measures of operations.
		 * @param metrics the metrics
		 * @return this
		 */
		public Builder metrics(OperationMetrics metrics) {
			return this;
		}

		/**
		 * Set what is told of events of the device.
		 * @param monitor the monitor, to be started and stopped by the caller
		 * @return this
		 */
		public Builder deviceEvents(DeviceEventMonitor monitor) {
			return this;
		}

		/**
		 * Build it, not started.
		 * @return the connections
		 */
		public RdmaConnections build() {
			return new RdmaConnections();
		}

	}

}
