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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock for the data path, where it is hardly ever contended: one atomic instruction to
 * take it, and an ordinary store to let go, which {@code ReentrantLock} needs another one
 * for. Who finds it taken spins, then yields, then sleeps for a time that grows to a
 * millisecond and looks again; nobody is woken, so letting go has nobody to look for. Not
 * reentrant. Allocates nothing, contended or not.
 */
final class ShortLock {

	private static final VarHandle TAKEN;

	static {
		try {
			TAKEN = MethodHandles.lookup().findVarHandle(ShortLock.class, "taken", boolean.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private static final int SPINS = 64;

	private static final int YIELDS = 64;

	private static final long MIN_SLEEP = TimeUnit.MICROSECONDS.toNanos(10);

	private static final long MAX_SLEEP = TimeUnit.MILLISECONDS.toNanos(1);

	@SuppressWarnings("unused") // through the handle
	private boolean taken;

	boolean tryLock() {
		return TAKEN.compareAndSet(this, false, true);
	}

	void lock() {
		if (!tryLock()) {
			lockOnceFree();
		}
	}

	@SuppressWarnings("ThreadPriorityCheck") // a hint to the scheduler, nothing depends
												// on it
	private void lockOnceFree() {
		for (int i = 0; i < SPINS; i++) {
			if (isFree() && tryLock()) {
				return;
			}
			Thread.onSpinWait();
		}
		for (int i = 0; i < YIELDS; i++) {
			if (isFree() && tryLock()) {
				return;
			}
			Thread.yield();
		}
		long sleep = MIN_SLEEP;
		while (!(isFree() && tryLock())) {
			LockSupport.parkNanos(this, sleep);
			sleep = Math.min(MAX_SLEEP, sleep * 2);
		}
	}

	private boolean isFree() {
		return !(boolean) TAKEN.getOpaque(this);
	}

	void unlock() {
		TAKEN.setRelease(this, false);
	}

}
