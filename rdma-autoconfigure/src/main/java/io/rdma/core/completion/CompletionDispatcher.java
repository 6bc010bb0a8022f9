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

package io.rdma.core.completion;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.WorkCompletion;
import io.rdma.verbs.WorkCompletions;
import lombok.extern.slf4j.Slf4j;
import org.agrona.collections.Int2ObjectHashMap;

import org.springframework.util.Assert;

/**
 * Gives each completion to the queue pair that it belongs to. One for each device
 * context, since queue pair numbers are unique on one device only. Thread-safe; the
 * lookup takes no lock and allocates nothing.
 */
@Slf4j
public final class CompletionDispatcher {

	private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);

	private final Object modification = new Object();

	/** Never changed once it is visible here. */
	private volatile Int2ObjectHashMap<CompletionSink> sinks = new Int2ObjectHashMap<>();

	private final LongAdder[] completions = new LongAdder[CompletionStatus.values().length];

	private final LongAdder strays = new LongAdder();

	private final LongAdder failures = new LongAdder();

	private final ReportLimiter strayReports = new ReportLimiter(REPORT_INTERVAL);

	private final ReportLimiter failureReports = new ReportLimiter(REPORT_INTERVAL);

	CompletionDispatcher() {
		Arrays.setAll(this.completions, (status) -> new LongAdder());
	}

	/**
	 * Register the sink of a queue pair, before anything is posted to it.
	 * @param qpNumber the number of the local queue pair
	 * @param sink takes its completions
	 * @throws IllegalStateException if another one is registered for the number
	 */
	public void register(int qpNumber, CompletionSink sink) {
		Assert.notNull(sink, "'sink' must not be null");
		synchronized (this.modification) {
			Int2ObjectHashMap<CompletionSink> changed = new Int2ObjectHashMap<>(this.sinks);
			CompletionSink other = changed.put(qpNumber, sink);
			Assert.state(other == null || other == sink,
					() -> "Queue pair 0x%06x is registered already; unregister it ".formatted(qpNumber)
							+ "when it is destroyed");
			this.sinks = changed;
		}
	}

	/**
	 * Remove the sink of a queue pair, after it was drained. A call of the sink that has
	 * begun on another thread may end after this returns. Removing what is not registered
	 * does nothing.
	 * @param qpNumber the number of the local queue pair
	 * @param sink the sink that was registered
	 */
	public void unregister(int qpNumber, CompletionSink sink) {
		synchronized (this.modification) {
			if (this.sinks.get(qpNumber) == sink) {
				Int2ObjectHashMap<CompletionSink> changed = new Int2ObjectHashMap<>(this.sinks);
				changed.remove(qpNumber);
				this.sinks = changed;
			}
		}
	}

	/**
	 * Hand out the completions of a batch. Throws nothing.
	 * @param batch what a poll brought
	 */
	void dispatch(WorkCompletions batch) {
		Int2ObjectHashMap<CompletionSink> current = this.sinks;
		int size = batch.size();
		for (int i = 0; i < size; i++) {
			WorkCompletion completion = batch.get(i);
			this.completions[completion.status().ordinal()].increment();
			CompletionSink sink = current.get(completion.qpNumber());
			try {
				if (sink == null || !sink.completed(completion)) {
					stray(completion, sink != null);
				}
			}
			catch (Throwable ex) {
				failed(completion, ex);
			}
		}
	}

	private void stray(WorkCompletion completion, boolean knownQueuePair) {
		this.strays.increment();
		long suppressed = this.strayReports.permit();
		if (suppressed >= 0) {
			logger.warn(
					"A completion belongs to nothing that is outstanding: {} of queue pair 0x{} ({}), status {}; {} more "
							+ "since the last report. It was dropped",
					WorkRequestId.describe(completion.wrId()), "%06x".formatted(completion.qpNumber()),
					knownQueuePair ? "known" : "unknown", completion.status(), suppressed);
		}
	}

	private void failed(WorkCompletion completion, Throwable cause) {
		this.failures.increment();
		long suppressed = this.failureReports.permit();
		if (suppressed >= 0) {
			Reports.quietly(() -> logger.error(
					"The receiver of a completion failed: {} of queue pair 0x{}, status {}; {} more since the last "
							+ "report. Other completions are not affected",
					WorkRequestId.describe(completion.wrId()), "%06x".formatted(completion.qpNumber()),
					completion.status(), suppressed, cause));
		}
	}

	Map<CompletionStatus, Long> completions() {
		Map<CompletionStatus, Long> counts = new EnumMap<>(CompletionStatus.class);
		for (CompletionStatus status : CompletionStatus.values()) {
			counts.put(status, this.completions[status.ordinal()].sum());
		}
		return counts;
	}

	long strays() {
		return this.strays.sum();
	}

	long failures() {
		return this.failures.sum();
	}

}
