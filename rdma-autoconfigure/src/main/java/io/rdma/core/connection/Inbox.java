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
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.completion.RdmaThreads;
import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaInterruptedException;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one peer that nobody took yet, in the order of their arrival. What is in it
 * is bounded, since the peer gets the right to send more only when something is taken.
 * Messages stay when their connection is lost. Thread-safe.
 */
@Slf4j
public final class Inbox {

	private final String peer;

	private final Executor executor;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition arrived = this.lock.newCondition();

	private final Deque<QueuedMessage> messages = new ArrayDeque<>();

	private @Nullable Runnable callback;

	private volatile @Nullable Runnable arrivalCallback;

	/** Whether the callback is running or about to. */
	private boolean notifying;

	/** Whether something arrived that the callback may not have seen. */
	private boolean news;

	/** How often those who wait were told to stop. */
	private int closings;

	private boolean open;

	Inbox(String peer, Executor executor, boolean open) {
		this.peer = peer;
		this.executor = executor;
		this.open = open;
	}

	/**
	 * Return the name of the peer.
	 * @return the name
	 */
	public String peer() {
		return this.peer;
	}

	/**
	 * Return how many messages there are.
	 * @return the number
	 */
	public int size() {
		this.lock.lock();
		try {
			return this.messages.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Take the next message. Never waits.
	 * @return the message, {@code null} if there is none
	 */
	public @Nullable InboundMessage poll() {
		QueuedMessage message;
		this.lock.lock();
		try {
			message = this.messages.pollFirst();
		}
		finally {
			this.lock.unlock();
		}
		return (message != null) ? message.take() : null;
	}

	/**
	 * Take the next message, waiting for one.
	 * @param deadlineNanos until when, as of {@link System#nanoTime()}
	 * @return the message, {@code null} if none came in time
	 * @throws RdmaClosedException if the connections are stopped and there is no message
	 * @throws RdmaInterruptedException if the thread is interrupted; it stays interrupted
	 * @throws IllegalStateException on a thread of this library
	 */
	public @Nullable InboundMessage await(long deadlineNanos) {
		RdmaThreads.checkMayBlock();
		QueuedMessage message;
		this.lock.lock();
		try {
			message = this.messages.pollFirst();
			int before = this.closings;
			while (message == null) {
				if (!this.open || this.closings != before) {
					throw new RdmaClosedException(RdmaErrorContext.peer(this.peer).withOperation("receive"),
							"the connections were stopped while a message was waited for",
							"Receive only while the application runs.");
				}
				long remaining = deadlineNanos - System.nanoTime();
				if (remaining <= 0) {
					return null;
				}
				this.arrived.await(remaining, TimeUnit.NANOSECONDS);
				message = this.messages.pollFirst();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RdmaInterruptedException(RdmaErrorContext.peer(this.peer).withOperation("receive"),
					"the thread was interrupted while it waited for a message", "Receive again if it is still wanted.",
					ex);
		}
		finally {
			this.lock.unlock();
		}
		return message.take();
	}

	/**
	 * Set what is run, on the application executor, when messages arrive, and at once if
	 * there are any. It never runs twice at the same time, and runs again after the last
	 * arrival; it should take messages until there are none.
	 * @param callback what to run, {@code null} for nothing
	 */
	public void onAvailable(@Nullable Runnable callback) {
		boolean start;
		this.lock.lock();
		try {
			this.callback = callback;
			start = !this.messages.isEmpty() && mustStart();
		}
		finally {
			this.lock.unlock();
		}
		if (start) {
			start();
		}
	}

	/**
	 * Set what is run, on the thread that finds a message, each time one arrives, and at
	 * once if there are any: must be short, must not wait and must not run user code.
	 * @param callback what to run, {@code null} for nothing
	 */
	public void onArrival(@Nullable Runnable callback) {
		this.lock.lock();
		try {
			this.arrivalCallback = callback;
			if (this.messages.isEmpty()) {
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		runArrivalCallback();
	}

	private void runArrivalCallback() {
		Runnable current = this.arrivalCallback;
		if (current != null) {
			try {
				current.run();
			}
			catch (RuntimeException ex) {
				logger.error("A callback for messages of peer '{}' failed", this.peer, ex);
			}
		}
	}

	void add(QueuedMessage message) {
		boolean start;
		this.lock.lock();
		try {
			this.messages.addLast(message);
			this.arrived.signal();
			start = mustStart();
		}
		finally {
			this.lock.unlock();
		}
		runArrivalCallback();
		if (start) {
			start();
		}
	}

	private boolean mustStart() {
		if (this.callback == null) {
			return false;
		}
		this.news = true;
		if (this.notifying) {
			return false;
		}
		this.notifying = true;
		return true;
	}

	private void start() {
		try {
			this.executor.execute(this::run);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application executor takes no more tasks; messages of peer '{}' stay in its inbox",
					this.peer);
			notStarted();
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			logger.error("The application executor failed; messages of peer '{}' stay in its inbox until more come",
					this.peer, ex);
			notStarted();
		}
	}

	private void notStarted() {
		this.lock.lock();
		try {
			this.notifying = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void run() {
		Runnable current;
		this.lock.lock();
		try {
			this.news = false;
			current = this.callback;
		}
		finally {
			this.lock.unlock();
		}
		if (current != null) {
			try {
				current.run();
			}
			catch (RuntimeException ex) {
				logger.error("A listener for messages of peer '{}' failed", this.peer, ex);
			}
		}
		this.lock.lock();
		try {
			if (!this.news || this.callback == null) {
				this.notifying = false;
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		// as a new task, so that one peer does not keep a thread of the application
		start();
	}

	/**
	 * Let threads wait for messages.
	 */
	void open() {
		this.lock.lock();
		try {
			this.open = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wake all who wait, and keep what is left in memory that nobody else needs.
	 */
	void close() {
		this.lock.lock();
		try {
			this.open = false;
			this.closings++;
			this.arrived.signalAll();
			this.messages.forEach(QueuedMessage::detach);
		}
		finally {
			this.lock.unlock();
		}
	}

}
