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
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rdma.core.completion.RdmaThread;
import lombok.extern.slf4j.Slf4j;

/**
 * The thread that does the network I/O of all control channels and listeners.
 */
@Slf4j
final class ControlLoop implements AutoCloseable {

	private static final long JOIN_MILLIS = 5000;

	private static final long ACCEPT_PAUSE_MILLIS = 1000;

	private static final int READ_BUFFER = 64 * 1024;

	private final Selector selector;

	private final Thread thread;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final Set<ControlChannel> channels = ConcurrentHashMap.newKeySet();

	private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BUFFER);

	/** Listeners that wait since the process has no file left for another connection. */
	private final List<SelectionKey> paused = new ArrayList<>();

	private long resumeNanos;

	private volatile boolean closed;

	ControlLoop() {
		try {
			this.selector = Selector.open();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No selector for the control channels could be opened", ex);
		}
		this.thread = new RdmaThread(this::run, "rdma-control");
	}

	void start() {
		this.thread.start();
	}

	/**
	 * Connect a channel. It is waited for with
	 * {@link ControlChannel#awaitConnected(long)}.
	 * @param address where to
	 * @return the channel
	 * @throws IOException if that fails at once
	 */
	ControlChannel connect(InetSocketAddress address) throws IOException {
		SocketChannel socket = SocketChannel.open();
		try {
			socket.configureBlocking(false);
			socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
			boolean connected = socket.connect(address);
			ControlChannel channel = new ControlChannel(this, socket, connected);
			register(channel, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
			return channel;
		}
		catch (IOException | RuntimeException ex) {
			socket.close();
			throw ex;
		}
	}

	/**
	 * Listen for channels.
	 * @param server the listener, bound and not blocking
	 * @param acceptor takes each channel, on the control thread
	 */
	void listen(ServerSocketChannel server, Consumer<ControlChannel> acceptor) {
		execute(() -> {
			try {
				server.register(this.selector, SelectionKey.OP_ACCEPT, acceptor);
			}
			catch (ClosedChannelException ex) {
				logger.debug("A listener was closed before it was used", ex);
			}
		});
	}

	/**
	 * Close a listener. When this returns its port is free.
	 * @param server the listener
	 */
	void unlisten(ServerSocketChannel server) {
		CountDownLatch done = new CountDownLatch(1);
		execute(() -> {
			close(server);
			try {
				// the selector lets go of a closed socket only when it selects again
				this.selector.selectNow();
			}
			catch (IOException ex) {
				logger.debug("The selector could not let go of a listener", ex);
			}
			done.countDown();
		});
		try {
			if (this.closed || Thread.currentThread() == this.thread
					|| !done.await(JOIN_MILLIS, TimeUnit.MILLISECONDS)) {
				close(server);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			close(server);
		}
	}

	private static void close(ServerSocketChannel server) {
		try {
			server.close();
		}
		catch (IOException ex) {
			logger.debug("A listener could not be closed", ex);
		}
	}

	private void register(ControlChannel channel, int operations) {
		this.channels.add(channel);
		execute(() -> {
			try {
				channel.registered(channel.socketChannel().register(this.selector, operations, channel));
			}
			catch (ClosedChannelException ex) {
				channel.end("it was closed before it was used");
			}
		});
		if (this.closed) {
			channel.end("the service stopped");
		}
	}

	void execute(Runnable task) {
		this.tasks.add(task);
		this.selector.wakeup();
	}

	void wakeup() {
		if (Thread.currentThread() != this.thread) {
			this.selector.wakeup();
		}
	}

	void ended(ControlChannel channel) {
		this.channels.remove(channel);
		// the selector lets go of a closed socket only when it selects again
		wakeup();
	}

	private void run() {
		while (!this.closed) {
			try {
				this.selector.select(this.paused.isEmpty() ? 0 : ACCEPT_PAUSE_MILLIS);
				resume();
				for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
					task.run();
				}
				Set<SelectionKey> ready = this.selector.selectedKeys();
				ready.forEach(this::ready);
				ready.clear();
			}
			catch (ClosedSelectorException ex) {
				return;
			}
			catch (IOException | RuntimeException ex) {
				logger.error("The control thread met an error and goes on", ex);
			}
		}
	}

	@SuppressWarnings("unchecked")
	private void ready(SelectionKey key) {
		if (!key.isValid()) {
			return;
		}
		if (key.attachment() instanceof ControlChannel channel) {
			try {
				channel.ready(key, this.buffer);
			}
			catch (RuntimeException ex) {
				logger.error("The {} met an error and is closed", channel, ex);
				channel.end("an error: " + ex);
			}
		}
		else {
			accept(key, (Consumer<ControlChannel>) key.attachment());
		}
	}

	private void resume() {
		if (!this.paused.isEmpty() && System.nanoTime() - this.resumeNanos >= 0) {
			this.paused.stream()
				.filter(SelectionKey::isValid)
				.forEach((key) -> key.interestOps(SelectionKey.OP_ACCEPT));
			this.paused.clear();
		}
	}

	private void accept(SelectionKey key, Consumer<ControlChannel> acceptor) {
		try {
			SocketChannel socket = ((ServerSocketChannel) key.channel()).accept();
			if (socket == null) {
				return;
			}
			socket.configureBlocking(false);
			socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
			ControlChannel channel = new ControlChannel(this, socket, true);
			register(channel, SelectionKey.OP_READ);
			acceptor.accept(channel);
		}
		catch (IOException ex) {
			logger.warn("A connection could not be accepted; no other one is for {} ms: {}", ACCEPT_PAUSE_MILLIS,
					ex.getMessage());
			if (key.isValid()) {
				key.interestOps(0);
				this.paused.add(key);
				this.resumeNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ACCEPT_PAUSE_MILLIS);
			}
		}
	}

	/**
	 * End all channels and the thread.
	 */
	@Override
	public void close() {
		this.closed = true;
		for (ControlChannel channel : this.channels) {
			channel.end("the service stopped");
		}
		this.selector.wakeup();
		try {
			this.thread.join(JOIN_MILLIS);
			this.selector.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			logger.debug("The selector of the control channels could not be closed", ex);
		}
	}

}
