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

package io.rdma.verbs.soft.shm;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a device context that serves the connections over shared memory, and
 * the sockets that wake it. It looks at a connection from when its peer rings until there
 * is nothing more to do, then asks to be woken; it sleeps when that is so for all. Where
 * there are processors enough it waits a moment before it does.
 */
@Slf4j
final class SharedMemoryLoop {

	private static final int HELLO = RingLayout.PROOF_SIZE + Long.BYTES;

	/** How many sockets may be connected of which it is not known what for. */
	private static final int MAX_STRANGERS = 64;

	/** How often the sockets are looked at while there is other work. */
	private static final int ROUNDS_PER_LOOK = 64;

	/** And how long after the last time at most, if the work is long. */
	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	private static final int MIN_PROCESSORS_TO_SPIN = 4;

	private static final long STOP_MILLIS = 5000;

	private static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final long LEFTOVER_MILLIS = 10;

	private static final long LEFTOVER_NANOS = TimeUnit.MILLISECONDS.toNanos(LEFTOVER_MILLIS) / 2;

	private static final long LEFTOVER_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

	private final Selector selector;

	private final ServerSocketChannel server;

	private final Thread thread;

	private final Consumer<SelectionKey> onKey = this::handle;

	private final boolean spins = Runtime.getRuntime().availableProcessors() >= MIN_PROCESSORS_TO_SPIN;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final Set<SharedConnection> connections = ConcurrentHashMap.newKeySet();

	private final List<SharedConnection> active = new ArrayList<>();

	private final List<SelectionKey> strangers = new ArrayList<>();

	private final ByteBuffer bytes = ByteBuffer.allocateDirect(64);

	/** Directories of peers that are dying, with when to give up removing them. */
	private final Map<Path, Long> leftovers = new HashMap<>();

	private long lastLeftoverLook = System.nanoTime() - LEFTOVER_NANOS;

	private volatile boolean closed;

	/** Whether the thread has ended by a fault. */
	private volatile boolean ended;

	private SharedMemoryLoop(Selector selector, ServerSocketChannel server) {
		this.selector = selector;
		this.server = server;
		this.thread = new Thread(this::run, "rdma-soft-shared-memory");
		this.thread.setDaemon(true);
	}

	static SharedMemoryLoop start(SharedDirectory directory) throws IOException {
		Selector selector = Selector.open();
		try {
			directory.socket().register(selector, SelectionKey.OP_ACCEPT);
			SharedMemoryLoop loop = new SharedMemoryLoop(selector, directory.socket());
			loop.thread.start();
			return loop;
		}
		catch (IOException | RuntimeException | Error ex) {
			selector.close();
			throw ex;
		}
	}

	void add(SharedConnection connection) {
		this.connections.add(connection);
	}

	void remove(SharedConnection connection) {
		this.connections.remove(connection);
	}

	/**
	 * Do something on the thread, soon. After the loop was closed it is done at once.
	 * @param task what to do
	 */
	void execute(Runnable task) {
		if (this.closed) {
			task.run();
			return;
		}
		this.tasks.add(task);
		wakeUp();
	}

	private void wakeUp() {
		if (Thread.currentThread() != this.thread) {
			this.selector.wakeup();
		}
	}

	/**
	 * Connect to the socket of a peer.
	 * @param peer where it is
	 * @param user the user that the peer must be of
	 * @param seen what proves that its memory is seen
	 * @return the socket
	 * @throws IOException if it cannot be connected
	 */
	SocketChannel connect(SharedMemoryOffer peer, int user, byte[] seen) throws IOException {
		Path socket = Path.of(peer.directory(), peer.socket());
		int owner = Owners.of(socket);
		if (owner != user) {
			throw new IOException("The socket " + socket + " is of user " + owner + " and not of user " + user);
		}
		SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
		try {
			// such a socket is connected at once or not at all
			channel.configureBlocking(false);
			channel.connect(UnixDomainSocketAddress.of(socket));
			ByteBuffer hello = ByteBuffer.allocate(HELLO).put(seen).putLong(peer.fileId()).flip();
			if (!channel.isConnected() || channel.write(hello) != HELLO) {
				throw new IOException("The socket " + socket + " takes no more connections");
			}
			return channel;
		}
		catch (IOException | RuntimeException | Error ex) {
			channel.close();
			throw ex;
		}
	}

	/**
	 * Watch the socket of a connection.
	 * @param connection the connection
	 * @param channel its socket
	 */
	void watch(SharedConnection connection, SocketChannel channel) {
		SelectionKey known = channel.keyFor(this.selector);
		if (known != null) {
			// on the thread, which has read the hello, and the next byte may be there
			known.attach(connection);
			activate(connection);
			return;
		}
		execute(() -> {
			try {
				channel.register(this.selector, SelectionKey.OP_READ, connection);
				activate(connection);
			}
			catch (IOException | RuntimeException ex) {
				logger.debug("The socket of a peer is closed already", ex);
				connection.peerGone();
			}
		});
	}

	void close(SocketChannel channel) {
		closeQuietly(channel);
		// the selector lets go of it when it is used next
		wakeUp();
	}

	void tellPeersOfDoneFiles() {
		this.connections.forEach(SharedConnection::tellOfDoneFiles);
	}

	private void run() {
		try {
			while (!this.closed) {
				if (!work()) {
					sleep();
				}
			}
		}
		catch (ClosedSelectorException ex) {
			logger.trace("Closed while asleep", ex);
		}
		catch (IOException | RuntimeException | Error ex) {
			logger.error("Connections over shared memory do not work any more, new ones take the wire", ex);
			this.ended = true;
			closeAll();
			this.connections.forEach((connection) -> connection.lose(false));
		}
	}

	/**
	 * Work until there is nothing to do.
	 * @return whether some connections are still looked at
	 */
	private boolean work() throws IOException {
		long quietSince = 0;
		long lastLook = System.nanoTime();
		int rounds = 0;
		while (!this.closed) {
			runTasks();
			if (workOnce()) {
				quietSince = 0;
			}
			else if (quietSince == 0) {
				quietSince = System.nanoTime();
			}
			else if (System.nanoTime() - quietSince > SPIN_NANOS) {
				return false;
			}
			if (quietSince != 0 && !this.spins) {
				return false;
			}
			if (++rounds % ROUNDS_PER_LOOK == 0 || System.nanoTime() - lastLook > LOOK_NANOS) {
				this.selector.selectNow(this.onKey);
				lastLook = System.nanoTime();
			}
			if (quietSince != 0) {
				Thread.onSpinWait();
			}
		}
		return false;
	}

	private void runTasks() {
		Runnable task = this.tasks.poll();
		while (task != null) {
			try {
				task.run();
			}
			catch (RuntimeException ex) {
				logger.error("Shared memory could not be tidied up", ex);
			}
			task = this.tasks.poll();
		}
	}

	/**
	 * Return whether there is a thread that watches over shared memory.
	 * @return whether connections can be made
	 */
	boolean isRunning() {
		return !this.ended;
	}

	/** Whoever comes second does nothing. */
	private void closeAll() {
		try {
			for (SelectionKey key : this.selector.keys()) {
				closeQuietly(key.channel());
			}
		}
		catch (ClosedSelectorException ex) {
			logger.trace("Closed already", ex);
		}
		closeQuietly(this.server);
		closeQuietly(this.selector);
	}

	private static void closeQuietly(Closeable resource) {
		try {
			resource.close();
		}
		catch (IOException ex) {
			logger.debug("{} could not be closed", resource, ex);
		}
	}

	private boolean workOnce() {
		boolean worked = false;
		for (int i = this.active.size() - 1; i >= 0; i--) {
			SharedConnection connection = this.active.get(i);
			try {
				worked |= connection.work();
			}
			catch (RuntimeException | Error ex) {
				fail(connection, ex);
			}
		}
		return worked;
	}

	private static void fail(SharedConnection connection, Throwable cause) {
		if (cause instanceof InternalError) {
			logger.warn("The memory that is shared with process {} was truncated: the connection is given up",
					connection.peerProcess(), cause);
		}
		else {
			logger.error("A connection over shared memory is given up", cause);
		}
		connection.lose(false);
	}

	private void sleep() throws IOException {
		for (int i = this.active.size() - 1; i >= 0; i--) {
			SharedConnection connection = this.active.get(i);
			if (mayRest(connection)) {
				connection.active(false);
				this.active.remove(i);
			}
		}
		removeLeftovers();
		if (this.active.isEmpty() && this.tasks.isEmpty()) {
			this.selector.select(this.onKey, this.leftovers.isEmpty() ? 0 : LEFTOVER_MILLIS);
		}
		else {
			this.selector.selectNow(this.onKey);
		}
	}

	/**
	 * Remove the directory of a peer that died. A process closes its sockets one by one
	 * when it dies, so that may have to wait a little.
	 * @param directory the directory
	 */
	void removeLeftover(Path directory) {
		execute(() -> this.leftovers.put(directory, System.nanoTime() + LEFTOVER_PATIENCE_NANOS));
	}

	/**
	 * Each look connects to a socket of the peer, so there are not many.
	 */
	private void removeLeftovers() {
		long now = System.nanoTime();
		if (!this.leftovers.isEmpty() && now - this.lastLeftoverLook > LEFTOVER_NANOS) {
			this.lastLeftoverLook = now;
			this.leftovers.entrySet()
				.removeIf((leftover) -> SharedDirectory.removeLeftover(leftover.getKey())
						|| now - leftover.getValue() > 0);
		}
	}

	private static boolean mayRest(SharedConnection connection) {
		try {
			return connection.arm();
		}
		catch (InternalError ex) {
			fail(connection, ex);
			return true;
		}
	}

	private void activate(SharedConnection connection) {
		if (!connection.isActive()) {
			connection.active(true);
			this.active.add(connection);
		}
	}

	private void handle(SelectionKey key) {
		try {
			if (!key.isValid()) {
				// closed on this side
				return;
			}
			if (key.isAcceptable()) {
				accept();
			}
			else if (key.attachment() instanceof SharedConnection connection) {
				read(connection, (SocketChannel) key.channel());
			}
			else {
				readHello(key);
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("A socket of a peer failed", ex);
			if (key.attachment() instanceof SharedConnection connection) {
				connection.peerGone();
			}
			else if (key.channel() != this.server) {
				forget(key);
			}
			else {
				// likely too many files are open: whoever knocks does so again and again
				LockSupport.parkNanos(this, ACCEPT_PAUSE_NANOS);
			}
		}
	}

	private void accept() throws IOException {
		SocketChannel channel = this.server.accept();
		if (channel == null) {
			return;
		}
		channel.configureBlocking(false);
		SelectionKey key = channel.register(this.selector, SelectionKey.OP_READ);
		key.attach(ByteBuffer.allocate(HELLO));
		this.strangers.add(key);
		if (this.strangers.size() > MAX_STRANGERS) {
			forget(this.strangers.get(0));
		}
	}

	private void forget(SelectionKey key) {
		this.strangers.remove(key);
		close((SocketChannel) key.channel());
	}

	private void readHello(SelectionKey key) throws IOException {
		SocketChannel channel = (SocketChannel) key.channel();
		ByteBuffer hello = (ByteBuffer) key.attachment();
		if (channel.read(hello) < 0) {
			forget(key);
			return;
		}
		if (hello.hasRemaining()) {
			return;
		}
		byte[] proof = new byte[RingLayout.PROOF_SIZE];
		hello.flip().get(proof);
		SharedConnection wanted = find(hello.getLong(), proof);
		if (wanted == null || !wanted.attach(channel)) {
			logger.debug("A process connected that names no connection of this one");
			forget(key);
			return;
		}
		this.strangers.remove(key);
	}

	private @Nullable SharedConnection find(long fileId, byte[] proof) {
		for (SharedConnection connection : this.connections) {
			if (connection.offer().fileId() == fileId && connection.isOwnProof(proof)) {
				return connection;
			}
		}
		return null;
	}

	private void read(SharedConnection connection, SocketChannel channel) throws IOException {
		boolean filesDone = false;
		int count = channel.read(this.bytes.clear());
		for (int i = 0; i < count; i++) {
			filesDone |= this.bytes.get(i) == Doorbell.FILES_DONE;
		}
		if (filesDone) {
			connection.sweep();
		}
		if (count < 0) {
			// what the peer did before it went is done
			workOnLast(connection);
			connection.peerGone();
			return;
		}
		activate(connection);
	}

	private static void workOnLast(SharedConnection connection) {
		try {
			boolean worked = true;
			while (worked) {
				worked = connection.work();
			}
		}
		catch (RuntimeException | Error ex) {
			fail(connection, ex);
		}
	}

	void close() {
		this.closed = true;
		this.selector.wakeup();
		boolean interrupted = false;
		try {
			this.thread.join(STOP_MILLIS);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		closeAll();
		runTasks();
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
