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
			int dropped;
			synchronized (this.tasks) {
				this.running = false;
				dropped = this.tasks.size();
				this.tasks.clear();
			}
			logger.debug("The application executor takes no more tasks; {} notifications are dropped", dropped);
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
