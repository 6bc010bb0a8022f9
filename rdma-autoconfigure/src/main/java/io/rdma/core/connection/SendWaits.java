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
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.completion.RdmaThreads;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.verbs.VerbsException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Waits, until the deadline of an operation, for what it needs to be posted. Whoever
 * waits polls completion queues meanwhile. Thread-safe.
 */
@RequiredArgsConstructor
final class SendWaits {

	static final long MIN_PARK_NANOS = 20_000;

	static final long MAX_PARK_NANOS = 1_000_000;

	/** How long to wait for a slot before the completion queues are looked at again. */
	private static final long SLOT_WAIT_NANOS = 10_000_000;

	private final RdmaConnection connection;

	private final ConnectionLife life;

	private final SendTable table;

	void awaitLane(Operation operation, ReentrantLock lane) {
		RdmaThreads.checkMayBlock();
		try {
			if (!lane.tryLock(Math.max(0, remaining(operation)), TimeUnit.NANOSECONDS)) {
				throw doesNotConsume(operation,
						"earlier messages to the peer were not sent in time, so this one was not sent either");
			}
		}
		catch (InterruptedException ex) {
			throw interrupted(operation, ex);
		}
	}

	void awaitSlot(Operation operation) {
		RdmaThreads.checkMayBlock();
		try {
			while (true) {
				this.connection.assist();
				long remaining = remaining(operation);
				if (this.table.tryReserve(Math.max(0, Math.min(remaining, SLOT_WAIT_NANOS)))) {
					return;
				}
				if (remaining <= 0) {
					throw new RdmaTimeoutException(this.connection.context(operation.kind().name()),
							"all " + this.table.depth() + " places of the send queue were in use until the time "
									+ "limit, so the operation was not posted",
							"Wait for operations to complete, raise rdma.queue-pair.send-depth, or give the operation "
									+ "more time.");
				}
			}
		}
		catch (InterruptedException ex) {
			throw interrupted(operation, ex);
		}
	}

	void awaitDevice(Operation operation, VerbsException cause) {
		RdmaThreads.checkMayBlock();
		this.connection.assist();
		if (remaining(operation) <= 0) {
			throw new RdmaTimeoutException(this.connection.context(operation.kind().name()),
					"the device had no room in the send queue until the time limit, so the operation was not posted",
					"Lower rdma.queue-pair.send-depth to what the device can do, or give the operation more time.",
					cause);
		}
		pause(operation, MIN_PARK_NANOS);
	}

	/**
	 * Wait a little.
	 * @param operation the operation
	 * @param nanos how long
	 */
	void pause(Operation operation, long nanos) {
		LockSupport.parkNanos(this, nanos);
		if (Thread.currentThread().isInterrupted()) {
			throw interrupted(operation, null);
		}
		if (this.life.state().isFinal()) {
			throw this.life.notPosted(operation.kind());
		}
	}

	static long remaining(Operation operation) {
		return operation.deadlineNanos() - System.nanoTime();
	}

	RdmaTimeoutException doesNotConsume(Operation operation, String problem) {
		return new RdmaTimeoutException(this.connection.context(operation.kind().name()), problem,
				"Look at the peer: it needs an @RdmaListener or receive() for messages of this service. Its "
						+ "rdma.queue-pair.receive-depth sets how many can wait.");
	}

	private RdmaInterruptedException interrupted(Operation operation, @Nullable InterruptedException cause) {
		Thread.currentThread().interrupt();
		return new RdmaInterruptedException(this.connection.context(operation.kind().name()),
				"the thread was interrupted before all of the operation was posted", "Repeat it if it is still wanted.",
				cause);
	}

}
