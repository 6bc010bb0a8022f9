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

package io.rdma.verbs.soft;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import lombok.extern.slf4j.Slf4j;

/**
 * Wakes requesters that wait: for an answer, or for the peer to have a receive posted.
 * Its one thread starts with the first wait and ends with the device context.
 */
@Slf4j
final class SoftTimer {

	private final ScheduledThreadPoolExecutor executor;

	SoftTimer() {
		this.executor = new ScheduledThreadPoolExecutor(1, SoftTimer::newThread);
		this.executor.setRemoveOnCancelPolicy(true);
	}

	private static Thread newThread(Runnable target) {
		Thread thread = new Thread(target, "rdma-soft-timer");
		thread.setDaemon(true);
		return thread;
	}

	Future<?> schedule(Runnable task, long nanos) {
		return this.executor.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
	}

	/**
	 * Do something soon, for who cannot do it without waiting.
	 * @param task what to do
	 */
	void execute(Runnable task) {
		this.executor.execute(() -> run(task));
	}

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A queue pair could not go on after a wait", ex);
			throw ex;
		}
	}

	void stop() {
		this.executor.shutdownNow();
	}

}
