/*
 * Copyright 2026 the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.rdma.core.connection;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.rdma.core.completion.CompletionQueueGroups;
import io.rdma.core.completion.CompletionQueuePoller;
import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaExceptionTranslator;
import io.rdma.core.memory.LocalRegion;
import io.rdma.core.memory.RdmaMemoryPool;
import io.rdma.core.memory.RdmaRegions;
import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.VerbsException;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * All connections of the service. Makes them when they are needed, finds them by the name
 * of the peer, and makes them again when they were lost. Can be started and stopped any
 * number of times. Thread-safe.
 */
@Slf4j
public final class RdmaConnections implements AutoCloseable {

	private static final int FOR_EVER = 7;

	private final ConnectionsConfiguration configuration;

	private final ConnectionListeners listeners;

	private final Inboxes inboxes;

	/** Names of peers that are configured or connected to us once. */
	private final Set<String> known = ConcurrentHashMap.newKeySet();

	private final Consumer<AsyncEvent> deviceEvents = this::deviceEvent;

	private final Object lifecycle = new Object();

	private volatile @Nullable Consumer<InboundMessage> replyHandler;

	private volatile @Nullable RunningConnections running;

	private RdmaConnections(ConnectionsConfiguration configuration) {
		this.configuration = configuration;
		this.listeners = new ConnectionListeners(configuration.applicationExecutor());
		this.inboxes = new Inboxes(configuration.applicationExecutor());
		configuration.peers().forEach((peer) -> this.known.add(peer.name()));
		warnOfEndlessRetries(configuration.settings());
	}

	private static void warnOfEndlessRetries(ConnectionSettings settings) {
		if (settings.rnrRetryCount() == FOR_EVER) {
			logger.warn("rdma.queue-pair.rnr-retry-count is 7, which means for ever: a peer that takes no messages is "
					+ "noticed by time limits only, on Soft-RoCE a dead one too");
		}
		if (settings.timeout() == 0) {
			logger.warn("rdma.queue-pair.timeout is 0, which means for ever: a dead peer is noticed by time limits "
					+ "only");
		}
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
		return new Builder(endpoint, pool, poller, groups, applicationExecutor);
	}

	/**
	 * Start: required and eager peers are connected in the background. Starting twice is
	 * harmless.
	 * @throws RdmaConfigurationException if a setting exceeds what the device or the pool
	 * can do
	 * @throws io.rdma.core.exception.RdmaDeviceException if the device does not work
	 */
	public void start() {
		synchronized (this.lifecycle) {
			if (this.running != null) {
				return;
			}
			checkSettings();
			RunningConnections starting = new RunningConnections(this, this.configuration);
			starting.start();
			this.inboxes.open();
			this.running = starting;
			DeviceEventMonitor monitor = this.configuration.monitor();
			if (monitor != null) {
				monitor.addListener(this.deviceEvents);
			}
		}
	}

	PeerTrust trust() {
		return this.configuration.trust();
	}

	private void checkSettings() {
		if (trust().secret().isGiven()) {
			trust().checkSecret();
		}
		LocalEndpoint endpoint = this.configuration.endpoint();
		try {
			this.configuration.settings()
				.check(endpoint.context().queryDevice(), endpoint.context().queryPort(endpoint.port()),
						this.configuration.pool().maxBufferSize());
		}
		catch (VerbsException ex) {
			throw RdmaExceptionTranslator.translate(ex, RdmaErrorContext.none());
		}
	}

	/**
	 * Stop: nothing new is accepted, what is outstanding is waited for, for a bounded
	 * time, then everything is released. Stopping twice is harmless.
	 */
	public void stop() {
		synchronized (this.lifecycle) {
			RunningConnections stopping = this.running;
			if (stopping == null) {
				return;
			}
			stopping.stop();
			DeviceEventMonitor monitor = this.configuration.monitor();
			if (monitor != null) {
				monitor.removeListener(this.deviceEvents);
			}
			this.running = null;
			this.inboxes.close();
		}
	}

	/**
	 * Return whether it is started.
	 * @return whether it is started
	 */
	public boolean isRunning() {
		return this.running != null;
	}

	/**
	 * Return whether it is stopping.
	 * @return whether connections are being drained since it is stopped
	 */
	public boolean isDraining() {
		RunningConnections current = this.running;
		return current != null && current.isDraining();
	}

	/**
	 * Return the connection to a peer, making it if need be. Callers that come while it
	 * is being made share one attempt.
	 * @param peer the name of a configured peer, or of one that connected to us
	 * @param deadlineNanos until when to wait, as of {@link System#nanoTime()}
	 * @return the connection
	 * @throws io.rdma.core.exception.UnknownRdmaPeerException if no peer has this name
	 * @throws io.rdma.core.exception.RdmaConnectException if it could not be made
	 * @throws io.rdma.core.exception.RdmaTimeoutException if it was not made in time
	 * @throws RdmaClosedException if this is stopped
	 * @throws io.rdma.core.exception.RdmaInterruptedException if the thread is
	 * interrupted
	 * @throws IllegalStateException on a thread of this library, if it would have to wait
	 */
	public RdmaConnection get(String peer, long deadlineNanos) {
		Assert.notNull(peer, "'peer' must not be null");
		return running("connect").get(peer, deadlineNanos);
	}

	/**
	 * Return the connection to a peer if there is one that can be used. Never waits and
	 * allocates nothing.
	 * @param peer the name of a configured peer, or of one that connected to us
	 * @return the connection or {@code null}
	 * @throws io.rdma.core.exception.UnknownRdmaPeerException if no peer has this name
	 * @throws RdmaClosedException if this is stopped
	 */
	public @Nullable RdmaConnection ready(String peer) {
		Assert.notNull(peer, "'peer' must not be null");
		return running("connect").ready(peer);
	}

	/**
	 * Return whether a name means a peer.
	 * @param peer the name
	 * @return whether it is configured, or a peer of this name ever connected to us
	 */
	public boolean isKnown(String peer) {
		return this.known.contains(peer);
	}

	void know(String peer) {
		this.known.add(peer);
	}

	/**
	 * Return when this was started.
	 * @return the time of the last start, {@code null} if it is not started
	 */
	public @Nullable Instant runningSince() {
		RunningConnections current = this.running;
		return (current != null) ? current.since() : null;
	}

	RunningConnections running(String operation) {
		RunningConnections current = this.running;
		if (current == null) {
			throw new RdmaClosedException(RdmaErrorContext.none().withOperation(operation),
					"the connections are not started", "Use them only while the application runs.");
		}
		return current;
	}

	/**
	 * Return how it stands with each peer: the configured ones, then those that are
	 * connected to us. Never waits.
	 * @return the statuses; before the first start and after a stop, those of the
	 * configured peers
	 */
	public List<PeerStatus> peers() {
		RunningConnections current = this.running;
		return (current != null) ? current.peers()
				: this.configuration.peers().stream().map(PeerStatus::ofStopped).toList();
	}

	/**
	 * Return the connections that exist.
	 * @return the connections
	 */
	public List<RdmaConnection> connections() {
		RunningConnections current = this.running;
		return (current != null) ? current.live().sorted() : List.of();
	}

	/**
	 * Return the inbox of a peer, which need not be connected yet.
	 * @param peer the name
	 * @return the inbox, the same each time
	 */
	public Inbox inbox(String peer) {
		Assert.notNull(peer, "'peer' must not be null");
		return this.inboxes.get(peer);
	}

	/**
	 * Add a listener that is called on the application executor, in the order of events.
	 * @param listener the listener
	 */
	public void addListener(ConnectionListener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Remove a listener.
	 * @param listener the listener
	 */
	public void removeListener(ConnectionListener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Add a listener that is called at once, on the thread that finds the change,
	 * possibly with locks held: must be short, must not wait and must not run user code.
	 * @param listener the listener
	 */
	public void addInternalListener(ConnectionListener listener) {
		this.listeners.addInternal(listener);
	}

	/**
	 * Add a listener for inboxes, called for each that exists and each that is made
	 * later, on the thread that makes it: must be short and must not wait.
	 * @param listener the listener
	 */
	public void addInboxListener(Consumer<Inbox> listener) {
		this.inboxes.addListener(listener);
	}

	/**
	 * Remove a listener for inboxes.
	 * @param listener the listener
	 */
	public void removeInboxListener(Consumer<Inbox> listener) {
		this.inboxes.removeListener(listener);
	}

	/**
	 * Set what takes replies, which do not go to an inbox. Called on a thread that polls:
	 * must be short, must not wait and must not run user code.
	 * @param handler the handler
	 */
	public void replyHandler(Consumer<InboundMessage> handler) {
		this.replyHandler = handler;
	}

	void replied(InboundMessage reply) {
		Consumer<InboundMessage> handler = this.replyHandler;
		if (handler != null) {
			handler.accept(reply);
		}
		else {
			logger.debug("Nobody takes the {}", reply);
		}
	}

	void publish(ConnectionEvent event) {
		this.listeners.publish(event);
	}

	private void deviceEvent(AsyncEvent event) {
		RunningConnections current = this.running;
		if (current != null) {
			current.event(event);
		}
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

		private final LocalEndpoint endpoint;

		private final RdmaMemoryPool pool;

		private final CompletionQueuePoller poller;

		private final CompletionQueueGroups groups;

		private final Executor applicationExecutor;

		private String name = "application";

		private ConnectionSettings settings = ConnectionSettings.defaults();

		private List<PeerDefinition> peers = List.of();

		private @Nullable RdmaRegions regions;

		private OperationMetrics metrics = OperationMetrics.NONE;

		private @Nullable DeviceEventMonitor monitor;

		private PeerTrust trust = new PeerTrust(new ProcNetTcp(), SecretFile.ofUser());

		private Builder(LocalEndpoint endpoint, RdmaMemoryPool pool, CompletionQueuePoller poller,
				CompletionQueueGroups groups, Executor applicationExecutor) {
			this.endpoint = endpoint;
			this.pool = pool;
			this.poller = poller;
			this.groups = groups;
			this.applicationExecutor = applicationExecutor;
		}

		/**
		 * Set our own name, by which peers that we connect to know us
		 * ({@code rdma.name}). The default is {@code application}.
		 * @param name the name, 1 to 128 bytes in UTF-8 with no control characters
		 * @return this
		 * @throws RdmaConfigurationException if it is not such a name
		 */
		public Builder name(String name) {
			if (name.isBlank() || name.getBytes(StandardCharsets.UTF_8).length > Hello.MAX_NAME_BYTES
					|| name.chars().anyMatch(Character::isISOControl)) {
				throw new RdmaConfigurationException("rdma.name", name,
						"it must have 1 to " + Hello.MAX_NAME_BYTES + " bytes and no control characters",
						"Give the service a short name, which peers show in their logs and metrics.");
			}
			this.name = name;
			return this;
		}

		/**
		 * Set the settings.
		 * @param settings the settings
		 * @return this
		 */
		public Builder settings(ConnectionSettings settings) {
			this.settings = settings;
			return this;
		}

		/**
		 * Set the peers.
		 * @param peers the peers, each with a name of its own
		 * @return this
		 */
		public Builder peers(Collection<PeerDefinition> peers) {
			this.peers = List.copyOf(peers);
			return this;
		}

		/**
		 * Set the regions that peers may use.
		 * @param regions the regions
		 * @return this
		 * @throws RdmaConfigurationException if there are too many to be told to peers
		 */
		public Builder regions(RdmaRegions regions) {
			Parameters.checkTellable(regions.all().stream().map(LocalRegion::name).toList());
			this.regions = regions;
			return this;
		}

		/**
		 * Set what takes the measures of operations.
		 * @param metrics the metrics
		 * @return this
		 */
		public Builder metrics(OperationMetrics metrics) {
			this.metrics = metrics;
			return this;
		}

		/**
		 * Set what is told of events of the device.
		 * @param monitor the monitor, to be started and stopped by the caller
		 * @return this
		 */
		public Builder deviceEvents(DeviceEventMonitor monitor) {
			this.monitor = monitor;
			return this;
		}

		/**
		 * Set the file with the secret that peers have which the system does not tell to
		 * be of the same user ({@code rdma.connection.secret-file}). The default is
		 * {@code .rdma-spring/secret} in the user's home directory, which is made at
		 * first use.
		 * @param file the file, 32 bytes to 4 KiB, readable by its owner only
		 * @return this
		 */
		public Builder secretFile(Path file) {
			this.trust = new PeerTrust(new ProcNetTcp(), SecretFile.at(file));
			return this;
		}

		/**
		 * Set what decides about peers.
		 * @param trust the decision
		 * @return this
		 */
		Builder trust(PeerTrust trust) {
			this.trust = trust;
			return this;
		}

		/**
		 * Build it, not started.
		 * @return the connections
		 */
		public RdmaConnections build() {
			return new RdmaConnections(new ConnectionsConfiguration(this.endpoint, this.pool, this.poller, this.groups,
					this.applicationExecutor, this.name, this.settings, this.peers, this.regions, this.metrics,
					this.monitor, this.trust));
		}

	}

}
