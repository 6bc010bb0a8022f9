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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;

import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Gid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no order of calls, from any number of threads, does more than throw.
 */
class RandomUseTests {

	private static final Gid ADDRESS = new Gid(0, 0xffff0a090001L);

	@Test
	@EnabledIf("io.rdma.verbs.ibv.Standin#isBuilt")
	@DisabledIfSystemProperty(named = IbvContractTests.DEVICE_PROPERTY, matches = ".+",
			disabledReason = "the process uses the device of libibverbs")
	void whenTheStandInIsUsedAtRandomThenNothingIsUsedAfterItsEnd() throws Exception {
		try (DeviceContext context = Standin.open()) {
			int objects = Standin.objects(context);
			RandomUse use = new RandomUse(context, ADDRESS);
			use.run(4, 100_000, 17, Duration.ofSeconds(100));
			assertAllCallsWereMade(use, 100_000);
			assertThat(Standin.violations(context)).isZero();
			assertThat(Standin.objects(context)).isEqualTo(objects);
		}
	}

	@Test
	@Tag("device")
	@EnabledIfSystemProperty(named = IbvContractTests.DEVICE_PROPERTY, matches = ".+")
	void whenTheDeviceIsUsedAtRandomThenNoHandleIsLeft() throws Exception {
		String device = System.getProperty(IbvContractTests.DEVICE_PROPERTY, "");
		String before = resources();
		try (DeviceContext context = new IbvProvider().open(device)) {
			RandomUse use = new RandomUse(context, ADDRESS);
			use.run(8, 100_000, 17, Duration.ofMinutes(10));
			assertAllCallsWereMade(use, 100_000);
		}
		assertThat(resources()).isEqualTo(before);
		assertThat(before).contains(device);
	}

	private static void assertAllCallsWereMade(RandomUse use, int calls) {
		long sum = 0;
		for (RandomUse.Call call : RandomUse.Call.values()) {
			assertThat(use.taken(call)).as("%s, taken", call).isPositive();
			sum += use.taken(call) + use.refused(call);
		}
		assertThat(sum).isEqualTo(calls);
		for (RandomUse.Call call : EnumSet.of(RandomUse.Call.CREATE_QUEUE, RandomUse.Call.CREATE_PAIR,
				RandomUse.Call.MODIFY, RandomUse.Call.POST_SEND, RandomUse.Call.POST_RECEIVE, RandomUse.Call.BIND,
				RandomUse.Call.CLOSE)) {
			assertThat(use.refused(call)).as("%s, refused", call).isPositive();
		}
	}

	/**
	 * What the kernel counts: protection domains, queues, queue pairs, regions, contexts.
	 */
	private static String resources() throws Exception {
		Process process = new ProcessBuilder("rdma", "resource", "show").redirectErrorStream(true).start();
		String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(text).isZero();
		return text;
	}

}
