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

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.rdma.demo.support.Bytes;
import org.HdrHistogram.Histogram;

/**
 * The table of what was done, how fast and how long it took.
 */
final class Report {

	private static final String FORMAT = "  %-16s %8s %10s %14s %10s %10s%n";

	private final List<Object[]> rows = new ArrayList<>();

	/**
	 * Add a row for bytes that were moved at once.
	 * @param operation what was done
	 * @param calls how many calls it took
	 * @param bytes how many bytes were moved
	 * @param nanos how long that took
	 */
	void addTransfer(String operation, long calls, long bytes, long nanos) {
		this.rows.add(new Object[] { operation, number(calls), Bytes.format(bytes),
				Bytes.format(bytes * 1e9 / Math.max(nanos, 1)) + "/s", "-", "-" });
	}

	/**
	 * Add a row for an operation that was repeated, each one waited for.
	 * @param operation what was done
	 * @param bytesEach how many bytes each moved
	 * @param latencies how long each took, in nanoseconds
	 * @param nanos how long all of them took
	 */
	void addOperation(String operation, long bytesEach, Histogram latencies, long nanos) {
		long count = latencies.getTotalCount();
		this.rows.add(new Object[] { operation, number(count), Bytes.format(count * bytesEach),
				number(Math.round(count * 1e9 / Math.max(nanos, 1))) + " op/s",
				micros(latencies.getValueAtPercentile(50)), micros(latencies.getValueAtPercentile(99)) });
	}

	void print(PrintStream out) {
		out.printf(FORMAT, "operation", "calls", "bytes", "rate", "p50", "p99");
		out.printf(FORMAT, "-".repeat(16), "-".repeat(8), "-".repeat(10), "-".repeat(14), "-".repeat(10),
				"-".repeat(10));
		for (Object[] row : this.rows) {
			out.printf(FORMAT, row);
		}
	}

	private static String number(long value) {
		return String.format(Locale.ROOT, "%,d", value);
	}

	private static String micros(long nanos) {
		return String.format(Locale.ROOT, "%,.1f us", nanos / 1000.0);
	}

}
