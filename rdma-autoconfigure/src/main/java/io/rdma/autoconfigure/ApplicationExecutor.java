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

package io.rdma.autoconfigure;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;

import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Runs what belongs to the application: listeners, and what depends on futures. Uses the
 * application's own executor while that takes tasks. With none, and after it was shut
 * down, each task gets a thread, so that nothing that was promised is lost.
 */
final class ApplicationExecutor implements Executor {

	private final @Nullable Executor delegate;

	private final SimpleAsyncTaskExecutor fallback = new SimpleAsyncTaskExecutor("rdma-application-");

	ApplicationExecutor(@Nullable Executor delegate) {
		this.delegate = delegate;
		this.fallback.setDaemon(true);
	}

	@Override
	public void execute(Runnable task) {
		if (this.delegate == null) {
			this.fallback.execute(task);
			return;
		}
		try {
			this.delegate.execute(task);
		}
		catch (RejectedExecutionException ex) {
			this.fallback.execute(task);
		}
	}

}
