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

package io.rdma.core.completion;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.rdma.verbs.CompletionQueue;
import lombok.extern.slf4j.Slf4j;

/**
 * The thread that polls the queues of a {@link PollerLane}, from one start to the next
 * stop. Nothing that is thrown ends it.
 */
@Slf4j
final class PollerThread extends RdmaThread {

	private static final Duration WAIT = Duration.ofSeconds(1);

	private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);

	private static final long FIRST_BACK_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int MAX_BACK_OFF_SHIFT = 7;

	private final IdleTime idleTime = new IdleTime();

	private final ReportLimiter failureReports = new ReportLimiter(REPORT_INTERVAL);

	private final PollerLane lane;

	private volatile boolean active = true;

	private int consecutiveFailures;

	/**
	 * Create a thread that is not started.
	 * @param lane what it polls
	 * @param name its name
	 */
	PollerThread(PollerLane lane, String name) {
		super(name);
		this.lane = lane;
	}

	boolean isActive() {
		return this.active;
	}

	boolean isCurrentThread() {
		return this == Thread.currentThread();
	}

	/**
	 * Ask it to end. It must be woken then.
	 */
	void requestStop() {
		this.active = false;
	}

	/**
	 * Wait until it has ended.
	 * @param deadline the time to give up at, in terms of {@link System#nanoTime()}
	 */
	void awaitEnd(long deadline) {
		try {
			join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (isAlive()) {
			StackTraceElement[] stack = getStackTrace();
			logger.warn("Thread '{}' was asked to end and has not yet: it is at {}", getName(),
					(stack.length > 0) ? stack[0] : "its end");
		}
	}

	@Override
	public void run() {
		while (this.active) {
			try {
				round();
				this.consecutiveFailures = 0;
			}
			catch (Throwable ex) {
				survive(ex);
			}
		}
	}

	private void survive(Throwable cause) {
		this.lane.counters().failed();
		Reports.quietly(() -> report(cause));
		if (this.active) {
			int shift = Math.min(this.consecutiveFailures++, MAX_BACK_OFF_SHIFT);
			LockSupport.parkNanos(FIRST_BACK_OFF_NANOS << shift);
		}
	}

	private void report(Throwable cause) {
		long suppressed = this.failureReports.permit();
		if (suppressed >= 0) {
			logger.error("Thread '{}' goes on after a failure; {} more since the last report", getName(), suppressed,
					cause);
		}
	}

	private void round() throws InterruptedException {
		this.lane.runCommands();
		PolledQueue[] queues = this.lane.queues();
		PollerMode mode = this.lane.mode();
		if (poll(queues)) {
			this.idleTime.reset();
		}
		else if (queues.length > 0 && mode == PollerMode.BUSY) {
			IdleTime.pause();
		}
		else if (queues.length == 0 || mode == PollerMode.EVENT || !this.idleTime.spend()) {
			awaitEvent(queues, mode);
		}
	}

	/**
	 * Poll each queue once.
	 * @return whether there may be more: something was found, or another thread is at it
	 */
	private boolean poll(PolledQueue[] queues) {
		boolean more = false;
		int found = 0;
		for (PolledQueue queue : queues) {
			int count = queue.poll();
			found += Math.max(0, count);
			more |= (count != 0);
		}
		this.lane.counters().polled(queues.length, found);
		return more;
	}

	private void awaitEvent(PolledQueue[] queues, PollerMode mode) throws InterruptedException {
		if (mode != PollerMode.BUSY) {
			for (PolledQueue queue : queues) {
				queue.arm();
			}
			// What came before the arming brings no event
			if (poll(queues)) {
				return;
			}
		}
		this.lane.counters().waited();
		CompletionQueue told = this.lane.channel().await(WAIT);
		if (told != null) {
			told.acknowledge(1);
			// Even if a caller has taken what it told of: more is likely to follow
			this.idleTime.reset();
		}
	}

}
