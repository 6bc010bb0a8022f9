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

package io.rdma.demo.job;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rdma.core.RdmaOperations;
import io.rdma.core.connection.ConnectionListener;
import io.rdma.core.connection.ConnectionState;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.exception.RdmaConnectException;
import io.rdma.demo.support.RemoteProperties;
import lombok.RequiredArgsConstructor;

import org.springframework.stereotype.Component;

/**
 * The peer that the job works with.
 */
@Component
@RequiredArgsConstructor
class DemoPeer {

	private final RdmaConnections connections;

	private final RdmaOperations rdma;

	private final RemoteProperties remote;

	String name() {
		return this.remote.peer();
	}

	/**
	 * Wait until the peer is connected. Once the first attempt failed, the library tries
	 * again by itself.
	 * @param out where to say that
	 * @param timeout how long to wait
	 * @throws DemoPeerException if it was not connected in time
	 * @throws InterruptedException if the thread was interrupted
	 */
	void await(PrintStream out, Duration timeout) throws InterruptedException {
		CountDownLatch ready = new CountDownLatch(1);
		ConnectionListener listener = (event) -> {
			if (event.peer().equals(name()) && event.to() == ConnectionState.READY) {
				ready.countDown();
			}
		};
		this.connections.addListener(listener);
		try {
			path();
		}
		catch (RdmaConnectException ex) {
			out.printf("Waiting up to %d s for peer '%s'%n", timeout.toSeconds(), name());
			if (!ready.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new DemoPeerException(name(), ex);
			}
		}
		finally {
			this.connections.removeListener(listener);
		}
	}

	/**
	 * Return how messages get to the peer, connecting it if need be.
	 * @return a text such as {@code shared memory}
	 */
	String path() {
		return this.rdma.execute(name(), (connection) -> describe(connection));
	}

	private static String describe(RdmaConnection connection) {
		return String.valueOf(connection.path()).toLowerCase(Locale.ROOT).replace('_', ' ');
	}

}
