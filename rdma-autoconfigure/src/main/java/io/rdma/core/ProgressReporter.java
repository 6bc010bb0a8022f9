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

import java.util.concurrent.atomic.AtomicInteger;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of a transfer and tells a {@link TransferProgress}, on the thread of
 * the transfer or by way of a {@link FutureDispatcher}. If that is slower than the
 * transfer, some values are left out, never the last one.
 */
@Slf4j
final class ProgressReporter {

	private final AtomicInteger news = new AtomicInteger();

	private final @Nullable TransferProgress progress;

	private final @Nullable FutureDispatcher dispatcher;

	private final long total;

	private volatile long transferred;

	private boolean failed;

	ProgressReporter(@Nullable TransferProgress progress, @Nullable FutureDispatcher dispatcher, long total) {
		this.progress = progress;
		this.dispatcher = dispatcher;
		this.total = total;
	}

	/**
	 * Some more bytes have arrived. Called by one thread at a time.
	 * @param bytes how many
	 */
	@SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
	void add(long bytes) {
		this.transferred += bytes;
		if (this.progress == null) {
			return;
		}
		if (this.dispatcher == null) {
			tell(this.progress);
		}
		else if (this.news.getAndIncrement() == 0) {
			this.dispatcher.dispatch(() -> tellNews(this.progress));
		}
	}

	private void tellNews(TransferProgress progress) {
		int told = 1;
		do {
			told = this.news.get();
			tell(progress);
		}
		while (this.news.addAndGet(-told) != 0);
	}

	private void tell(TransferProgress progress) {
		try {
			progress.transferred(this.transferred, this.total);
		}
		catch (RuntimeException ex) {
			if (!this.failed) {
				this.failed = true;
				logger.warn("A progress callback failed; the transfer goes on", ex);
			}
		}
	}

}
