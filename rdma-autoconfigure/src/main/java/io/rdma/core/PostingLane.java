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

package io.rdma.core;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaQueueFullException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Starts the asynchronous operations with a peer in the order in which they were called:
 * on the calling thread if nothing has to be waited for, else on a thread of its own.
 */
@RequiredArgsConstructor
final class PostingLane {

	private final ReentrantLock lock = new ReentrantLock();

	private final Queue<AsyncCall<?>> waiting = new ArrayDeque<>();

	private boolean draining;

	private final String peer;

	private final Executor executor;

	private final int capacity;

	void submit(AsyncCall<?> call) {
		Throwable failure = null;
		boolean drain = false;
		this.lock.lock();
		try {
			if (this.draining || !call.tryStart()) {
				failure = enqueue(call);
				drain = failure == null && !this.draining;
				this.draining |= drain;
			}
		}
		catch (Throwable ex) {
			failure = ex;
		}
		finally {
			this.lock.unlock();
		}
		if (failure != null) {
			call.refuse(failure);
		}
		if (drain) {
			startDraining();
		}
	}

	private @Nullable Throwable enqueue(AsyncCall<?> call) {
		if (this.waiting.size() >= this.capacity) {
			return new RdmaQueueFullException(RdmaErrorContext.peer(this.peer).withOperation(call.kind().name()),
					"%d asynchronous operations wait to be started".formatted(this.waiting.size()),
					"Wait for some of their futures before calling more, or raise rdma.template.max-pending.");
		}
		this.waiting.add(call);
		return null;
	}

	private void startDraining() {
		try {
			this.executor.execute(this::drain);
		}
		catch (RejectedExecutionException ex) {
			close();
		}
	}

	/**
	 * Refuse what waits.
	 */
	void close() {
		AsyncCall<?> call = next();
		while (call != null) {
			call.refuse(OperationRunner
				.closedException(RdmaErrorContext.peer(this.peer).withOperation(call.kind().name()), null));
			call = next();
		}
	}

	private void drain() {
		AsyncCall<?> call = next();
		while (call != null) {
			call.start();
			call = next();
		}
	}

	private @Nullable AsyncCall<?> next() {
		this.lock.lock();
		try {
			AsyncCall<?> call = this.waiting.poll();
			this.draining = call != null;
			return call;
		}
		finally {
			this.lock.unlock();
		}
	}

}
