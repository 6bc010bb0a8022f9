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
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connection beside a queue pair: frames of the handshake, then the orderly end,
 * and by its own end the death of the peer. Never blocks on the network: the
 * {@link ControlLoop} reads and writes it, a handshake waits for frames with a time
 * limit. Thread-safe.
 */
@Slf4j
final class ControlChannel implements AutoCloseable {

	/** A peer may be this many frames ahead of us; each step of the handshake has one. */
	private static final int MAX_UNREAD = 8;

	private final ControlLoop loop;

	private final SocketChannel channel;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Deque<Frame> unread = new ArrayDeque<>();

	private final Deque<ByteBuffer> unwritten = new ArrayDeque<>();

	private final FrameDecoder decoder = new FrameDecoder();

	private @Nullable SelectionKey key;

	private @Nullable FrameListener listener;

	private @Nullable String end;

	private boolean connected;

	private boolean closeWhenWritten;

	private volatile @Nullable InetSocketAddress local;

	private volatile @Nullable InetSocketAddress remote;

	ControlChannel(ControlLoop loop, SocketChannel channel, boolean connected) {
		this.loop = loop;
		this.channel = channel;
		this.connected = connected;
		if (connected) {
			noteAddresses();
		}
	}

	private void noteAddresses() {
		try {
			this.local = (InetSocketAddress) this.channel.getLocalAddress();
			this.remote = (InetSocketAddress) this.channel.getRemoteAddress();
		}
		catch (IOException ex) {
			// it ended already, which the next read finds too
			logger.debug("A control channel has no addresses", ex);
		}
	}

	@Nullable InetSocketAddress localAddress() {
		return this.local;
	}

	@Nullable InetSocketAddress remoteAddress() {
		return this.remote;
	}

	String describeRemote() {
		InetSocketAddress address = this.remote;
		if (address == null) {
			return "unknown";
		}
		String host = address.getAddress().getHostAddress();
		return ((address.getAddress() instanceof Inet6Address) ? "[" + host + "]" : host) + ":" + address.getPort();
	}

	SocketChannel socketChannel() {
		return this.channel;
	}

	/**
	 * Allow frames larger than that of a stranger.
	 */
	void trust() {
		this.lock.lock();
		try {
			this.decoder.allowLarge();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Send a frame. What the socket does not take at once is written by the control
	 * thread. Does nothing if the channel ended.
	 * @param frame the frame
	 */
	void send(Frame frame) {
		this.lock.lock();
		try {
			if (this.end == null) {
				this.unwritten.addLast(frame.encode());
				flush();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Send a last frame and close once it is written.
	 * @param frame the frame
	 */
	void sendAndClose(Frame frame) {
		this.lock.lock();
		try {
			this.closeWhenWritten = true;
			send(frame);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void flush() {
		if (!this.connected) {
			return;
		}
		try {
			ByteBuffer next = this.unwritten.peekFirst();
			while (next != null) {
				this.channel.write(next);
				if (next.hasRemaining()) {
					break;
				}
				this.unwritten.removeFirst();
				next = this.unwritten.peekFirst();
			}
		}
		catch (IOException ex) {
			end("the connection broke: " + ex.getMessage());
			return;
		}
		if (this.unwritten.isEmpty() && this.closeWhenWritten) {
			end("this side closed it");
			return;
		}
		SelectionKey current = this.key;
		if (current != null && current.isValid()) {
			current.interestOps(SelectionKey.OP_READ | (this.unwritten.isEmpty() ? 0 : SelectionKey.OP_WRITE));
			this.loop.wakeup();
		}
	}

	/**
	 * Wait until the channel is connected.
	 * @param deadlineNanos until when
	 * @throws HandshakeException if it could not be connected
	 */
	void awaitConnected(long deadlineNanos) throws HandshakeException {
		this.lock.lock();
		try {
			while (!this.connected) {
				checkOpen("while it was connected");
				await(deadlineNanos, "no TCP connection was made in time");
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait for the next frame.
	 * @param expected its type
	 * @param deadlineNanos until when
	 * @return the frame
	 * @throws HandshakeException if the peer refused, sent something else, ended the
	 * channel or took too long
	 */
	Frame receive(FrameType expected, long deadlineNanos) throws HandshakeException {
		this.lock.lock();
		try {
			while (this.unread.isEmpty()) {
				checkOpen("while its " + expected + " was waited for");
				await(deadlineNanos, "the peer did not send its " + expected + " in time");
			}
			Frame frame = this.unread.removeFirst();
			if (frame.type() == FrameType.REJECT) {
				throw frame.toRejection();
			}
			if (frame.type() != expected) {
				throw WireReader.malformed("a " + frame.type() + " came in place of a " + expected);
			}
			return frame;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void checkOpen(String when) throws HandshakeException {
		String reason = this.end;
		if (reason != null) {
			throw new HandshakeException(RejectCode.OTHER, "the connection ended " + when + ": " + reason,
					"Check that the peer runs and listens at this address (rdma.server.port there, "
							+ "rdma.peers.<name>.address here), and look into its log.");
		}
	}

	@SuppressWarnings("WaitNotInLoop")
	private void await(long deadlineNanos, String problem) throws HandshakeException {
		long remaining = deadlineNanos - System.nanoTime();
		if (remaining <= 0) {
			throw new HandshakeException(RejectCode.TIMEOUT, problem,
					"Check that the peer runs and is not overloaded; rdma.connection.setup-timeout sets how long a "
							+ "connection may take.");
		}
		try {
			this.changed.await(remaining, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new HandshakeException(RejectCode.STOPPING, "the service stopped while the connection was made",
					"Connect again once it is started.", ex);
		}
	}

	/**
	 * Hand everything that comes, from what is unread on, to a listener.
	 * @param listener the listener
	 */
	void listen(FrameListener listener) {
		this.lock.lock();
		try {
			this.listener = listener;
			for (Frame frame = this.unread.pollFirst(); frame != null; frame = this.unread.pollFirst()) {
				listener.received(frame);
			}
			String reason = this.end;
			if (reason != null) {
				listener.ended(reason);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Keep what comes until it is waited for.
	 */
	void stopListening() {
		this.lock.lock();
		try {
			this.listener = null;
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean isOpen() {
		this.lock.lock();
		try {
			return this.end == null;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void close() {
		this.lock.lock();
		try {
			end("this side closed it");
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * End the channel.
	 * @param reason why, in words
	 */
	void end(String reason) {
		this.lock.lock();
		try {
			if (this.end != null) {
				return;
			}
			this.end = reason;
			this.unwritten.clear();
			this.changed.signalAll();
			try {
				this.channel.close();
			}
			catch (IOException ex) {
				logger.debug("A control channel could not be closed", ex);
			}
			this.loop.ended(this);
			FrameListener current = this.listener;
			if (current != null) {
				current.ended(reason);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Take part in the loop. Control thread only.
	 * @param key the key of the channel
	 */
	void registered(SelectionKey key) {
		this.lock.lock();
		try {
			this.key = key;
			if (this.connected) {
				flush();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Do what the channel is ready for. Control thread only.
	 * @param key the key of the channel
	 * @param buffer scratch memory to read into
	 */
	void ready(SelectionKey key, ByteBuffer buffer) {
		this.lock.lock();
		try {
			if (this.end != null || !key.isValid()) {
				return;
			}
			if (key.isConnectable()) {
				this.channel.finishConnect();
				this.connected = true;
				noteAddresses();
				this.changed.signalAll();
				key.interestOps(SelectionKey.OP_READ);
				flush();
			}
			else if (key.isWritable()) {
				flush();
			}
			if (this.end == null && key.isReadable()) {
				read(buffer);
			}
		}
		catch (IOException ex) {
			end((this.connected ? "the connection broke: " : "it could not be connected: ") + ex.getMessage());
		}
		finally {
			this.lock.unlock();
		}
	}

	private void read(ByteBuffer buffer) throws IOException {
		buffer.clear();
		int count = this.channel.read(buffer);
		if (count < 0) {
			end("the peer closed it");
			return;
		}
		buffer.flip();
		try {
			for (Frame frame = this.decoder.next(buffer); frame != null
					&& this.end == null; frame = this.decoder.next(buffer)) {
				deliver(frame);
			}
		}
		catch (HandshakeException ex) {
			end(ex.problem());
		}
	}

	private void deliver(Frame frame) {
		FrameListener current = this.listener;
		if (current != null) {
			current.received(frame);
		}
		else if (this.unread.size() < MAX_UNREAD) {
			this.unread.addLast(frame);
			this.changed.signalAll();
		}
		else {
			end("the peer sent more frames than the handshake has");
		}
	}

	@Override
	public String toString() {
		return "control channel to " + describeRemote();
	}

}
