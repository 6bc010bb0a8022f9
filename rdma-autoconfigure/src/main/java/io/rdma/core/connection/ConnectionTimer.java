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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.rdma.core.completion.RdmaThread;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.memory.RdmaMemoryPool;
import lombok.extern.slf4j.Slf4j;

/**
 * The thread that keeps time limits: of operations, of memory that is held back, of
 * handshakes, and of the pauses before lost peers are connected again. Looks every few
 * milliseconds while something is outstanding, and seldom otherwise.
 */
@Slf4j
final class ConnectionTimer {

	private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long JOIN_MILLIS = 5000;

	/** Part of the pool that may be held back by operations that timed out. */
	private static final int HELD_SHARE = 4;

	private final RunningConnections connections;

	private final RdmaMemoryPool pool;

	private final Thread thread = new RdmaThread(this::run, "rdma-timer");

	private final AtomicLong held = new AtomicLong();

	private volatile boolean stopped;

	ConnectionTimer(RunningConnections connections, RdmaMemoryPool pool) {
		this.connections = connections;
		this.pool = pool;
	}

	void start() {
		this.thread.start();
	}

	void stop() {
		this.stopped = true;
		LockSupport.unpark(this.thread);
		try {
			this.thread.join(JOIN_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Take note that memory is held back, or no longer is.
	 * @param bytes how many bytes more, negative for fewer
	 */
	void heldBack(long bytes) {
		this.held.addAndGet(bytes);
		this.pool.heldBack(bytes);
	}

	private void run() {
		while (!this.stopped) {
			boolean busy = false;
			try {
				busy = tick(System.nanoTime());
			}
			catch (RuntimeException ex) {
				logger.error("The timer met an error and goes on", ex);
			}
			LockSupport.parkNanos(this, busy ? BUSY_NANOS : IDLE_NANOS);
		}
	}

	private boolean tick(long now) {
		boolean busy = false;
		for (RdmaConnection connection : this.connections.live().all()) {
			connection.tick(now);
			busy |= !connection.isIdle();
		}
		if (this.held.get() > 0) {
			limitHeld(now);
		}
		this.connections.tick(now);
		return busy;
	}

	private void limitHeld(long now) {
		long capacity = this.pool.statistics().capacityBytes();
		if (this.held.get() <= capacity / HELD_SHARE) {
			return;
		}
		RdmaConnection oldest = null;
		long longest = -1;
		for (RdmaConnection connection : this.connections.live().all()) {
			long age = connection.state().isFinal() ? -1 : connection.longestHeld(now);
			if (age > longest) {
				longest = age;
				oldest = connection;
			}
		}
		if (oldest != null) {
			oldest.fail(new RdmaTimeoutException(oldest.context("drain"),
					"operations that timed out hold back " + this.held.get() + " of the pool's " + capacity + " bytes",
					"The queue pair of the oldest is put into the ERR state to get its memory back. Check the health "
							+ "of the peer, or raise rdma.memory.pool-size."));
		}
	}

}
