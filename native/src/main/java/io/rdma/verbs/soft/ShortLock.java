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
