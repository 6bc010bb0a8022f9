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

import java.util.concurrent.locks.LockSupport;

import io.rdma.core.completion.RdmaThreads;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaInterruptedException;
import org.jspecify.annotations.Nullable;

/**
 * An operation that a thread waits for. While it waits it polls the completion queues, so
 * that an operation that completes at once needs no other thread.
 */
public class BlockingOperation extends Operation {

	private static final long SPIN_NANOS = 20_000;

	private static final int PROCESSORS_TO_SPIN = 4;

	private static final boolean MAY_SPIN = Runtime.getRuntime().availableProcessors() >= PROCESSORS_TO_SPIN;

	/** Name of the thread group that each virtual thread reports, and no other thread. */
	private static final String VIRTUAL_THREADS = "VirtualThreads";

	private volatile boolean ended;

	private volatile @Nullable Thread waiter;

	private long bytes;

	private @Nullable RdmaException exception;

	/**
	 * Create an operation.
	 * @param kind what it does
	 */
	public BlockingOperation(OperationKind kind) {
		super(kind);
	}

	/**
	 * Wait for the outcome. Returns or throws at the operation's deadline at the latest.
	 * @return how many bytes it moved
	 * @throws RdmaException if it failed;
	 * {@link io.rdma.core.exception.RdmaTimeoutException} if it did not end in time;
	 * {@link io.rdma.core.exception.RdmaInterruptedException} if the thread is
	 * interrupted, which stays interrupted while the operation goes on as one that timed
	 * out
	 * @throws IllegalStateException on a thread of this library
	 */
	public final long await() {
		RdmaThreads.checkMayBlock();
		RdmaConnection connection = connection();
		boolean found = true;
		while (!this.ended && found) {
			found = connection.assist();
		}
		if (!this.ended && MAY_SPIN && !isVirtual(Thread.currentThread())) {
			spin(connection);
		}
		if (!this.ended) {
			park();
		}
		RdmaException failure = this.exception;
		if (failure != null) {
			// made for this operation alone: the waiting thread's own trace says more
			failure.fillInStackTrace();
			throw failure;
		}
		return this.bytes;
	}

	private void spin(RdmaConnection connection) {
		long start = System.nanoTime();
		do {
			if (!connection.assist()) {
				Thread.onSpinWait();
			}
		}
		while (!this.ended && System.nanoTime() - start < SPIN_NANOS);
	}

	private void park() {
		this.waiter = Thread.currentThread();
		while (!this.ended) {
			long now = System.nanoTime();
			long remaining = deadlineNanos() - now;
			if (remaining <= 0) {
				connection().expire(this, now);
			}
			else if (Thread.currentThread().isInterrupted()) {
				expire(new RdmaInterruptedException(connection().context(kind().name()),
						"the thread was interrupted while it waited; the operation may still take effect",
						"Repeat it if it may be carried out twice."), now);
			}
			else {
				LockSupport.parkNanos(this, remaining);
			}
			if (isDone() && !this.ended) {
				// another thread has the outcome and is about to tell
				Thread.onSpinWait();
			}
		}
	}

	private static boolean isVirtual(Thread thread) {
		ThreadGroup group = thread.getThreadGroup();
		return group != null && VIRTUAL_THREADS.equals(group.getName());
	}

	@Override
	protected final void succeeded(long bytes) {
		this.bytes = bytes;
		end();
	}

	@Override
	protected final void failed(RdmaException exception) {
		this.exception = exception;
		end();
	}

	private void end() {
		this.ended = true;
		Thread waiting = this.waiter;
		if (waiting != null) {
			LockSupport.unpark(waiting);
		}
	}

}
