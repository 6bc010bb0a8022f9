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

package io.rdma.actuate;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.sun.management.ThreadMXBean;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rdma.core.connection.OperationKind;
import io.rdma.core.connection.OperationMetrics;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MicrometerOperationMetrics}.
 */
class MicrometerOperationMetricsTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerOperationMetrics metrics = new MicrometerOperationMetrics(this.registry,
			List.of("storage"));

	@Test
	void countsAndTimesByPeerKindAndOutcome() {
		this.metrics.recorded("storage", OperationKind.WRITE, OperationMetrics.SUCCESS, 4096, 2000);
		this.metrics.recorded("storage", OperationKind.WRITE, OperationMetrics.SUCCESS, 1024, 3000);
		this.metrics.recorded("storage", OperationKind.WRITE, OperationMetrics.TIMEOUT, 0, 5_000_000_000L);
		this.metrics.recorded("storage", OperationKind.FETCH_AND_ADD, OperationMetrics.REJECTED, 0, 10);
		this.metrics.recorded("backup", OperationKind.WRITE, OperationMetrics.ERROR, 0, 10);
		Timer writes = timer("storage", "write", "success");
		assertThat(writes.count()).isEqualTo(2);
		assertThat(writes.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(5000);
		assertThat(timer("storage", "write", "timeout").count()).isEqualTo(1);
		assertThat(timer("storage", "fetch-and-add", "rejected").count()).isEqualTo(1);
		assertThat(timer("backup", "write", "error").count()).isEqualTo(1);
		assertThat(
				this.registry.get("rdma.operations.bytes").tags("peer", "storage", "kind", "write").counter().count())
			.isEqualTo(5120);
	}

	@Test
	void tagsAreBounded() {
		for (int i = 0; i < 1000; i++) {
			this.metrics.recorded("inbound-" + i, OperationKind.SEND, OperationMetrics.SUCCESS, 1, 1);
		}
		this.metrics.recorded("storage", OperationKind.SEND, OperationMetrics.SUCCESS, 1, 1);
		assertThat(this.registry.find("rdma.operations").timers()).hasSize(102);
		assertThat(timer("other", "send", "success").count()).isEqualTo(900);
		assertThat(timer("storage", "send", "success").count()).isEqualTo(1);
	}

	@Test
	void recordingAllocatesNothing() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		record(100_000);
		long before = threads.getCurrentThreadAllocatedBytes();
		record(100_000);
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
	}

	private void record(int count) {
		for (int i = 0; i < count; i++) {
			this.metrics.recorded("storage", OperationKind.WRITE, OperationMetrics.SUCCESS, 64, 100);
		}
	}

	@Test
	void closingRemovesTheMeters() {
		this.metrics.recorded("storage", OperationKind.SEND, OperationMetrics.SUCCESS, 1, 1);
		this.metrics.close();
		this.metrics.recorded("storage", OperationKind.SEND, OperationMetrics.SUCCESS, 1, 1);
		assertThat(this.registry.getMeters()).isEmpty();
	}

	private Timer timer(String peer, String kind, String outcome) {
		return this.registry.get("rdma.operations").tags("peer", peer, "kind", kind, "outcome", outcome).timer();
	}

}
