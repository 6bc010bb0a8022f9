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

package io.rdma.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaDeviceException;
import io.rdma.core.exception.RdmaDeviceNotFoundException;
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
import io.rdma.verbs.VerbsProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link DeviceChooser} and {@link PortChooser}.
 */
@ExtendWith(OutputCaptureExtension.class)
class DeviceChooserTests {

	private static final Gid LINK_LOCAL = new Gid(0xfe80_0000_0000_0000L, 1);

	private static final Gid IPV4 = new Gid(0, 0xffff_0a00_0001L);

	private static final Gid IPV6 = new Gid(0x2001_0db8_0000_0000L, 1);

	private final RdmaProperties.Device properties = new RdmaProperties().getDevice();

	private final Provider provider = new Provider();

	@Test
	void whenNoneIsNamedThenTheFirstWithAnActivePortIsTaken(CapturedOutput output) {
		this.provider.add("mlx5_0", PortState.DOWN);
		this.provider.add("mlx5_1", PortState.DOWN, PortState.ACTIVE);
		this.provider.add("mlx5_2", PortState.ACTIVE);
		DeviceContext chosen = choose();
		assertThat(chosen).isSameAs(this.provider.context("mlx5_1"));
		assertThat(new PortChooser(chosen, this.properties).port()).isEqualTo(2);
		then(this.provider.context("mlx5_0")).should().close();
		then(chosen).should(never()).close();
		assertThat(output).containsOnlyOnce("INFO")
			.contains("Using RDMA device mlx5_1", "of the provider 'fake'", "the first with an ACTIVE port",
					"Passed over: mlx5_0 has no ACTIVE port");
	}

	@Test
	void whenOneIsNamedThenItIsTakenThoughAnotherIsFirst(CapturedOutput output) {
		this.provider.add("mlx5_0", PortState.ACTIVE);
		this.provider.add("mlx5_1", PortState.ACTIVE);
		this.properties.setName("mlx5_1");
		assertThat(choose()).isSameAs(this.provider.context("mlx5_1"));
		assertThat(output).contains("named by 'rdma.device.name'");
	}

	@Test
	void whenANetworkInterfaceIsNamedThenItsDeviceIsTaken(CapturedOutput output) {
		this.provider.add("mlx5_0", PortState.ACTIVE);
		this.provider.add("mlx5_1", PortState.ACTIVE);
		this.properties.setNetdev("net-mlx5_1");
		assertThat(choose()).isSameAs(this.provider.context("mlx5_1"));
		assertThat(output).contains("named by 'rdma.device.netdev'");
	}

	@Test
	void whenNoneHasAnActivePortThenTheFirstIsTakenWithAWarning(CapturedOutput output) {
		this.provider.add("mlx5_0", PortState.DOWN);
		this.provider.add("mlx5_1", PortState.INIT);
		assertThat(choose()).isSameAs(this.provider.context("mlx5_0"));
		then(this.provider.context("mlx5_1")).should().close();
		assertThat(output).containsOnlyOnce("WARN").contains("No RDMA device has an ACTIVE port", "Using mlx5_0");
	}

	@Test
	void whenOneCannotBeOpenedThenTheNextIsTaken(CapturedOutput output) {
		this.provider.add("mlx5_0", PortState.ACTIVE);
		this.provider.add("mlx5_1", PortState.ACTIVE);
		this.provider.refused = "mlx5_0";
		assertThat(choose()).isSameAs(this.provider.context("mlx5_1"));
		assertThat(output).contains("Passed over: mlx5_0: no access to /dev/infiniband/uverbs0");
	}

	@Test
	void whenNoneCanBeOpenedThenTheReasonsAreTold() {
		this.provider.add("mlx5_0", PortState.ACTIVE);
		this.provider.refused = "mlx5_0";
		assertThatExceptionOfType(RdmaDeviceException.class).isThrownBy(this::choose)
			.withMessageContaining("mlx5_0: no access to /dev/infiniband/uverbs0")
			.withMessageContaining("'rdma.provider' to 'soft'")
			.withCauseInstanceOf(VerbsException.class);
	}

	@Test
	void whenThereIsNoneThenThatIsSaid() {
		assertThatExceptionOfType(RdmaDeviceNotFoundException.class).isThrownBy(this::choose)
			.withMessageContaining("The provider 'fake' has no device");
	}

	@Test
	void whenTheNamedOneIsUnknownThenThosePresentAreListed() {
		this.provider.add("mlx5_0", PortState.ACTIVE);
		this.provider.add("mlx5_1", PortState.DOWN);
		this.properties.setName("mlx4_0");
		assertThatExceptionOfType(RdmaDeviceNotFoundException.class).isThrownBy(this::choose)
			.withMessageContaining("'rdma.device.name' is 'mlx4_0'")
			.withMessageContaining("mlx5_0 (network interface net-mlx5_0), mlx5_1 (network interface net-mlx5_1)");
	}

	@Test
	void aPortThatDoesNotExistIsRefused() {
		this.provider.add("mlx5_0", PortState.ACTIVE, PortState.DOWN);
		this.properties.setPort(2);
		assertThat(new PortChooser(choose(), this.properties).port()).isEqualTo(2);
		this.properties.setPort(3);
		assertThatExceptionOfType(RdmaConfigurationException.class)
			.isThrownBy(() -> new PortChooser(choose(), this.properties).port())
			.withMessageContainingAll("'rdma.device.port' is '3'", "mlx5_0 has 2 port(s)");
	}

	@Test
	void theGidThatReachesFurthestIsTaken() {
		assertThat(gid(entry(0, LINK_LOCAL, GidType.ROCE_V1), entry(1, LINK_LOCAL, GidType.ROCE_V2),
				entry(2, IPV4, GidType.ROCE_V1), entry(3, IPV4, GidType.ROCE_V2)))
			.isEqualTo(3);
		assertThat(gid(entry(0, IPV6, GidType.ROCE_V2), entry(1, IPV4, GidType.ROCE_V2))).isEqualTo(1);
		assertThat(gid(entry(0, IPV4, GidType.ROCE_V1), entry(1, LINK_LOCAL, GidType.ROCE_V2))).isEqualTo(1);
		assertThat(gid(entry(4, LINK_LOCAL, GidType.ROCE_V1), entry(5, IPV4, GidType.ROCE_V1))).isEqualTo(5);
	}

	@Test
	void whenAGidIndexIsSetThenItIsTakenIfItIsFilled() {
		this.properties.setGidIndex(0);
		assertThat(gid(entry(0, LINK_LOCAL, GidType.ROCE_V1), entry(3, IPV4, GidType.ROCE_V2))).isZero();
		this.properties.setGidIndex(1);
		assertThatExceptionOfType(RdmaConfigurationException.class)
			.isThrownBy(() -> gid(entry(0, LINK_LOCAL, GidType.ROCE_V1), entry(3, IPV4, GidType.ROCE_V2)))
			.withMessageContainingAll("'rdma.device.gid-index' is '1'", "0 (fe80:", "3 (0000:");
	}

	@Test
	void whenThereIsNoGidThenThatIsSaid() {
		assertThatExceptionOfType(RdmaDeviceException.class).isThrownBy(this::gid)
			.withMessageContaining("Port 1 of the device mlx5_0 has no GID");
	}

	private int gid(GidEntry... table) {
		Provider provider = new Provider();
		provider.add("mlx5_0", PortState.ACTIVE);
		DeviceContext context = provider.context("mlx5_0");
		given(context.queryGidTable(1)).willReturn(List.of(table));
		return new PortChooser(context, this.properties).gid(1).index();
	}

	private static GidEntry entry(int index, Gid gid, GidType type) {
		return new GidEntry(index, gid, type, null);
	}

	private DeviceContext choose() {
		return new DeviceChooser(this.provider, this.properties).open();
	}

	/**
	 * A provider whose devices have ports in given states.
	 */
	private static final class Provider implements VerbsProvider {

		private final Map<String, DeviceContext> contexts = new LinkedHashMap<>();

		private @Nullable String refused;

		void add(String name, PortState... ports) {
			DeviceContext context = mock(DeviceContext.class);
			DeviceInfo info = new DeviceInfo(name, 1, TransportType.INFINIBAND, "net-" + name, -1);
			DeviceAttributes attributes = mock(DeviceAttributes.class);
			given(attributes.physicalPorts()).willReturn(ports.length);
			given(context.device()).willReturn(info);
			given(context.queryDevice()).willReturn(attributes);
			for (int i = 0; i < ports.length; i++) {
				PortAttributes port = new PortAttributes(ports[i], PathMtu.MTU_4096, PathMtu.MTU_1024, 4, 1 << 30, 1, 0,
						LinkLayer.ETHERNET);
				given(context.queryPort(i + 1)).willReturn(port);
			}
			this.contexts.put(name, context);
		}

		DeviceContext context(String name) {
			DeviceContext context = this.contexts.get(name);
			assertThat(context).isNotNull();
			return context;
		}

		@Override
		public String name() {
			return "fake";
		}

		@Override
		public @Nullable Throwable unavailabilityCause() {
			return null;
		}

		@Override
		public List<DeviceInfo> devices() {
			return this.contexts.values().stream().map(DeviceContext::device).toList();
		}

		@Override
		public DeviceContext open(String deviceName) {
			if (deviceName.equals(this.refused)) {
				throw new VerbsException("ibv_open_device", Errno.EACCES, "no access to /dev/infiniband/uverbs0");
			}
			return context(deviceName);
		}

	}

}
