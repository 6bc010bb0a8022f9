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

package io.rdma.verbs.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.contract.ContractDevice;
import io.rdma.verbs.soft.MixedTraffic;
import lombok.extern.slf4j.Slf4j;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All operations in both directions at once, between the software device and the kernel's
 * Soft-RoCE, through a link on which packets do not arrive as they left: the queueing
 * discipline {@code netem} of the kernel sees to that, at both ends.
 */
@Slf4j
@Tag("device")
@EnabledIfSystemProperty(named = KernelLink.PROPERTY, matches = ".+")
// what hangs is noticed by the traffic itself
@Timeout(value = 1, unit = TimeUnit.HOURS)
class KernelTrafficTests {

	/** How many megabytes go through each test. */
	private static final long MEGABYTES = Long.getLong("rdma.test.traffic", 200);

	private static final KernelLink LINK = KernelLink.IPV4_WIDE;

	@BeforeAll
	static void warmUp() {
		LINK.warmUp();
	}

	@ParameterizedTest
	@CsvSource({ "loss 0.1%", "loss 1%", "loss 5%", "duplicate 1%", "delay 1ms reorder 1%", "corrupt 1%" })
	void whenPacketsDoNotArriveAsTheyLeftThenAllArrivesOnce(String impairment) throws Exception {
		impair("replace", impairment);
		ContractDevice software = LINK.software();
		ContractDevice kernel = LINK.kernel();
		try (DeviceContext left = software.open(); DeviceContext right = kernel.open()) {
			MixedTraffic.Summary summary = LINK.traffic()
				.withBytes(MEGABYTES * 1_000_000)
				.between(left, software.gidIndex(), right, kernel.gidIndex());
			logger.info("netem {}: {}", impairment, summary);
			assertThat(summary.bytes()).isGreaterThanOrEqualTo(MEGABYTES * 1_000_000);
		}
	}

	@AfterEach
	void leaveLinkAlone() throws Exception {
		impair("delete", "");
	}

	private static void impair(String verb, String impairment) throws Exception {
		List<String> command = new ArrayList<>(
				List.of("tc", "qdisc", verb, "dev", LINK.netdev(), "root", "netem", "limit", "10000"));
		if (!impairment.isEmpty()) {
			command.addAll(List.of(impairment.split(" ")));
		}
		run(command);
		command.set(command.indexOf(LINK.netdev()), LINK.kernelNetdev());
		command.addAll(0, KernelLink.ENTER);
		run(command);
	}

	private static void run(List<String> command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
	}

}
