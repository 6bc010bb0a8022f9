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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Takes peers that connect to us. One that says nothing costs no thread, and is dropped
 * when its time is over or too many say nothing; one that says hello gets a thread for
 * the handshake. Thread-safe.
 */
@Slf4j
final class PeerAcceptor {

	private static final int THREADS = 8;

	private final RunningConnections connections;

	private final Handshake handshake;

	private final ConnectionSettings settings;

	private final ThreadPoolExecutor threads;

	/** Channels that did not say hello yet, oldest first. */
	private final Deque<Stranger> strangers = new ArrayDeque<>();

	private volatile @Nullable String loggedRefusal;

	PeerAcceptor(RunningConnections connections, Handshake handshake, ConnectionSettings settings) {
		this.connections = connections;
		this.handshake = handshake;
		this.settings = settings;
		this.threads = ThreadPools.create("rdma-accept-", THREADS, settings.maxHandshakes());
	}

	/**
	 * Take a channel. Control thread only.
	 * @param channel the channel
	 */
	void accept(ControlChannel channel) {
		Stranger stranger = new Stranger(channel, System.nanoTime() + this.settings.setupTimeout().toNanos());
		Stranger oldest = null;
		synchronized (this.strangers) {
			this.strangers.addLast(stranger);
			if (this.strangers.size() > this.settings.maxHandshakes()) {
				oldest = this.strangers.pollFirst();
			}
		}
		if (oldest != null) {
			oldest.channel.end("too many connections that say nothing");
		}
		channel.listen(stranger);
	}

	private boolean forget(Stranger stranger) {
		synchronized (this.strangers) {
			return this.strangers.remove(stranger);
		}
	}

	/**
	 * Drop channels that said nothing in time.
	 * @param now the time
	 */
	void tick(long now) {
		while (true) {
			Stranger oldest;
			synchronized (this.strangers) {
				oldest = this.strangers.peekFirst();
				if (oldest == null || now - oldest.deadlineNanos < 0) {
					return;
				}
				this.strangers.removeFirst();
			}
			oldest.channel.end("it said nothing in time");
		}
	}

	private void hello(Stranger stranger, Frame frame) {
		if (!forget(stranger)) {
			return;
		}
		ControlChannel channel = stranger.channel;
		channel.stopListening();
		if (frame.type() != FrameType.HELLO) {
			channel.end("the peer did not start with a HELLO");
			return;
		}
		if (this.connections.isDraining()) {
			channel.sendAndClose(Frame.reject(RejectCode.STOPPING, "the service stops"));
			return;
		}
		try {
			this.threads.execute(() -> shake(stranger, frame));
		}
		catch (RejectedExecutionException ex) {
			channel.sendAndClose(Frame.reject(RejectCode.BUSY, "too many handshakes are under way"));
		}
	}

	private void shake(Stranger stranger, Frame hello) {
		ControlChannel channel = stranger.channel;
		if (this.connections.live().countInbound() >= this.settings.maxInboundConnections()) {
			channel.sendAndClose(Frame.reject(RejectCode.BUSY, this.settings.maxInboundConnections()
					+ " peers are connected already (rdma.server.max-connections)"));
			return;
		}
		try {
			RdmaConnection connection = this.handshake.accept(channel, hello, stranger.deadlineNanos);
			if (this.connections.adopt(connection, null)) {
				logger.debug("Accepted {}", connection);
			}
		}
		catch (HandshakeException ex) {
			refused(channel, ex.problem() + ". " + ex.remedy());
		}
		catch (RuntimeException ex) {
			refused(channel, String.valueOf(ex.getMessage()));
		}
	}

	private void refused(ControlChannel channel, String reason) {
		// one line for a cause: a peer may try again for ever
		if (reason.equals(this.loggedRefusal) || this.connections.isDraining()) {
			logger.debug("A connection from {} was not made: {}", channel.describeRemote(), reason);
		}
		else {
			this.loggedRefusal = reason;
			logger.warn("A connection from {} was not made: {}", channel.describeRemote(), reason);
		}
	}

	/**
	 * End what is under way and wait for it.
	 */
	void stop() {
		this.threads.shutdownNow();
		ThreadPools.awaitEnd(this.threads);
	}

	/**
	 * A channel that did not say hello yet.
	 */
	private final class Stranger implements FrameListener {

		private final ControlChannel channel;

		private final long deadlineNanos;

		private Stranger(ControlChannel channel, long deadlineNanos) {
			this.channel = channel;
			this.deadlineNanos = deadlineNanos;
		}

		@Override
		public void received(Frame frame) {
			hello(this, frame);
		}

		@Override
		public void ended(String reason) {
			if (forget(this)) {
				logger.debug("A connection from {} ended without a hello: {}", this.channel.describeRemote(), reason);
			}
		}

	}

}
