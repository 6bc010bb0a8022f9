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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.MemoryOptions;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for regions in huge pages, where some are reserved: the virtual machine does so.
 */
@Tag("device")
@EnabledIfSystemProperty(named = IbvContractTests.DEVICE_PROPERTY, matches = ".+")
class HugePageTests {

	private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

	private static final long HUGE_PAGE = 2L << 20;

	@Test
	void shouldTakeReservedPagesAndGiveThemBack() throws IOException {
		long before = freePages();
		assertThat(before).as("reserved huge pages").isGreaterThanOrEqualTo(4);
		try (DeviceContext context = new IbvProvider().open(System.getProperty(IbvContractTests.DEVICE_PROPERTY, ""));
				ProtectionDomain domain = context.allocateProtectionDomain()) {
			MemoryRegion region = domain.allocateMemory(2 * HUGE_PAGE + 1, ACCESS, new MemoryOptions(true, false));
			assertThat(region.address() % HUGE_PAGE).isZero();
			region.putLongRelease(2 * HUGE_PAGE - 8, 42);
			assertThat(region.getLongAcquire(2 * HUGE_PAGE - 8)).isEqualTo(42);
			// registration has pinned all three
			assertThat(freePages()).isEqualTo(before - 3);
			region.close();
			assertThat(freePages()).isEqualTo(before);
		}
	}

	private static long freePages() throws IOException {
		return Files.readAllLines(Path.of("/proc/meminfo"))
			.stream()
			.filter((line) -> line.startsWith("HugePages_Free:"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")))
			.findFirst()
			.orElseThrow();
	}

}
