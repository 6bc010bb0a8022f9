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
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;

import io.rdma.core.exception.RdmaConfigurationException;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Listens for peers that connect to us. Can be started and stopped any number of times,
 * while its {@link RdmaConnections} are started. Thread-safe.
 */
@Slf4j
public final class RdmaServer implements AutoCloseable {

	private static final String PORT = "rdma.server.port";

	private static final String ADDRESS = "rdma.server.address";

	private final RdmaConnections connections;

	private final String address;

	private final int configuredPort;

	private final Object lifecycle = new Object();

	private @Nullable Listener listener;

	private volatile int port = -1;

	/**
	 * Create a listener that is not started.
	 * @param connections gets the connections
	 * @param address the address to listen at ({@code rdma.server.address}). At one that
	 * is not loopback, peers on other machines have to prove that they have the secret of
	 * this side
	 * @param port the TCP port ({@code rdma.server.port}), 0 for any
	 * @throws RdmaConfigurationException if the port is not from 0 to 65535
	 */
	public RdmaServer(RdmaConnections connections, String address, int port) {
		if (port < 0 || port > 65535) {
			throw new RdmaConfigurationException(PORT, port, "a port is from 0 to 65535",
					"Set it to a free port, or to 0 to have one chosen.");
		}
		this.connections = connections;
		this.address = address;
		this.configuredPort = port;
	}

	/**
	 * Start to listen. Starting twice is harmless.
	 * @throws RdmaConfigurationException if the address is not one of this machine, the
	 * port is in use, or the address is not loopback and there is no secret
	 * @throws io.rdma.core.exception.RdmaClosedException if the connections are not
	 * started
	 */
	public void start() {
		synchronized (this.lifecycle) {
			if (this.listener != null) {
				return;
			}
			RunningConnections running = this.connections.running("listen");
			InetAddress resolved = resolve();
			String rule = "";
			if (!resolved.isLoopbackAddress()) {
				this.connections.trust().checkSecret();
				rule = ", those on other machines only if they have the secret that is in "
						+ this.connections.trust().secret().path();
			}
			ServerSocketChannel channel = open(resolved);
			this.listener = new Listener(running.loop(), channel);
			running.loop().listen(channel, running::accept);
			logger.info("Listening for RDMA peers at {}:{}{}",
					this.address.contains(":") ? "[" + this.address + "]" : this.address, this.port, rule);
		}
	}

	private ServerSocketChannel open(InetAddress resolved) {
		try {
			ServerSocketChannel channel = ServerSocketChannel.open();
			try {
				channel.configureBlocking(false);
				channel.bind(new InetSocketAddress(resolved, this.configuredPort));
				this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
				return channel;
			}
			catch (IOException | RuntimeException ex) {
				channel.close();
				throw ex;
			}
		}
		catch (BindException ex) {
			throw new RdmaConfigurationException(PORT, this.configuredPort,
					"it cannot be listened at on " + resolved.getHostAddress() + " (" + ex.getMessage() + ")",
					"Stop the process that uses it, or set another port, 0 to have one chosen.", ex);
		}
		catch (IOException ex) {
			throw new RdmaConfigurationException(PORT, this.configuredPort,
					"it cannot be listened at: " + ex.getMessage(), "Check the limits of this process.", ex);
		}
	}

	private InetAddress resolve() {
		try {
			InetAddress resolved = InetAddress.getByName(this.address);
			if (!resolved.isAnyLocalAddress() && !OwnAddresses.contains(resolved)) {
				throw new RdmaConfigurationException(ADDRESS, this.address,
						"no network interface of this machine has it",
						"Use the address of one that peers reach, 0.0.0.0 for all of them, or remove it for loopback.");
			}
			return resolved;
		}
		catch (UnknownHostException ex) {
			throw new RdmaConfigurationException(ADDRESS, this.address, "it cannot be resolved",
					"Use an address of this machine, or remove it for loopback.", ex);
		}
	}

	/**
	 * Stop to listen. Connections stay. Stopping twice is harmless.
	 */
	public void stop() {
		synchronized (this.lifecycle) {
			Listener stopping = this.listener;
			if (stopping != null) {
				stopping.loop().unlisten(stopping.channel());
				this.listener = null;
				this.port = -1;
			}
		}
	}

	/**
	 * Return whether it listens.
	 * @return whether it is started
	 */
	public boolean isRunning() {
		return this.port >= 0;
	}

	/**
	 * Return the port it listens at.
	 * @return the port, -1 if it is not started
	 */
	public int port() {
		return this.port;
	}

	@Override
	public void close() {
		stop();
	}

	private record Listener(ControlLoop loop, ServerSocketChannel channel) {
	}

}
