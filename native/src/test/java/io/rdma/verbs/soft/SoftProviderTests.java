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

import java.net.InetAddress;
import java.net.UnknownHostException;

import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.Errno;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import io.rdma.verbs.TransportType;
import io.rdma.verbs.VerbsException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SoftProvider}.
 */
class SoftProviderTests {

	@Test
	void shouldAlwaysBeAvailableWithOneDevice() {
		SoftProvider provider = new SoftProvider();
		assertThat(provider.name()).isEqualTo("soft");
		assertThat(provider.isAvailable()).isTrue();
		assertThat(provider.devices()).singleElement().satisfies((device) -> {
			assertThat(device.name()).isEqualTo("soft0");
			assertThat(device.transport()).isEqualTo(TransportType.INFINIBAND);
			assertThat(device.numaNode()).isEqualTo(-1);
		});
	}

	@Test
	void whenThereIsNoSuchDeviceThenTheMessageListsThoseThereAre() {
		assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> new SoftProvider().open("mlx5_0"))
			.withMessageContaining("soft0")
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.ENODEV));
	}

	@Test
	void gidTableShouldHoldTheLinkLocalAddressOfTheGuidAndTheLoopbackAddress() {
		SoftProvider provider = new SoftProvider();
		DeviceInfo device = provider.devices().get(0);
		try (SoftDeviceContext context = provider.open("soft0")) {
			assertThat(context.queryGidTable(1)).extracting(GidEntry::index).containsExactly(0, 1);
			assertThat(context.queryGidTable(1)).extracting(GidEntry::type).containsOnly(GidType.ROCE_V2);
			assertThat(context.queryGidTable(1).get(0).gid()).isEqualTo(new Gid(0xfe80_0000_0000_0000L, device.guid()));
			assertThat(context.queryGidTable(1).get(1).gid()).hasToString("0000:0000:0000:0000:0000:ffff:7f00:0001");
		}
	}

	@Test
	void whenAnAddressIsGivenThenItStandsInTheGidTable() throws UnknownHostException {
		InetAddress address = InetAddress.getByName("10.1.2.3");
		try (SoftDeviceContext context = new SoftProvider(address).open("soft0")) {
			assertThat(context.queryGidTable(1).get(1).gid()).isEqualTo(Gid.of(address));
			assertThat(context.device().netdev()).isNull();
		}
	}

	@Test
	void devicesOfTwoProvidersShouldDiffer() {
		assertThat(new SoftProvider().devices().get(0).guid()).isNotEqualTo(new SoftProvider().devices().get(0).guid());
	}

}
