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

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import org.jspecify.annotations.Nullable;

/**
 * The connections that exist, from their proof to their release, by the identity of the
 * peer's queue pair and by the name of the peer. Thread-safe.
 */
final class LiveConnections {

	private final Set<RdmaConnection> all = ConcurrentHashMap.newKeySet();

	private final Map<QueuePairIdentity, RdmaConnection> byIdentity = new ConcurrentHashMap<>();

	/** The newest usable connection of each peer that connected to us. */
	private final Map<String, RdmaConnection> inboundByName = new ConcurrentHashMap<>();

	Set<RdmaConnection> all() {
		return this.all;
	}

	List<RdmaConnection> sorted() {
		return this.all.stream()
			.sorted(Comparator.comparing(RdmaConnection::peer).thenComparing(RdmaConnection::queuePairNumber))
			.toList();
	}

	void add(RdmaConnection connection) {
		this.all.add(connection);
		RdmaConnection old = this.byIdentity.put(connection.remoteIdentity(), connection);
		if (old != null) {
			fail(old, connection.remoteIdentity());
		}
	}

	/**
	 * Find the peer of a connection through it from now on, if the peer connected to us.
	 * @param connection the connection, which has just become ready
	 */
	void usable(RdmaConnection connection) {
		if (connection.inbound()) {
			this.inboundByName.put(connection.peer(), connection);
		}
	}

	void remove(RdmaConnection connection) {
		this.byIdentity.remove(connection.remoteIdentity(), connection);
		this.all.remove(connection);
		unusable(connection);
	}

	/**
	 * Let go of a connection that has the identity of a new one: its process is dead, or
	 * its queue pair would still be there.
	 * @param identity the identity
	 */
	void replace(QueuePairIdentity identity) {
		RdmaConnection old = this.byIdentity.get(identity);
		if (old != null) {
			fail(old, identity);
		}
	}

	private static void fail(RdmaConnection old, QueuePairIdentity identity) {
		old.fail(new RdmaConnectionLostException(
				RdmaErrorContext.peer(old.peer()), "a new connection came from the " + identity
						+ ", which this one is connected to: the process that " + "had it is gone",
				"The connection is replaced by the new one."));
	}

	long countInbound() {
		return this.all.stream().filter(RdmaConnection::inbound).count();
	}

	@Nullable RdmaConnection inbound(String peer) {
		return this.inboundByName.get(peer);
	}

	Set<String> inboundNames() {
		return this.inboundByName.keySet();
	}

	/**
	 * Find a peer that connected to us no more through a connection, but through an older
	 * one if there is one that can be used.
	 * @param connection the connection
	 */
	void unusable(RdmaConnection connection) {
		if (!connection.inbound() || !this.inboundByName.remove(connection.peer(), connection)) {
			return;
		}
		for (RdmaConnection other : this.all) {
			if (other.inbound() && other.peer().equals(connection.peer()) && other.state() == ConnectionState.READY) {
				this.inboundByName.putIfAbsent(other.peer(), other);
				if (other.state() != ConnectionState.READY) {
					this.inboundByName.remove(other.peer(), other);
				}
			}
		}
	}

	/**
	 * Return how it stands with the peers that connected to us.
	 * @param wanted which names count
	 * @return one status for each name
	 */
	List<PeerStatus> statuses(Predicate<String> wanted) {
		Map<String, RdmaConnection> best = new LinkedHashMap<>();
		for (RdmaConnection connection : sorted()) {
			if (connection.inbound() && wanted.test(connection.peer())) {
				best.merge(connection.peer(), connection,
						(one, other) -> (other.state() == ConnectionState.READY) ? other : one);
			}
		}
		return best.values().stream().map(LiveConnections::status).toList();
	}

	private static PeerStatus status(RdmaConnection connection) {
		RdmaException failure = connection.failure();
		return new PeerStatus(connection.peer(), connection.address(), false, true, connection.state(),
				connection.queuePairState(), connection.path(), connection.since(),
				(failure != null) ? failure.getMessage() : null, 1, 0, true);
	}

}
