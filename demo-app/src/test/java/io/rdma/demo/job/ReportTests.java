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

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Report}.
 */
class ReportTests {

	@Test
	void shouldPrintATable() {
		Report report = new Report();
		report.addTransfer("WRITE file", 16, 128_651_445, 100_000_000);
		Histogram latencies = new Histogram(3);
		for (int i = 0; i < 98; i++) {
			latencies.recordValue(1_500);
		}
		latencies.recordValue(9_000);
		latencies.recordValue(9_000);
		report.addOperation("SEND 64 B", 64, latencies, 1_000_000);
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		report.print(new PrintStream(bytes, true, StandardCharsets.US_ASCII));
		assertThat(bytes.toString(StandardCharsets.US_ASCII).replace(System.lineSeparator(), "\n")).isEqualTo("""
				  operation           calls      bytes           rate        p50        p99
				  ---------------- -------- ---------- -------------- ---------- ----------
				  WRITE file             16   128.7 MB       1.3 GB/s          -          -
				  SEND 64 B             100     6.4 kB   100,000 op/s     1.5 us     9.0 us
				""");
	}

}
