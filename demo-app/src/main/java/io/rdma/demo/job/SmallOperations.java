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

package io.rdma.demo.job;

import java.nio.ByteBuffer;
import java.util.function.IntConsumer;

import io.rdma.demo.atomic.Counters;
import io.rdma.demo.blob.BlobSpace;
import io.rdma.demo.message.Messenger;
import lombok.RequiredArgsConstructor;
import org.HdrHistogram.Histogram;

import org.springframework.util.Assert;

/**
 * Repeats small operations one after the other, measures each, and checks that all of
 * them did their work.
 */
@RequiredArgsConstructor
final class SmallOperations {

	/**
	 * How many bytes a small operation moves, and how many the space must have.
	 */
	static final int SIZE = 64;

	private final BlobSpace space;

	private final Counters counters;

	private final Messenger messenger;

	private final int warmUp;

	private final int iterations;

	/**
	 * Do all of them.
	 * @param report gets a row for each
	 */
	void run(Report report) {
		writeAndRead(report);
		fetchAndAdd(report);
		compareAndSwap(report);
		send(report);
	}

	private void writeAndRead(Report report) {
		ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
		measure(report, "WRITE 64 B", SIZE, (i) -> this.space.write(0, buffer.clear().putLong(0, i)));
		buffer.putLong(0, -1);
		measure(report, "READ 64 B", SIZE, (i) -> this.space.read(0, buffer.clear()));
		check("the last value written", total() - 1, buffer.getLong(0));
	}

	private void fetchAndAdd(Report report) {
		long counter = this.counters.size() - 1;
		long before = this.counters.get(counter);
		measure(report, "FETCH_AND_ADD", Long.BYTES, (i) -> this.counters.add(counter, 1));
		check("counter " + counter, before + total(), this.counters.add(counter, -total()));
	}

	private void compareAndSwap(Report report) {
		long counter = this.counters.size() - 2;
		long before = this.counters.get(counter);
		measure(report, "COMPARE_AND_SWAP", Long.BYTES,
				(i) -> Assert.state(this.counters.compareAndSet(counter, before + i, before + i + 1),
						"Somebody else changed the counter"));
		check("counter " + counter, before + total(), this.counters.add(counter, -total()));
	}

	private void send(Report report) {
		String text = "ping".repeat(SIZE / 4);
		long before = this.messenger.ask("How many messages came?");
		measure(report, "SEND 64 B", SIZE, (i) -> this.messenger.send(text));
		long after = this.messenger.ask("And now?");
		check("the number of messages that the listener got", total(), after - before - 1);
	}

	private void measure(Report report, String name, long bytesEach, IntConsumer operation) {
		for (int i = 0; i < this.warmUp; i++) {
			operation.accept(i);
		}
		Histogram latencies = new Histogram(3);
		long start = System.nanoTime();
		long before = start;
		for (int i = this.warmUp; i < total(); i++) {
			operation.accept(i);
			long after = System.nanoTime();
			latencies.recordValue(after - before);
			before = after;
		}
		report.addOperation(name, bytesEach, latencies, before - start);
	}

	private int total() {
		return this.warmUp + this.iterations;
	}

	private static void check(String what, long expected, long actual) {
		Assert.state(actual == expected, () -> "Expected " + what + " to be " + expected + ", but it is " + actual);
	}

}
