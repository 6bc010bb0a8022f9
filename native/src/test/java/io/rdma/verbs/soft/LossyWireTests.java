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
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceCounter;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.soft.net.Impairment;
import lombok.extern.slf4j.Slf4j;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the wire when packets do not arrive as they left. Profile {@code soak} runs
 * this class with more.
 */
@Slf4j
// what hangs is noticed by the traffic itself
@Timeout(value = 2, unit = TimeUnit.HOURS)
class LossyWireTests {

	/** How many megabytes go through the main test. */
	private static final long MEGABYTES = Long.getLong("rdma.test.traffic", 500);

	@Test
	void whenPacketsAreLostAndOvertakenThenAllArrivesOnce() {
		assertAllArrives(Impairment.random(1, 0.01, 0, 0.01, 0), MEGABYTES);
	}

	private static void assertAllArrives(Impairment impairment, long megabytes) {
		SoftProvider provider = SoftProvider.builder().paths(EnumSet.of(PathKind.WIRE)).impairment(impairment).build();
		try (DeviceContext left = provider.open(SoftProvider.DEVICE_NAME);
				DeviceContext right = provider.open(SoftProvider.DEVICE_NAME)) {
			MixedTraffic.Summary summary = MixedTraffic.defaults()
				.withBytes(megabytes * 1_000_000)
				.between(left, right);
			logger.info("{}; left: {}; right: {}", summary, counters(left), counters(right));
			assertThat(summary.took()).isPositive();
		}
	}

	private static String counters(DeviceContext context) {
		StringBuilder text = new StringBuilder();
		for (DeviceCounter counter : context.counters()) {
			long value = counter.value().getAsLong();
			if (value > 0) {
				text.append(counter.name()).append((counter.reason() != null) ? "." + counter.reason() : "").append('=').append(value).append(' ');
			}
		}
		return text.toString();
	}

}
