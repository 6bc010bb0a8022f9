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

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceCounter;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.soft.net.Impairment;
import lombok.extern.slf4j.Slf4j;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the wire when packets do not arrive as they left. Profile {@code soak} runs
 * this class with more.
 */
@Slf4j
// what hangs is noticed by the traffic itself
@Timeout(value = 2, unit = TimeUnit.HOURS)
class LossyWireTests {

	private static final long SEED = Long.getLong("rdma.test.seed", 1);

	/** How many megabytes go through the main test. */
	private static final long MEGABYTES = Long.getLong("rdma.test.traffic", 500);

	@Test
	void whenPacketsAreLostAndOvertakenThenAllArrivesOnce() {
		assertAllArrives(builder(0.01, 0, 0.01, 0), PathMtu.MTU_4096, MEGABYTES);
	}

	@ParameterizedTest
	@CsvSource({ "0.05, 0, 0, 0", "0, 0.05, 0, 0", "0, 0, 0.05, 0", "0, 0, 0, 0.05", "0.02, 0.02, 0.02, 0.02" })
	void whenMuchGoesWrongThenAllArrivesOnce(double loss, double duplication, double reordering, double corruption) {
		assertAllArrives(builder(loss, duplication, reordering, corruption), PathMtu.MTU_1024, 4);
	}

	@Test
	void whenThereIsNoNativeSocketThenAllArrivesOnce() {
		assertAllArrives(builder(0.01, 0.01, 0.01, 0.01).nativeSockets(false), PathMtu.MTU_4096, 4);
	}

	@Test
	void whenAddressIsOfIpv6ThenAllArrivesOnce() throws UnknownHostException {
		InetAddress loopback = Inet6Address.getByName("::1");
		assertAllArrives(builder(0.01, 0.01, 0.01, 0.01).address(loopback), PathMtu.MTU_256, 4);
	}

	private static SoftProvider.Builder builder(double loss, double duplication, double reordering, double corruption) {
		return SoftProvider.builder()
			.paths(EnumSet.of(PathKind.WIRE))
			.impairment(Impairment.random(SEED, loss, duplication, reordering, corruption));
	}

	private static void assertAllArrives(SoftProvider.Builder builder, PathMtu pathMtu, long megabytes) {
		SoftProvider provider = builder.build();
		try (DeviceContext left = provider.open(SoftProvider.DEVICE_NAME);
				DeviceContext right = provider.open(SoftProvider.DEVICE_NAME)) {
			MixedTraffic traffic = MixedTraffic.defaults()
				.withPathMtu(pathMtu)
				.withBytes(megabytes * 1_000_000)
				.withSeed(SEED);
			MixedTraffic.Summary summary = traffic.between(left, right);
			logger.info("{}; packets of one side: {}; of the other: {}", summary, counts(left), counts(right));
			assertThat(summary.bytes()).isGreaterThanOrEqualTo(traffic.bytes());
		}
	}

	private static String counts(DeviceContext context) {
		return context.counters()
			.stream()
			.filter((counter) -> counter.value().getAsLong() > 0)
			.map(LossyWireTests::count)
			.collect(Collectors.joining(", "));
	}

	private static String count(DeviceCounter counter) {
		String name = counter.name().replace("packets.", "");
		return counter.value().getAsLong() + " " + name + ((counter.reason() != null) ? ": " + counter.reason() : "");
	}

}
