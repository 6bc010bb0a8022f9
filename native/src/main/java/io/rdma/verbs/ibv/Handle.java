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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A pointer to something native that one thread can close while others use it. Using it
 * takes two plain stores, with no atomic instruction and no allocation:
 *
 * <ol>
 * <li>The user stores into a field of its own thread which cell it uses, then calls. The
 * native side loads the pointer from the cell, and does nothing if there is none any
 * more.</li>
 * <li>Whoever closes empties the cell, makes every running thread execute a memory
 * barrier, and then waits until no thread says that it uses the cell. A thread that said
 * so before the barrier is seen; one that says so after it finds the cell empty.</li>
 * </ol>
 *
 * The native call keeps the compiler from moving the store behind the load. Where the
 * kernel has no such barrier (before Linux 4.14), each use executes one itself.
 *
 * <p>
 * A resource is given its handle before it becomes a child of others: making one takes
 * memory outside the heap, and a child that could not be finished would keep its parents
 * open for ever.
 */
final class Handle {

	private static final ThreadLocal<Use> USES = ThreadLocal.withInitial(Handle::newUse);

	private static final List<WeakReference<Use>> ALL_USES = new ArrayList<>();

	private static final int MIN_PRUNE_AT = 64;

	private static int pruneAt = MIN_PRUNE_AT;

	private static final VarHandle CELL_VALUE = MethodHandles.byteBufferViewVarHandle(long[].class,
			ByteOrder.nativeOrder());

	private static final boolean KERNEL_BARRIER = (Native.registerBarrier() == 0);

	private final ByteBuffer memory = ByteBuffer.allocateDirect(Long.BYTES);

	private final long cell = Native.addressOf(this.memory);

	/**
	 * Set the pointer. Called once.
	 * @param pointer the pointer
	 */
	void set(long pointer) {
		CELL_VALUE.setVolatile(this.memory, 0, pointer);
	}

	/**
	 * Return the pointer, for whoever knows that it is not being closed.
	 * @return the pointer, 0 if there is none
	 */
	long pointer() {
		return (long) CELL_VALUE.getVolatile(this.memory, 0);
	}

	/**
	 * Return the address of the cell that holds the pointer.
	 * @return the address, to be passed to a native function between {@link #use()} and
	 * {@link Use#end()}
	 */
	long cell() {
		return this.cell;
	}

	/**
	 * Say that the calling thread uses the pointer, until it {@linkplain Use#end() ends}
	 * that. Not to be nested.
	 * @return what ends it
	 */
	Use use() {
		Use use = USES.get();
		use.begin(this.cell);
		if (!KERNEL_BARRIER) {
			VarHandle.fullFence();
		}
		return use;
	}

	/**
	 * Take the pointer out and wait until no thread uses it any more.
	 * @param wakeup called again and again while a thread does, {@code null} if uses end
	 * by themselves
	 * @return the pointer, 0 if there was none
	 */
	long close(@Nullable Runnable wakeup) {
		long pointer = (long) CELL_VALUE.getAndSet(this.memory, 0, 0L);
		if (pointer == 0) {
			return 0;
		}
		if (KERNEL_BARRIER) {
			int failed = Native.barrier();
			if (failed != 0) {
				throw new IllegalStateException("The kernel refused a memory barrier that it had granted: " + failed);
			}
		}
		VarHandle.fullFence();
		for (Use use : uses()) {
			while (use.isOf(this.cell)) {
				if (wakeup != null) {
					wakeup.run();
				}
				LockSupport.parkNanos(10_000);
			}
		}
		return pointer;
	}

	private static Use newUse() {
		Use use = new Use();
		synchronized (ALL_USES) {
			if (ALL_USES.size() >= pruneAt) {
				ALL_USES.removeIf((reference) -> reference.get() == null);
				pruneAt = Math.max(MIN_PRUNE_AT, 2 * ALL_USES.size());
			}
			ALL_USES.add(new WeakReference<>(use));
		}
		return use;
	}

	private static List<Use> uses() {
		List<Use> uses = new ArrayList<>();
		synchronized (ALL_USES) {
			for (WeakReference<Use> reference : ALL_USES) {
				Use use = reference.get();
				if (use != null) {
					uses.add(use);
				}
			}
		}
		return uses;
	}

	/**
	 * Which cell a thread uses now.
	 */
	static final class Use {

		private static final VarHandle CELL;

		static {
			try {
				CELL = MethodHandles.lookup().findVarHandle(Use.class, "current", long.class);
			}
			catch (ReflectiveOperationException ex) {
				throw new ExceptionInInitializerError(ex);
			}
		}

		@SuppressWarnings("UnusedVariable")
		private long current;

		private void begin(long cell) {
			CELL.setOpaque(this, cell);
		}

		/**
		 * Say that the use is over.
		 */
		void end() {
			CELL.setRelease(this, 0L);
		}

		private boolean isOf(long cell) {
			return (long) CELL.getAcquire(this) == cell;
		}

	}

}
