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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;

import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;

/**
 * Connects to configured peers. Thread-safe.
 */
final class PeerConnector {

	private static final int THREADS = 8;

	private final RunningConnections connections;

	private final Handshake handshake;

	private final ControlLoop loop;

	private final ConnectionSettings settings;

	private final ThreadPoolExecutor threads = ThreadPools.create("rdma-connect-", THREADS, Integer.MAX_VALUE);

	PeerConnector(RunningConnections connections, Handshake handshake, ControlLoop loop, ConnectionSettings settings) {
		this.connections = connections;
		this.handshake = handshake;
		this.loop = loop;
		this.settings = settings;
	}

	/**
	 * Start an attempt to connect to a peer.
	 * @param link the peer
	 * @param attempt is told what becomes of it
	 */
	void start(PeerLink link, CompletableFuture<RdmaConnection> attempt) {
		try {
			this.threads.execute(() -> connect(link, attempt));
		}
		catch (RejectedExecutionException ex) {
			link.failed(attempt, RunningConnections.stopping(RdmaErrorContext.peer(link.name())));
		}
	}

	private void connect(PeerLink link, CompletableFuture<RdmaConnection> attempt) {
		long deadline = System.nanoTime() + this.settings.setupTimeout().toNanos();
		RdmaErrorContext known = RdmaErrorContext.peer(link.name()).withOperation("connect");
		try {
			if (this.connections.isDraining()) {
				throw RunningConnections.stopping(known);
			}
			InetSocketAddress address = resolve(link.definition());
			RdmaConnection connection = this.handshake.connect(link.name(), this.loop.connect(address), deadline);
			if (!this.connections.adopt(connection, link)) {
				RdmaException failure = connection.failure();
				throw (failure != null) ? failure : RunningConnections.stopping(known);
			}
			link.succeeded(attempt, connection);
		}
		catch (HandshakeException | RuntimeException ex) {
			link.failed(attempt, ex);
		}
		catch (IOException ex) {
			link.failed(attempt,
					new HandshakeException(RejectCode.OTHER, "it could not be connected: " + ex.getMessage(),
							"Check rdma.peers." + link.name() + ".address.", ex));
		}
	}

	private static InetSocketAddress resolve(PeerDefinition peer) throws HandshakeException {
		String property = "rdma.peers." + peer.name() + ".address";
		try {
			return new InetSocketAddress(InetAddress.getByName(peer.host()), peer.port());
		}
		catch (UnknownHostException ex) {
			throw new HandshakeException(RejectCode.OTHER, "the host name '" + peer.host() + "' cannot be resolved",
					"Check " + property + " and the name service.", ex);
		}
	}

	/**
	 * End what is under way and wait for it.
	 */
	void stop() {
		this.threads.shutdownNow();
		ThreadPools.awaitEnd(this.threads);
	}

}
