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

package io.rdma.listener;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.util.Assert;

/**
 * Knows all listener containers, and starts and stops them with the application: they
 * start after everything else of this library and stop before it. Thread-safe.
 */
public class RdmaListenerEndpointRegistry implements SmartLifecycle {

	private static final int PHASE = Integer.MAX_VALUE - 100;

	private final Map<String, RdmaListenerContainer> containers = new LinkedHashMap<>();

	private final Set<String> namedPeers = ConcurrentHashMap.newKeySet();

	private boolean running;

	/**
	 * Add a listener. If this is started already, it is started too.
	 * @param endpoint what is called
	 * @param factory makes its container
	 * @throws IllegalStateException if another listener has the same name or takes the
	 * messages of the same peers
	 */
	public void register(RdmaListenerEndpoint endpoint, RdmaListenerContainerFactory factory) {
		RdmaListenerContainer container = add(endpoint, factory);
		if (isRunning() && container.isAutoStartup()) {
			container.start();
		}
	}

	private synchronized RdmaListenerContainer add(RdmaListenerEndpoint endpoint,
			RdmaListenerContainerFactory factory) {
		RdmaListenerContainer same = this.containers.get(endpoint.id());
		Assert.state(same == null,
				() -> "Two @RdmaListener methods have the id '%s': %s and %s. Give one of them another id"
					.formatted(endpoint.id(), describe(same), RdmaListenerEndpoint.describe(endpoint.method())));
		for (RdmaListenerContainer other : this.containers.values()) {
			checkPeers(endpoint, other.endpoint());
		}
		this.namedPeers.addAll(endpoint.peers());
		Predicate<String> peers = endpoint.peers().isEmpty() ? this::isNotNamed : endpoint.peers()::contains;
		RdmaListenerContainer container = factory.createContainer(endpoint, peers);
		this.containers.put(endpoint.id(), container);
		return container;
	}

	private static void checkPeers(RdmaListenerEndpoint one, RdmaListenerEndpoint other) {
		Assert.state(!one.peers().isEmpty() || !other.peers().isEmpty(),
				() -> "Two @RdmaListener methods take the messages of all peers: %s and %s. Name peers at one of them"
					.formatted(RdmaListenerEndpoint.describe(other.method()),
							RdmaListenerEndpoint.describe(one.method())));
		for (String peer : one.peers()) {
			Assert.state(!other.peers().contains(peer),
					() -> "Two @RdmaListener methods take the messages of peer '%s': %s and %s. Name it at one of them only"
						.formatted(peer, RdmaListenerEndpoint.describe(other.method()),
								RdmaListenerEndpoint.describe(one.method())));
		}
	}

	private static String describe(@Nullable RdmaListenerContainer container) {
		return (container != null) ? RdmaListenerEndpoint.describe(container.endpoint().method()) : "";
	}

	private boolean isNotNamed(String peer) {
		return !this.namedPeers.contains(peer);
	}

	/**
	 * Return a container.
	 * @param id the name of the listener
	 * @return the container, {@code null} if there is none
	 */
	public synchronized @Nullable RdmaListenerContainer getListenerContainer(String id) {
		return this.containers.get(id);
	}

	/**
	 * Return all containers.
	 * @return the containers, in the order in which they were added
	 */
	public synchronized Collection<RdmaListenerContainer> getListenerContainers() {
		return List.copyOf(this.containers.values());
	}

	@Override
	public void start() {
		setRunning(true);
		getListenerContainers().stream()
			.filter(RdmaListenerContainer::isAutoStartup)
			.forEach(RdmaListenerContainer::start);
	}

	@Override
	public void stop() {
		setRunning(false);
		getListenerContainers().forEach(RdmaListenerContainer::stop);
	}

	private synchronized void setRunning(boolean running) {
		this.running = running;
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
