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

package io.rdma.verbs;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DeviceSelector}.
 */
class DeviceSelectorTests {

	private static final Gid LINK_LOCAL = new Gid(0xfe80L << 48, 1);

	private static final Gid IPV4 = new Gid(0, 0xffff0a090001L);

	private static final Gid OTHER_IPV4 = new Gid(0, 0xffff0a090002L);

	private static final Gid IPV6 = new Gid(0x20010db8L << 32, 1);

	private final Machine machine = new Machine();

	private long lockable = Long.MAX_VALUE;

	@Test
	void whenThereIsNoDeviceThenItSaysSo() {
		DeviceSelection selection = select(DeviceCriteria.ANY);
		assertThat(selection.chosen()).isNull();
		assertThat(selection.hasDevices()).isFalse();
		assertThat(selection.describe()).isEqualTo("No device can be used: there is none");
	}

	@Test
	void shouldTakeTheFirstWithAnActivePort() {
		this.machine.device("mlx5_0", "eth0", 1).port(PortState.DOWN, LinkLayer.ETHERNET, 0);
		this.machine.device("mlx5_1", "eth1", 2)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(3, IPV4, GidType.ROCE_V2));
		this.machine.device("mlx5_2", "eth2", 3)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(3, OTHER_IPV4, GidType.ROCE_V2));
		DeviceSelection selection = select(DeviceCriteria.ANY);
		assertThat(selection.chosen()).isEqualTo(DeviceCandidate.usable("mlx5_1", 1, gid(3, IPV4, GidType.ROCE_V2)));
		assertThat(selection.describe()).startsWith(
				"Using device mlx5_1 port 1 GID 3 10.9.0.1 RoCE v2, the first with an ACTIVE port. Looked at besides: "
						+ "mlx5_0 (its port 1 is DOWN, not ACTIVE; check the cable")
			.contains("mlx5_2 port 1 GID 3 10.9.0.2");
		assertThat(this.machine.open).isZero();
	}

	@Test
	void shouldTakeTheSecondPortWhenTheFirstIsDown() {
		this.machine.device("mlx5_0", "eth0", 1)
			.port(PortState.DOWN, LinkLayer.ETHERNET, 0)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(1, IPV4, GidType.ROCE_V2));
		assertThat(chosen(DeviceCriteria.ANY).port()).isEqualTo(2);
		assertThat(select(DeviceCriteria.ANY.withPort(1)).chosen()).isNull();
		assertThat(obstacle(DeviceCriteria.ANY.withPort(3))).contains("no port 3");
	}

	@Test
	void shouldPreferRoce2ThenIpv4ThenTheLowestIndex() {
		this.machine.device("mlx5_0", "eth0", 1)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(0, LINK_LOCAL, GidType.ROCE_V1),
					gid(1, LINK_LOCAL, GidType.ROCE_V2), gid(2, IPV4, GidType.ROCE_V1), gid(3, IPV6, GidType.ROCE_V2),
					gid(4, OTHER_IPV4, GidType.ROCE_V2), gid(5, IPV4, GidType.ROCE_V2));
		assertThat(index(DeviceCriteria.ANY)).isEqualTo(4);
	}

	@Test
	void shouldTakeTheGidOfTheAddress() throws Exception {
		this.machine.device("mlx5_0", "eth0", 1)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(2, IPV4, GidType.ROCE_V1), gid(3, IPV4, GidType.ROCE_V2),
					gid(4, OTHER_IPV4, GidType.ROCE_V2));
		DeviceCriteria address = DeviceCriteria.ANY.withAddress(InetAddress.getByName("10.9.0.2"));
		assertThat(index(address)).isEqualTo(4);
		assertThat(select(address).reason()).endsWith("and address 10.9.0.2");
		assertThat(obstacle(DeviceCriteria.ANY.withAddress(InetAddress.getByName("10.9.0.3"))))
			.contains("no GID of address 10.9.0.3, but 2 10.9.0.1 RoCE v1, 3 10.9.0.1 RoCE v2");
	}

	@Test
	void shouldTakeTheIndexThatIsGivenEvenIfItIsLinkLocal() {
		this.machine.device("mlx5_0", "eth0", 1)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(0, LINK_LOCAL, GidType.ROCE_V2),
					gid(3, IPV4, GidType.ROCE_V2));
		assertThat(index(DeviceCriteria.ANY.withGidIndex(0))).isZero();
		assertThat(obstacle(DeviceCriteria.ANY.withGidIndex(7))).contains("no GID with index 7");
	}

	@Test
	void whenOnlyLinkLocalThenTheGidIsNotUsable() {
		this.machine.device("mlx5_0", "eth0", 1)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(0, LINK_LOCAL, GidType.ROCE_V2));
		assertThat(obstacle(DeviceCriteria.ANY)).contains("no GID that can be routed")
			.contains("give its network interface an IP address");
	}

	@Test
	void shouldTakeByNameNetdevAndGuid() {
		this.machine.device("mlx5_0", "eth0", 0x11)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(3, IPV4, GidType.ROCE_V2));
		this.machine.device("mlx5_1", "eth1", 0x22)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(3, OTHER_IPV4, GidType.ROCE_V2));
		assertThat(chosen(DeviceCriteria.ANY.withName("mlx5_1")).name()).isEqualTo("mlx5_1");
		assertThat(chosen(DeviceCriteria.ANY.withNetdev("eth1")).name()).isEqualTo("mlx5_1");
		assertThat(chosen(DeviceCriteria.ANY.withGuid(0x22)).name()).isEqualTo("mlx5_1");
		DeviceSelection none = select(DeviceCriteria.ANY.withName("mlx5_0").withNetdev("eth1"));
		assertThat(none.chosen()).isNull();
		assertThat(none.describe()).startsWith("No device can be used: none is usable that has name mlx5_0 and "
				+ "network interface eth1. Looked at besides: mlx5_0 (its network interface is eth0, and no GID belongs to eth1)");
	}

	@Test
	void shouldNeedALidOnInfiniband() {
		this.machine.device("mlx5_0", null, 1).port(PortState.ACTIVE, LinkLayer.INFINIBAND, 0);
		this.machine.device("mlx5_1", null, 2)
			.port(PortState.ACTIVE, LinkLayer.INFINIBAND, 7, gid(0, LINK_LOCAL, GidType.IB));
		DeviceSelection selection = select(DeviceCriteria.ANY);
		assertThat(selection.chosen()).isNotNull().extracting(DeviceCandidate::name).isEqualTo("mlx5_1");
		assertThat(selection.candidates().get(0).reason()).contains("neither a LID").contains("subnet manager");
	}

	@Test
	void whenAnInfinibandPortHasNoLidThenALinkLocalGidDoesNotTakeItsPlace() {
		this.machine.device("mlx5_0", null, 1)
			.port(PortState.ACTIVE, LinkLayer.INFINIBAND, 0, gid(0, LINK_LOCAL, GidType.IB));
		for (DeviceCriteria criteria : List.of(DeviceCriteria.ANY, DeviceCriteria.ANY.withGidIndex(0))) {
			assertThat(obstacle(criteria)).contains("neither a LID nor a GID that can be routed");
			assertThat(select(criteria).candidates().get(0).obstacle()).isEqualTo(DeviceObstacle.NO_LID);
		}
	}

	@Test
	void whenAnInfinibandPortHasNoLidThenTheGidThatCanBeRoutedIsTaken() {
		this.machine.device("mlx5_0", null, 1)
			.port(PortState.ACTIVE, LinkLayer.INFINIBAND, 0, gid(0, LINK_LOCAL, GidType.IB), gid(1, IPV6, GidType.IB));
		assertThat(index(DeviceCriteria.ANY)).isEqualTo(1);
	}

	@Test
	void whenAnInfinibandPortIsNotConfiguredThenTheRemedyIsASubnetManager() {
		this.machine.device("mlx5_0", null, 1).port(PortState.INIT, LinkLayer.INFINIBAND, 0);
		assertThat(obstacle(DeviceCriteria.ANY)).contains("its port 1 is INIT",
				"no subnet manager has configured it yet; start one");
		assertThat(select(DeviceCriteria.ANY).candidates().get(0).obstacle()).isEqualTo(DeviceObstacle.NO_LID);
	}

	@Test
	void whenADeviceCannotBeOpenedThenTheNextIsTaken() {
		this.machine.device("mlx5_0", "eth0", 1).refusal = "its device node /dev/infiniband/uverbs0 does not exist";
		this.machine.device("mlx5_1", "eth1", 2)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(3, IPV4, GidType.ROCE_V2));
		DeviceSelection selection = select(DeviceCriteria.ANY);
		assertThat(selection.chosen()).isNotNull().extracting(DeviceCandidate::name).isEqualTo("mlx5_1");
		assertThat(selection.candidates().get(0).reason()).contains("uverbs0 does not exist");
	}

	@Test
	void whenTheKernelHasADeviceWithNoProviderThenItIsACandidate() {
		this.machine.unusable.put("mlx5_9", "no provider library was found for it");
		DeviceSelection selection = select(DeviceCriteria.ANY);
		assertThat(selection.hasDevices()).isTrue();
		assertThat(selection.describe()).isEqualTo("No device can be used: none of those there is usable. Looked at "
				+ "besides: mlx5_9 (no provider library was found for it)");
	}

	@Test
	void whenADeviceWithNoProviderHasAnotherNameThenItWasNotAskedFor() {
		this.machine.unusable.put("mlx5_9", "no provider library was found for it");
		assertThat(select(DeviceCriteria.ANY.withName("mlx5_0")).candidates()).singleElement()
			.isEqualTo(DeviceCandidate.unusable("mlx5_9", 0, DeviceObstacle.NOT_ASKED_FOR, "its name is not mlx5_0"));
		assertThat(select(DeviceCriteria.ANY.withName("mlx5_9")).candidates()).singleElement()
			.extracting(DeviceCandidate::obstacle)
			.isEqualTo(DeviceObstacle.NOT_OPENED);
	}

	@Test
	void whenTooLittleMemoryCanBeLockedThenTheRemedyIsNamed() {
		this.machine.device("mlx5_0", "eth0", 1)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(3, IPV4, GidType.ROCE_V2));
		this.lockable = 8L << 20;
		assertThat(select(DeviceCriteria.ANY.withLockedMemory(8L << 20)).chosen()).isNotNull();
		assertThat(obstacle(DeviceCriteria.ANY.withLockedMemory((8L << 20) + 1)))
			.contains("8388609 bytes exceeds the 8388608 bytes")
			.contains("ulimit -l");
	}

	@Test
	void whenWhatIsMadeToQueryTheDeviceCannotBePinnedThenTheLimitIsNamed() {
		Device device = this.machine.device("mlx5_0", "eth0", 1)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(3, IPV4, GidType.ROCE_V2));
		device.queryRefusal = "A completion queue cannot be created";
		this.lockable = 0;
		assertThat(obstacle(DeviceCriteria.ANY.withLockedMemory(1))).contains("RLIMIT_MEMLOCK");
		assertThat(obstacle(DeviceCriteria.ANY.withLockedMemory(1).withPort(2))).contains("no port 2");
		this.lockable = Long.MAX_VALUE;
		assertThat(obstacle(DeviceCriteria.ANY)).contains("A completion queue cannot be created");
		assertThat(select(DeviceCriteria.ANY).candidates().get(0).obstacle()).isEqualTo(DeviceObstacle.NOT_OPENED);
	}

	private DeviceSelection select(DeviceCriteria criteria) {
		return new DeviceSelector(this.machine, () -> this.lockable).select(criteria);
	}

	private DeviceCandidate chosen(DeviceCriteria criteria) {
		DeviceCandidate chosen = select(criteria).chosen();
		assertThat(chosen).isNotNull();
		return chosen;
	}

	private int index(DeviceCriteria criteria) {
		GidEntry gid = chosen(criteria).gid();
		assertThat(gid).isNotNull();
		return gid.index();
	}

	@Test
	void shouldTakeTheGidsOfTheNetworkInterfaceOnly() {
		this.machine.device("mlx5_0", "eth0", 1)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, new GidEntry(2, IPV4, GidType.ROCE_V2, "eth0"),
					new GidEntry(3, OTHER_IPV4, GidType.ROCE_V2, "eth0.100"));
		this.machine.device("mlx5_1", "eth1", 2).port(PortState.DOWN, LinkLayer.ETHERNET, 0);
		assertThat(index(DeviceCriteria.ANY.withNetdev("eth0"))).isEqualTo(2);
		assertThat(index(DeviceCriteria.ANY.withNetdev("eth0.100"))).isEqualTo(3);
		assertThat(select(DeviceCriteria.ANY.withNetdev("eth7")).candidates()).extracting(DeviceCandidate::obstacle)
			.containsOnly(DeviceObstacle.NOT_ASKED_FOR);
	}

	@Test
	void whenADeviceIsOfIwarpThenItIsPassedOver() {
		this.machine.device("siw0", "eth0", 1, TransportType.IWARP)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(0, IPV4, GidType.ROCE_V1));
		assertThat(obstacle(DeviceCriteria.ANY)).contains("iWARP", "rdma_cm");
	}

	@Test
	void whenADeviceIsOfATransportWithoutReliableConnectionsThenItIsPassedOver() {
		this.machine.device("efa0", "eth0", 1, TransportType.OTHER)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(0, IPV4, GidType.ROCE_V2));
		assertThat(obstacle(DeviceCriteria.ANY)).contains("reliable connections (RC)");
		assertThat(select(DeviceCriteria.ANY).candidates().get(0).obstacle()).isEqualTo(DeviceObstacle.TRANSPORT);
	}

	@Test
	void whenTheLinkOfAPortIsOfNoKnownKindThenItIsPassedOver() {
		this.machine.device("efa0", "eth0", 1)
			.port(PortState.ACTIVE, LinkLayer.UNSPECIFIED, 7, gid(0, IPV4, GidType.ROCE_V2));
		assertThat(obstacle(DeviceCriteria.ANY)).contains("its port 1", "reliable connections (RC)");
		assertThat(select(DeviceCriteria.ANY).candidates().get(0).obstacle()).isEqualTo(DeviceObstacle.TRANSPORT);
	}

	@Test
	void whenADeviceThatIsOpenIsOfAnotherTransportThenItIsNotUsable() {
		this.machine.device("siw0", "eth0", 1, TransportType.IWARP)
			.port(PortState.ACTIVE, LinkLayer.ETHERNET, 0, gid(0, IPV4, GidType.ROCE_V1));
		try (DeviceContext context = this.machine.open("siw0")) {
			DeviceCandidate candidate = new DeviceSelector(this.machine, () -> this.lockable).lookAt(context,
					DeviceCriteria.ANY);
			assertThat(candidate.obstacle()).isEqualTo(DeviceObstacle.TRANSPORT);
		}
	}

	private String obstacle(DeviceCriteria criteria) {
		DeviceSelection selection = select(criteria);
		assertThat(selection.chosen()).isNull();
		String obstacle = selection.candidates().get(0).reason();
		assertThat(obstacle).isNotNull();
		return obstacle;
	}

	private static GidEntry gid(int index, Gid gid, GidType type) {
		return new GidEntry(index, gid, type, null);
	}

	/** A machine with devices as a test wants them. */
	private static final class Machine implements VerbsProvider {

		private final Map<String, Device> devices = new LinkedHashMap<>();

		private final Map<String, String> unusable = new TreeMap<>();

		private int open;

		Device device(String name, @Nullable String netdev, long guid) {
			return device(name, netdev, guid, TransportType.INFINIBAND);
		}

		Device device(String name, @Nullable String netdev, long guid, TransportType transport) {
			Device device = new Device(new DeviceInfo(name, guid, transport, netdev, -1));
			this.devices.put(name, device);
			return device;
		}

		@Override
		public String name() {
			return "verbs";
		}

		@Override
		public @Nullable Throwable unavailabilityCause() {
			return null;
		}

		@Override
		public List<DeviceInfo> devices() {
			return this.devices.values().stream().map((device) -> device.info).toList();
		}

		@Override
		public Map<String, String> unusableDevices() {
			return this.unusable;
		}

		@Override
		public DeviceContext open(String deviceName) {
			Device device = this.devices.get(deviceName);
			if (device == null || device.refusal != null) {
				throw new VerbsException("ibv_open_device", Errno.EACCES,
						(device != null) ? String.valueOf(device.refusal) : "there is no such device");
			}
			this.open++;
			return (DeviceContext) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { DeviceContext.class }, (proxy, method, arguments) -> switch (method.getName()) {
						case "device" -> device.info;
						case "physicalPorts" -> device.ports.size();
						case "queryDevice" -> device.attributes();
						case "queryPort" -> device.port((int) arguments[0]).attributes();
						case "queryGidTable" -> device.port((int) arguments[0]).gids();
						case "close" -> {
							this.open--;
							yield null;
						}
						default -> throw new UnsupportedOperationException(method.getName());
					});
		}

	}

	private static final class Device {

		private final DeviceInfo info;

		private final List<Port> ports = new ArrayList<>();

		private @Nullable String refusal;

		private @Nullable String queryRefusal;

		Device(DeviceInfo info) {
			this.info = info;
		}

		Device port(PortState state, LinkLayer linkLayer, int lid, GidEntry... gids) {
			this.ports.add(new Port(
					new PortAttributes(state, PathMtu.MTU_4096, PathMtu.MTU_4096, 16, 1L << 31, 1, lid, linkLayer),
					List.of(gids)));
			return this;
		}

		Port port(int number) {
			if (number > this.ports.size()) {
				throw new VerbsException("ibv_query_port", Errno.EINVAL, "There is no port " + number);
			}
			return this.ports.get(number - 1);
		}

		DeviceAttributes attributes() {
			if (this.queryRefusal != null) {
				throw new VerbsException("ibv_create_cq", Errno.ENOMEM, this.queryRefusal);
			}
			return new DeviceAttributes("", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, AtomicCapability.HCA, 0, 0, 0, 0, 0,
					this.ports.size());
		}

	}

	private record Port(PortAttributes attributes, List<GidEntry> gids) {
	}

}
