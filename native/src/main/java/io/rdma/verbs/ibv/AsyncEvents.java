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

package io.rdma.verbs.ibv;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.Errno;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Takes the asynchronous events of a device on a thread of its own and keeps them until
 * they are asked for. Events are acknowledged as they are taken, so that they never hold
 * up the destruction of what they name.
 */
@Slf4j
final class AsyncEvents implements Runnable {

	private static final int CAPACITY = 4096;

	private static final int WAIT_MILLIS = 1000;

	private static final long STOP_MILLIS = 10_000;

	private final BlockingQueue<Item> items = new ArrayBlockingQueue<>(CAPACITY);

	private final String device;

	private final Handle handle;

	private final LongFunction<@Nullable Object> resources;

	private final int wakeup;

	private final Thread thread;

	private volatile boolean stopped;

	private boolean overflowReported;

	AsyncEvents(String device, Handle handle, LongFunction<@Nullable Object> resources) {
		this(device, handle, resources, Thread::new);
	}

	AsyncEvents(String device, Handle handle, LongFunction<@Nullable Object> resources, ThreadFactory threads) {
		this.device = device;
		this.handle = handle;
		this.resources = resources;
		this.wakeup = (int) Results.check(Native.createWakeup(), "eventfd",
				"The descriptor that ends the wait for events cannot be created");
		try {
			this.thread = threads.newThread(this);
			this.thread.setName("rdma-events-" + device);
			this.thread.setDaemon(true);
			this.thread.start();
		}
		catch (Throwable ex) {
			Native.close(this.wakeup);
			throw ex;
		}
	}

	@Override
	public void run() {
		long[] values = new long[3];
		while (!this.stopped) {
			int taken = take(values);
			if (taken > 0) {
				add(values);
			}
			else if (taken < 0 && !this.stopped) {
				logger.error("Asynchronous events of device {} cannot be read any more: {}", this.device,
						Errno.of(-taken));
				offer(new Item(new AsyncEvent(AsyncEventType.DEVICE_FATAL, null, 0)));
				return;
			}
		}
	}

	private int take(long[] values) {
		Handle.Use use = this.handle.use();
		try {
			return Native.awaitEvent(this.handle.cell(), this.wakeup, WAIT_MILLIS, values);
		}
		finally {
			use.end();
		}
	}

	private void add(long[] values) {
		int code = (int) values[0];
		if (code >= AsyncEventType.values().length) {
			logger.warn("Device {} raised asynchronous event {}, which is not known", this.device, code);
			return;
		}
		Object resource = (values[1] != 0) ? this.resources.apply(values[1]) : null;
		if (values[1] != 0 && resource == null) {
			// it was closed meanwhile
			return;
		}
		offer(new Item(new AsyncEvent(AsyncEventType.of(code), resource, (int) values[2])));
	}

	private void offer(Item item) {
		while (!this.items.offer(item)) {
			this.items.poll();
			if (!this.overflowReported) {
				this.overflowReported = true;
				logger.warn("More than {} asynchronous events of device {} wait to be taken; the oldest are dropped",
						CAPACITY, this.device);
			}
		}
	}

	@Nullable AsyncEvent await(Duration timeout) throws InterruptedException {
		if (this.stopped) {
			return null;
		}
		Item item = this.items.poll(Waits.nanos(timeout), TimeUnit.NANOSECONDS);
		if (item != null && item.event() == null) {
			// for the next one who waits
			offer(item);
		}
		return (item != null) ? item.event() : null;
	}

	/**
	 * Stop the thread and everybody who waits.
	 */
	void stop() {
		this.stopped = true;
		Native.wakeup(this.wakeup);
		boolean interrupted = false;
		long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_MILLIS);
		while (this.thread.isAlive() && System.nanoTime() < deadline) {
			try {
				this.thread.join(STOP_MILLIS);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (this.thread.isAlive()) {
			logger.warn("The thread that reads the events of device {} did not end in {} ms", this.device, STOP_MILLIS);
		}
		else {
			Native.close(this.wakeup);
		}
		offer(new Item(null));
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * An event, or the end.
	 */
	private record Item(@Nullable AsyncEvent event) {
	}

}
