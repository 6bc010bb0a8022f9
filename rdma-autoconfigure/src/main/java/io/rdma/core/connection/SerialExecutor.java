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

import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;

/**
 * Runs tasks on another executor, one at a time and in order. Thread-safe.
 */
@Slf4j
@RequiredArgsConstructor
final class SerialExecutor {

	private final Executor executor;

	private final Deque<Runnable> tasks = new ArrayDeque<>();

	private boolean running;

	void execute(Runnable task) {
		synchronized (this.tasks) {
			this.tasks.addLast(task);
			if (this.running) {
				return;
			}
			this.running = true;
		}
		try {
			this.executor.execute(this::run);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application executor takes no more tasks; {} notifications are dropped", drop());
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			logger.error("The application executor failed; {} notifications are dropped", drop(), ex);
		}
	}

	private int drop() {
		synchronized (this.tasks) {
			this.running = false;
			int dropped = this.tasks.size();
			this.tasks.clear();
			return dropped;
		}
	}

	private void run() {
		while (true) {
			Runnable task;
			synchronized (this.tasks) {
				task = this.tasks.pollFirst();
				if (task == null) {
					this.running = false;
					return;
				}
			}
			try {
				task.run();
			}
			catch (RuntimeException ex) {
				logger.error("A listener failed", ex);
			}
		}
	}

}
