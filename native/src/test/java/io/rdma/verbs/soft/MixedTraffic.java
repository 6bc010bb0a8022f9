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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.PathMtu;
import lombok.With;

/**
 * Traffic of all operations at once, in both directions of one connection, of which every
 * byte is checked: what is written is read back and compared, what is sent is compared by
 * the receiver, and each atomic operation must find what the one before it left. There
 * are more messages than receives, so that a receiver is not ready now and then. It ends
 * with an error if anything is wrong, missing, too much or out of order, or if nothing
 * happens for as long as the system property {@code rdma.test.patience} says, in seconds.
 *
 * @param pathMtu the path MTU
 * @param timeout the acknowledgement timeout, as of a queue pair
 * @param bytes how much is moved in both directions together, headers not counted
 * @param seed what all choices follow from
 */
@With
public record MixedTraffic(PathMtu pathMtu, int timeout, boolean fences, long bytes, long seed) {

	/**
	 * Return traffic of 1 MB with the usual options.
	 * @return the traffic
	 */
	public static MixedTraffic defaults() {
		return new MixedTraffic(PathMtu.MTU_4096, 14, true, 1_000_000, 1);
	}

	/**
	 * Run the traffic between GIDs of index 1.
	 * @param left one device
	 * @param right the other device, which may be the same
	 * @return what was done
	 */
	public Summary between(DeviceContext left, DeviceContext right) {
		return between(left, 1, right, 1);
	}

	/**
	 * Run the traffic.
	 * @param left one device
	 * @param leftGid the index of its GID
	 * @param right the other device, which may be the same
	 * @param rightGid the index of its GID
	 * @return what was done
	 */
	public Summary between(DeviceContext left, int leftGid, DeviceContext right, int rightGid) {
		// the sequence numbers of both ends go around the end of their range
		try (TrafficEnd first = new TrafficEnd(this, left, leftGid, this.seed, -this.seed, 0xff_ff00);
				TrafficEnd second = new TrafficEnd(this, right, rightGid, -this.seed, this.seed, 0xff_fffe)) {
			first.connectTo(second);
			second.connectTo(first);
			long start = System.nanoTime();
			runBoth(first, second);
			Duration took = Duration.ofNanos(System.nanoTime() - start);
			first.checkCounters();
			second.checkCounters();
			return new Summary(first.bytes() + second.bytes(), first.done() + second.done(),
					first.atomics() + second.atomics(), took);
		}
	}

	private static void runBoth(TrafficEnd first, TrafficEnd second) {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> run(second, failure),
				(task) -> new Thread(task, "traffic").start());
		run(first, failure);
		other.join();
		Throwable cause = failure.get();
		if (cause != null) {
			throw new AssertionError(cause.getMessage(), cause);
		}
	}

	private static void run(TrafficEnd end, AtomicReference<Throwable> failure) {
		try {
			end.run(() -> failure.get() != null);
		}
		catch (RuntimeException | Error ex) {
			failure.compareAndSet(null, ex);
		}
	}

	/**
	 * What was done.
	 *
	 * @param bytes how much was moved
	 * @param steps how many steps there were, of one or two requests each
	 * @param atomics how many of them were atomic operations
	 * @param took how long it took
	 */
	public record Summary(long bytes, long steps, long atomics, Duration took) {

		@Override
		public String toString() {
			return "%d MB in %d steps, %d of them atomic, in %.1f s".formatted(this.bytes / 1_000_000, this.steps,
					this.atomics, this.took.toMillis() / 1000.0);
		}

	}

}
