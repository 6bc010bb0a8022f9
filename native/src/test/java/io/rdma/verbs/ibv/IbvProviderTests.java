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
import java.util.List;

import io.rdma.verbs.AtomicCapability;
import io.rdma.verbs.DeviceAttributes;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.Errno;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import io.rdma.verbs.LinkLayer;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.PortAttributes;
import io.rdma.verbs.PortState;
import io.rdma.verbs.TransportType;
import io.rdma.verbs.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link IbvProvider} on the stand-in.
 */
@EnabledIf("io.rdma.verbs.ibv.Standin#isBuilt")
class IbvProviderTests {

	private final IbvProvider provider = Standin.provider();

	@Test
	void shouldBeAvailable() {
		assertThat(this.provider.unavailabilityCause()).isNull();
		assertThat(this.provider.name()).isEqualTo("verbs");
	}

	@Test
	void shouldListDevices() {
		assertThat(this.provider.devices()).containsExactlyInAnyOrder(
				new DeviceInfo("standin0", 0xa1b2c3d4e5f60708L, TransportType.INFINIBAND, null, -1),
				new DeviceInfo("closed0", 0xa1b2c3d4e5f60709L, TransportType.INFINIBAND, null, -1),
				new DeviceInfo("efa0", 0xa1b2c3d4e5f6070aL, TransportType.OTHER, null, -1),
				new DeviceInfo("odd0", 0xa1b2c3d4e5f6070bL, TransportType.OTHER, null, -1));
	}

	@Test
	void shouldTellNetdevAndNumaNode(@TempDir Path sys) throws IOException {
		Path device = Files.createDirectories(sys.resolve("standin0"));
		write(device.resolve("ports/1/gid_attrs/ndevs/0"), "eth7\n");
		write(device.resolve("device/numa_node"), "1\n");
		IbvProvider withSysfs = new IbvProvider(Standin.settings(), new Sysfs(sys), sys);
		assertThat(withSysfs.devices())
			.contains(new DeviceInfo("standin0", 0xa1b2c3d4e5f60708L, TransportType.INFINIBAND, "eth7", 1));
	}

	@Test
	void whenNoDeviceHasTheNameThenTheOthersAreNamed() {
		assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> this.provider.open("mlx5_0"))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.ENODEV))
			.withMessageContaining("There is no device mlx5_0; there are closed0, efa0, odd0, standin0");
	}

	@Test
	void whenTheKernelHasADeviceWithNoProviderThenTheRemedyIsNamed(@TempDir Path sys) throws IOException {
		Files.createDirectories(sys.resolve("infiniband/mlx5_0"));
		write(sys.resolve("infiniband_verbs/uverbs0/ibdev"), "mlx5_0\n");
		write(sys.resolve("dev/uverbs0"), "");
		IbvProvider withSysfs = new IbvProvider(Standin.settings(), new Sysfs(sys.resolve("infiniband")),
				sys.resolve("dev"));
		assertThat(withSysfs.isDevicePresent()).isTrue();
		assertThat(withSysfs.unusableDevices()).containsOnlyKeys("mlx5_0");
		assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> withSysfs.open("mlx5_0"))
			.withMessageContaining("no provider library")
			.withMessageContaining("ibverbs-providers");
	}

	@Test
	void whenTheKernelHasADeviceWithNoNodeThenThatIsTold(@TempDir Path sys) throws IOException {
		Files.createDirectories(sys.resolve("infiniband/mlx5_0"));
		IbvProvider withSysfs = new IbvProvider(Standin.settings(), new Sysfs(sys.resolve("infiniband")),
				sys.resolve("dev"));
		assertThat(withSysfs.unusableDevices().get("mlx5_0")).contains("no device node", "ib_uverbs");
		write(sys.resolve("infiniband_verbs/uverbs0/ibdev"), "mlx5_0\n");
		assertThat(withSysfs.unusableDevices().get("mlx5_0"))
			.contains("its device node " + sys.resolve("dev/uverbs0") + " does not exist", "--device");
	}

	@Test
	void whenTheNodeIsMissingThenItIsNamed(@TempDir Path dev) {
		IbvProvider withNodes = new IbvProvider(Standin.settings(), new Sysfs(), dev);
		assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> withNodes.open("closed0"))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EACCES))
			.withMessageContaining(dev.resolve("uverbs1") + " does not exist")
			.withMessageContaining("--device");
	}

	@Test
	void shouldDescribeDeviceAndPort() {
		try (DeviceContext context = Standin.open()) {
			DeviceAttributes attributes = context.queryDevice();
			assertThat(attributes.firmwareVersion()).isEqualTo("stand-in 1");
			assertThat(attributes.nodeGuid()).isEqualTo(0xa1b2c3d4e5f60708L);
			assertThat(attributes.atomicCapability()).isEqualTo(AtomicCapability.HCA);
			assertThat(attributes.maxInlineData()).isEqualTo(256);
			assertThat(attributes.physicalPorts()).isEqualTo(1);
			assertThat(context.queryPort(1)).isEqualTo(new PortAttributes(PortState.ACTIVE, PathMtu.MTU_4096,
					PathMtu.MTU_1024, 4, 1L << 31, 1, 0, LinkLayer.ETHERNET));
			assertThat(context.queryGidTable(1))
				.isEqualTo(List.of(new GidEntry(0, new Gid(0xfe80L << 48, 1), GidType.ROCE_V1, null),
						new GidEntry(3, new Gid(0, 0xffff0a090001L), GidType.ROCE_V2, "lo")));
			assertThat(context.queryCounters(1)).isEmpty();
		}
	}

	@Test
	void whenThereIsNoSuchPortThenEinval() {
		try (DeviceContext context = Standin.open()) {
			for (int port : new int[] { 0, 2, 256, -1 }) {
				assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> context.queryPort(port))
					.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EINVAL));
			}
		}
	}

	@Test
	void whenAPortTellsUnknownNumbersThenItIsDescribedWithTheNearest() {
		try (DeviceContext context = Standin.open()) {
			PortAttributes port = context.queryPort(99);
			assertThat(port.state()).isEqualTo(PortState.DOWN);
			assertThat(port.maxMtu()).isEqualTo(PathMtu.MTU_4096);
			assertThat(port.activeMtu()).isEqualTo(PathMtu.MTU_256);
		}
	}

	private static void write(Path file, String text) throws IOException {
		Path directory = file.getParent();
		assertThat(directory).isNotNull();
		Files.createDirectories(directory);
		Files.writeString(file, text);
	}

}
