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

package io.rdma.core.memory;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.rdma.core.exception.RdmaBoundsException;
import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaMemoryRegistrationException;
import io.rdma.core.exception.UnknownRdmaRegionException;
import io.rdma.testing.TestDevice;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AtomicCapability;
import io.rdma.verbs.DeviceAttributes;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Errno;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RdmaRegions} and {@link LocalRegion}, on the software device.
 */
class RdmaRegionsTests {

	private static final Set<AccessFlag> READ = Set.of(AccessFlag.REMOTE_READ);

	private DeviceContext context;

	private ProtectionDomain protectionDomain;

	@BeforeEach
	void open() {
		this.context = TestDevice.open();
		this.protectionDomain = this.context.allocateProtectionDomain();
	}

	@AfterEach
	void close() {
		this.protectionDomain.close();
		this.context.close();
	}

	private RdmaRegions register(String name, long size, Set<AccessFlag> access) {
		return RdmaRegions.register(this.protectionDomain, Map.of(name, new RegionDefinition(size, access)));
	}

	@Test
	void whenRegionsAreDefinedThenTheyAreRegisteredInOrder() {
		Map<String, RegionDefinition> definitions = new LinkedHashMap<>();
		definitions.put("blobs", new RegionDefinition(100_001, READ));
		definitions.put("a", new RegionDefinition(1, READ));
		try (RdmaRegions regions = RdmaRegions.register(this.protectionDomain, definitions)) {
			assertThat(regions.all()).extracting(LocalRegion::name).containsExactly("blobs", "a");
			LocalRegion blobs = regions.get("blobs");
			assertThat(blobs.size()).isEqualTo(100_001);
			assertThat(blobs.memoryRegion().isOpen()).isTrue();
			assertThat(blobs).hasToString("region 'blobs' of 100001B with [REMOTE_READ]");
		}
	}

	@Test
	void whenPeersMayWriteThenTheLocalRightIsAdded() {
		try (RdmaRegions regions = register("blobs", 8, Set.of(AccessFlag.REMOTE_WRITE))) {
			assertThat(regions.get("blobs").access()).containsExactlyInAnyOrder(AccessFlag.LOCAL_WRITE,
					AccessFlag.REMOTE_WRITE);
		}
		try (RdmaRegions regions = register("counters", 8, Set.of(AccessFlag.REMOTE_ATOMIC))) {
			assertThat(regions.get("counters").access()).containsExactlyInAnyOrder(AccessFlag.LOCAL_WRITE,
					AccessFlag.REMOTE_ATOMIC);
		}
		try (RdmaRegions regions = register("files", 8, READ)) {
			assertThat(regions.get("files").access()).containsExactly(AccessFlag.REMOTE_READ);
		}
	}

	@Test
	void whenOwnerPutsBytesThenItGetsThemAndSeesThemInAView() {
		try (RdmaRegions regions = register("blobs", 100, READ)) {
			LocalRegion region = regions.get("blobs");
			ByteBuffer source = ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8));
			region.put(95, source);
			assertThat(source.hasRemaining()).isFalse();
			ByteBuffer destination = ByteBuffer.allocate(5);
			region.get(95, destination);
			assertThat(new String(destination.array(), StandardCharsets.UTF_8)).isEqualTo("hello");
			assertThat(StandardCharsets.UTF_8.decode(region.buffer(96, 4)).toString()).isEqualTo("ello");
			assertThat(region.buffer(100, 0).hasRemaining()).isFalse();
		}
	}

	@Test
	void whenOwnerLeavesTheRegionThenItIsRefused() {
		try (RdmaRegions regions = register("blobs", 100, READ)) {
			LocalRegion region = regions.get("blobs");
			assertThatExceptionOfType(RdmaBoundsException.class).isThrownBy(() -> region.buffer(99, 2))
				.withMessageContainingAll("region 'blobs'", "2 bytes at offset 99", "100 bytes");
			assertThatExceptionOfType(RdmaBoundsException.class)
				.isThrownBy(() -> region.put(Long.MAX_VALUE, ByteBuffer.allocate(1)));
			assertThatExceptionOfType(RdmaBoundsException.class)
				.isThrownBy(() -> region.get(100, ByteBuffer.allocate(1)));
			assertThatIllegalArgumentException().isThrownBy(() -> region.buffer(-1, 1)).withMessageContaining("-1");
			assertThatIllegalArgumentException().isThrownBy(() -> region.buffer(0, -1)).withMessageContaining("-1");
		}
	}

	@Test
	void whenRegionIsNotKnownThenTheKnownOnesAreNamed() {
		try (RdmaRegions regions = register("blobs", 100, READ)) {
			assertThatExceptionOfType(UnknownRdmaRegionException.class).isThrownBy(() -> regions.get("blob"))
				.withMessageContainingAll("'blob'", "[blobs]", "rdma.regions.blob");
		}
	}

	@Test
	void whenClosedThenNothingIsRegisteredAndUseIsRefused() {
		RdmaRegions regions = register("blobs", 100, READ);
		LocalRegion region = regions.get("blobs");
		regions.close();
		regions.close();
		assertThat(region.memoryRegion().isOpen()).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> region.buffer(0, 1)).withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(() -> region.put(0, ByteBuffer.allocate(1)));
	}

	@Test
	void whenDefinitionCannotWorkThenTheSettingIsNamed() {
		assertRefused("rdma.regions.blobs.size", 0, READ);
		assertRefused("rdma.regions.blobs.size", -1, READ);
		assertRefused("rdma.regions.blobs.size", 1L << 60, READ);
		assertRefused("rdma.regions.blobs.access", 100, Set.of());
		assertRefused("rdma.regions.blobs.access", 100, Set.of(AccessFlag.LOCAL_WRITE));
	}

	private void assertRefused(String property, long size, Set<AccessFlag> access) {
		assertThatExceptionOfType(RdmaConfigurationException.class).isThrownBy(() -> register("blobs", size, access))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(property));
	}

	@Test
	void whenDeviceHasNoAtomicsThenTheSettingIsNamed() {
		DeviceAttributes limited = limited(AtomicCapability.NONE, 1L << 40);
		assertThatExceptionOfType(RdmaConfigurationException.class)
			.isThrownBy(() -> RdmaRegions.register(domainOf(limited),
					Map.of("counters", new RegionDefinition(8, Set.of(AccessFlag.REMOTE_ATOMIC)))))
			.withMessageContainingAll("rdma.regions.counters.access", TestDevice.name() + " has no atomic operations");
	}

	@Test
	void whenDeviceRegistersLessThenTheSettingIsNamed() {
		DeviceAttributes limited = limited(AtomicCapability.GLOB, 4096);
		assertThatExceptionOfType(RdmaConfigurationException.class)
			.isThrownBy(
					() -> RdmaRegions.register(domainOf(limited), Map.of("blobs", new RegionDefinition(4097, READ))))
			.withMessageContainingAll("rdma.regions.blobs.size", "4097B", "registers at most 4KB");
	}

	@Test
	void whenOneRegionCannotBeRegisteredThenNoneIs() {
		ProtectionDomain failing = mock(ProtectionDomain.class, delegatesTo(this.protectionDomain));
		willThrow(new VerbsException("ibv_reg_mr", Errno.ENOMEM, "No memory")).given(failing)
			.allocateMemory(eq(200L), any());
		Map<String, RegionDefinition> definitions = new LinkedHashMap<>();
		definitions.put("first", new RegionDefinition(100, READ));
		definitions.put("second", new RegionDefinition(200, READ));
		assertThatExceptionOfType(RdmaMemoryRegistrationException.class)
			.isThrownBy(() -> RdmaRegions.register(failing, definitions))
			.withMessageContainingAll("rdma.regions.second.size", "200B", "-XX:MaxDirectMemorySize");
		// Closing the domain afterwards shows that the first one is closed
	}

	private ProtectionDomain domainOf(DeviceAttributes attributes) {
		DeviceContext limited = mock(DeviceContext.class, delegatesTo(this.context));
		willReturn(attributes).given(limited).queryDevice();
		ProtectionDomain domain = mock(ProtectionDomain.class, delegatesTo(this.protectionDomain));
		willReturn(limited).given(domain).context();
		return domain;
	}

	private DeviceAttributes limited(AtomicCapability atomics, long maxRegion) {
		DeviceAttributes real = this.context.queryDevice();
		return new DeviceAttributes(real.firmwareVersion(), real.nodeGuid(), real.vendorId(), maxRegion,
				real.maxQueuePairs(), real.maxQueuePairWorkRequests(), real.maxScatterGather(),
				real.maxCompletionQueues(), real.maxCompletionQueueEntries(), real.maxMemoryRegions(),
				real.maxProtectionDomains(), real.maxReadAtomicAsResponder(), real.maxReadAtomicAsRequester(), atomics,
				real.maxMemoryWindows(), real.maxSharedReceiveQueues(), real.maxSharedReceiveQueueWorkRequests(),
				real.maxSharedReceiveQueueScatterGather(), real.maxInlineData(), real.physicalPorts());
	}

}
